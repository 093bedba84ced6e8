import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../controllers/runtime/kube-object.ts';
import type { RecentRequest } from '../request/recent-requests.ts';

/** An object as it was after `apply`, and as it is now. */
export interface Seen {
  readonly before: KubeObject;
  /** Undefined: it is gone. */
  readonly now: KubeObject | undefined;
}

/** An event, of either API. */
export interface ToldEvent extends KubeObject {
  readonly reason?: string;
  readonly note?: string;
  readonly type?: string;
  readonly regarding?: { readonly kind?: string; readonly name?: string };
}

interface Facts {
  readonly namespace: string;
  readonly requests: readonly RecentRequest[];
  readonly events: readonly ToldEvent[];
  readonly seen: readonly Seen[];
}

const shown = { requests: 20, events: 20, differences: 30, text: 120 };

/** What had happened in the world of a test that failed, for people. */
export function worldReport({ namespace, requests, events, seen }: Facts): string {
  return [
    `What happened in ${namespace}:`,
    ...section('The last requests', requests.slice(-shown.requests).map(requestLine)),
    ...section('Events', events.slice(-shown.events).map(eventLine)),
    ...section('What became of applied objects', seen.flatMap(differenceLines)),
    '',
  ].join('\n');
}

const section = (title: string, lines: readonly string[]): readonly string[] => [
  '',
  `  ${title}${lines.length === 0 ? ': none' : ''}`,
  ...lines.map((line) => `    ${line}`),
];

const requestLine = ({ method, url, code, milliseconds, userAgent }: RecentRequest): string =>
  `${String(code || '---').padEnd(4)}${method.padEnd(7)}${url}  ${Math.round(milliseconds)} ms  ${userAgent.split(' ')[0]}`;

const eventLine = ({ type = '', reason = '', note = '', regarding = {} }: ToldEvent): string =>
  `${type.padEnd(8)}${reason}  ${regarding.kind}/${regarding.name}: ${note}`;

/** What no one looks for: it differs after every write. */
const silent = ['metadata.managedFields', 'metadata.resourceVersion'];

function differenceLines({ before, now }: Seen): readonly string[] {
  const name = `${before.kind} ${before.metadata?.name}`;
  if (!now) return [`${name}: gone`];
  const lines = [...differences(before, now)].filter((line) => !silent.some((path) => line.startsWith(path)));
  if (lines.length === 0) return [`${name}: as it was`];
  return [`${name}:`, ...lines.slice(0, shown.differences).map((line) => `  ${line}`)];
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** A line for each place in which two values differ. */
export function* differences(before: unknown, now: unknown, path = ''): Generator<string> {
  if (isDeepStrictEqual(before, now)) return;
  if (!isRecord(before) || !isRecord(now) || Array.isArray(before) !== Array.isArray(now)) {
    yield `${path}: ${textOf(before)} → ${textOf(now)}`;
    return;
  }
  for (const key of new Set([...Object.keys(before), ...Object.keys(now)]))
    yield* differences(before[key], now[key], path ? `${path}.${key}` : key);
}

function textOf(value: unknown): string {
  const text = JSON.stringify(value) ?? '(nothing)';
  return text.length > shown.text ? `${text.slice(0, shown.text)}…` : text;
}
