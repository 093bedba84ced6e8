import { type Dispatcher, request } from 'undici';
import type { Sighting, Told } from '../../conformance/oracle/history/history.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every kind
export type Json = any;

export const writeName = 'touchstone/write';

export const sightingOf = ({ metadata }: Json): Sighting => ({
  name: metadata.name,
  uid: metadata.uid,
  version: metadata.resourceVersion,
  write: metadata.annotations?.[writeName] ?? '',
});

/** A collection of objects of one kind at a server that may go away at any time. */
export interface Api {
  readonly urls: readonly string[];
  readonly path: string;
  readonly token: string;
  readonly dispatcher: Dispatcher;
}

export interface Answer {
  readonly status: number;
  readonly body: Json;
}

/** Milliseconds for an answer. */
const limit = 30_000;

/** @throws Error when no answer came */
export async function send(api: Api, server: number, method: string, below: string, body?: Json): Promise<Answer> {
  const { statusCode, body: answer } = await request(`${api.urls[server % api.urls.length]}${api.path}${below}`, {
    dispatcher: api.dispatcher,
    method: method as 'GET',
    headers: { authorization: `Bearer ${api.token}`, 'content-type': 'application/json' },
    headersTimeout: limit,
    bodyTimeout: limit,
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: statusCode, body: JSON.parse(await answer.text()) };
}

const types: readonly string[] = ['ADDED', 'MODIFIED', 'DELETED'];

export interface Heard {
  readonly told?: Told;
  /** Where a watch can go on. */
  readonly version?: string;
  /** Of an error in the stream. */
  readonly code?: number;
}

/** What a watch says, until it ends. @throws Error when the connection breaks */
export async function* watch(api: Api, server: number, version: string, signal: AbortSignal): AsyncGenerator<Heard> {
  const query = `?watch=1&allowWatchBookmarks=true&resourceVersion=${version}`;
  const { statusCode, body } = await request(`${api.urls[server % api.urls.length]}${api.path}${query}`, {
    dispatcher: api.dispatcher,
    headers: { authorization: `Bearer ${api.token}` },
    headersTimeout: limit,
    bodyTimeout: 0,
    signal,
  });
  if (statusCode !== 200) {
    await body.dump();
    yield { code: statusCode };
    return;
  }
  let rest = '';
  for await (const chunk of body.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield heardIn(JSON.parse(line));
  }
}

function heardIn({ type, object }: Json): Heard {
  if (type === 'ERROR') return { code: object.code };
  const version = object.metadata.resourceVersion;
  return types.includes(type) ? { told: { type, object: sightingOf(object) }, version } : { version };
}
