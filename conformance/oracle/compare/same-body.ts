import type { Observation } from '../play/observation.ts';

/** What a server chooses stands in these: it gets names, by which later answers are told apart. */
const chosen = ['"uid"', '"resourceVersion"'];

/**
 * Whether two answers have the same JSON, and nothing in it of which later answers may speak: refusals have, mostly, byte
 * for byte, and what a rehearsal shows of a new object but for what each server makes up for it alone. There is no need
 * to read it then.
 */
export function haveSameBody(one: Observation, other: Observation): boolean {
  if (one.step.watch || one.status === 0 || one.status !== other.status) return false;
  const type = one.headers['content-type'];
  if (!type?.includes('json') || type !== other.headers['content-type']) return false;
  if (one.bytes.equals(other.bytes)) return !chosen.some((member) => one.bytes.includes(member));
  return isRehearsed(one) && one.bytes.length === other.bytes.length && saysTheSame(one, other);
}

/** What is stored has a version, of which later answers tell. Who sent a uid may be told that one. */
const isRehearsed = ({ step, bytes }: Observation): boolean =>
  step.method === 'POST' &&
  !JSON.stringify(step.body ?? '').includes('uid') &&
  JSON.stringify(step.query ?? '').includes('dryRun') &&
  !bytes.includes('"resourceVersion"');

const madeUp = /"uid":"[0-9a-f-]{36}"|"kube-api-access-[a-z0-9]{5}"|"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)Z"/g;

/** Two plays are not further apart than that, as far as one need not look closer. */
const apart = 3_000;

function saysTheSame(one: Observation, other: Observation): boolean {
  const [texts, times] = [[one, other].map(({ bytes }) => bytes.toString('latin1')), [[], []] as string[][]];
  const [left, right] = texts.map((text, side) =>
    text.replace(madeUp, (found, time?: string) => {
      if (time) times[side]?.push(time);
      return time ? '<time>' : found.slice(0, '"uid"'.length);
    }),
  );
  if (left !== right) return false;
  const [these, those] = times as [string[], string[]];
  return these.every(
    (time, at) => time === those[at] || Math.abs(Date.parse(`${time}Z`) - Date.parse(`${those[at]}Z`)) < apart,
  );
}
