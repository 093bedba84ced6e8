import type { ContainerLog, LogLine } from './container-log.ts';
import { Refusal } from './container-runtime.ts';

/** Which part of a log is asked for; fields of PodLogOptions. */
export interface LogQuery {
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly tailLines?: number;
  readonly limitBytes?: number;
  /** Milliseconds since the epoch. */
  readonly since?: number;
}

/** @throws Refusal for numbers and times that are none */
export function readLogQuery(query: URLSearchParams, now: number): LogQuery {
  const number = (name: string, least: number) => {
    const text = query.get(name);
    if (!text) return undefined;
    if (!/^\d{1,15}$/.test(text) || Number(text) < least)
      throw new Refusal(400, `${name} must be a number from ${least}, not ${JSON.stringify(text)}`);
    return Number(text);
  };
  const flag = (name: string) => /^(?:1|t|true)$/i.test(query.get(name) ?? '');
  const tailLines = number('tailLines', 0);
  const limitBytes = number('limitBytes', 1);
  const since = sinceOf(query.get('sinceTime'), number('sinceSeconds', 1), now);
  return {
    follow: flag('follow'),
    previous: flag('previous'),
    timestamps: flag('timestamps'),
    ...(tailLines !== undefined && { tailLines }),
    ...(limitBytes !== undefined && { limitBytes }),
    ...(since !== undefined && { since }),
  };
}

function sinceOf(time: string | null, seconds: number | undefined, now: number): number | undefined {
  if (!time) return seconds === undefined ? undefined : now - seconds * 1000;
  if (seconds !== undefined) throw new Refusal(400, 'sinceSeconds and sinceTime may not both be given');
  const at = Date.parse(time);
  if (Number.isNaN(at)) throw new Refusal(400, `sinceTime must be a time, not ${JSON.stringify(time)}`);
  return at;
}

/** The text that answers a query, in pieces; one that follows ends with the log, or with its reader. */
export async function* answerLogQuery(log: ContainerLog, query: LogQuery, signal: AbortSignal): AsyncGenerator<Buffer> {
  let left = query.limitBytes ?? Number.POSITIVE_INFINITY;
  for await (const line of chosen(log, query, signal)) {
    const stamp = query.timestamps ? `${new Date(line.at).toISOString()} ` : '';
    const bytes = Buffer.from(stamp + line.text);
    yield left < bytes.length ? bytes.subarray(0, left) : bytes;
    left -= bytes.length;
    if (left <= 0) return;
  }
}

async function* chosen(log: ContainerLog, query: LogQuery, signal: AbortSignal): AsyncGenerator<LogLine> {
  const { since = 0, tailLines, follow } = query;
  const isRecent = ({ at }: LogLine) => at >= since;
  const there = log.lines.filter(isRecent);
  const first = tailLines === undefined ? 0 : Math.max(0, there.length - tailLines);
  if (!follow) return yield* there.slice(first);
  let skip = first;
  for await (const line of log.follow(signal)) {
    if (!isRecent(line)) continue;
    if (skip > 0) skip--;
    else yield line;
  }
}
