import { AsyncLocalStorage } from 'node:async_hooks';
import { type Refusal, refusalIn } from '../../target/writes-refused.ts';
import { Breach, Skipped } from '../breach.ts';
import type { Answer, Client, Json, OpenAnswer, SendOptions } from '../client.ts';
import { notAllowed, notWatched } from './lacking-rights.ts';
import { isDryRun, isReview, type Permit, refusalOf, restsOnSelector, runLabel } from './permit.ts';
import { Rehearsals } from './rehearsals.ts';
import { type Place, placeOf } from './request-path.ts';

/** What stands between a rule and its target. */
export interface DoorParts {
  readonly permit: Permit;
  /** Paths of collections that the target does not have, by its own account. */
  readonly unserved?: readonly string[];
  /** How every write is answered where none gets through. */
  readonly refused?: Refusal;
  /** By its own account the caller may not do everything: what is refused for that says nothing of the target. */
  readonly narrow?: boolean;
  /** Whether a namespace is the rule's own. */
  readonly owns: (namespace: string) => boolean;
  /** Told of each object that a request has made. */
  readonly made: (place: Place, object: Json) => void;
  /** Once aborted only the clean-up passes. */
  readonly stopped: AbortSignal;
}

const cleaning = new AsyncLocalStorage<boolean>();

/** Runs steps that a rule has left to be done at its end, for which the door is still open. */
export const asCleanUp = <T>(steps: () => Promise<T>): Promise<T> => cleaning.run(true, steps);

const isCleanUp = (): boolean => cleaning.getStore() === true;

/** A client by which a rule can only do what the run may do, and nothing any more once it was stopped. */
export function throughDoor(client: Client, parts: DoorParts): Client {
  const by: Sender = { ...parts, client, rehearsals: new Rehearsals(client) };
  return {
    send: (method, path, options = {}) => send(by, method, path, options),
    open: (path, options) => open(by, path, options),
  };
}

type OpenOptions = Parameters<Client['open']>[1];

interface Sender extends DoorParts {
  readonly client: Client;
  readonly rehearsals: Rehearsals;
}

async function send(by: Sender, method: string, path: string, options: SendOptions): Promise<Answer> {
  const { client, rehearsals, permit, owns, stopped } = by;
  demandNotStopped(stopped);
  const intent = { method, path, query: options.query, body: options.body };
  const refusal = refusalOf(intent, permit, owns);
  if (refusal && !isCleanUp()) throw new Skipped(refusal);
  if (restsOnSelector(intent, permit, owns)) await rehearsals.before(intent);
  const sent = method === 'POST' ? { ...options, body: withRun(path, options.body, permit) } : options;
  // A write that is under way is let finish: what it makes must be known to whoever cleans up.
  const answer = await client.send(method, path, method === 'GET' ? { ...sent, ...ending(options, stopped) } : sent);
  const skipped = unservedBy(by, path, answer) ?? (isCleanUp() ? undefined : refusedBy(by, method, answer, options));
  if (skipped) throw skipped;
  noteMade(by, method, path, options, answer);
  rehearsals.note(intent, answer);
  return answer;
}

async function open(by: Sender, path: string, options: OpenOptions): Promise<OpenAnswer> {
  const { client, stopped } = by;
  demandNotStopped(stopped);
  const answer = await client.open(path, { ...options, signal: AbortSignal.any([options.signal, stopped]) });
  const skipped = unservedBy(by, path, answer) ?? (by.narrow ? notWatched(answer, options) : undefined);
  if (!skipped) return answer;
  // Nobody reads it: that it is given up is no news.
  answer.stream.on('error', () => undefined).destroy();
  throw skipped;
}

function demandNotStopped(stopped: AbortSignal): void {
  if (stopped.aborted && !isCleanUp()) throw new Breach('timeout', 'the rule was stopped');
}

function ending({ signal }: SendOptions, stopped: AbortSignal): { signal?: AbortSignal } {
  if (isCleanUp()) return {};
  return { signal: signal ? AbortSignal.any([signal, stopped]) : stopped };
}

/** That the target does not have what a path leads to, by its own account. */
function unservedBy({ unserved = [] }: DoorParts, path: string, { status }: { status: number }): Skipped | undefined {
  if (status !== 404 || isCleanUp()) return undefined;
  const missing = unserved.find((collection) => isOf(path, collection));
  return missing === undefined ? undefined : new Skipped(`the target does not serve ${missing}`);
}

/** That what was refused was so before it came to the server, or for want of a right. */
function refusedBy({ refused, narrow }: DoorParts, method: string, answer: Answer, options: SendOptions) {
  if (narrow) return notAllowed(answer, options);
  if (!refused || method === 'GET' || answer.status !== refused.status) return undefined;
  const { said } = refusalIn(answer);
  return said === refused.said
    ? new Skipped(`no write gets through to the target: ${answer.status} ${said}`)
    : undefined;
}

/** Tells of what a request has made, so that it is removed some day. */
function noteMade({ made }: DoorParts, method: string, path: string, options: SendOptions, answer: Answer): void {
  const place = placeOf(path);
  if (!place || options.lasting || isDryRun(options.query) || !isMade(method, place, answer.status)) return;
  // Only now: an answer is read when it is asked for.
  const { body } = answer;
  if (typeof body?.metadata?.name === 'string') made({ ...place, name: body.metadata.name }, body);
}

/** Whether a path leads to what is in a collection, or tells of the version or the group that has it, be it in OpenAPI. */
function isOf(path: string, collection: string): boolean {
  const place = placeOf(path);
  if (place) return collection === `${place.root}/${place.resource}`;
  const above = (path.split('?')[0] ?? '').replace(/^\/openapi\/v3(?=\/)/, '');
  return above !== '/apis' && collection.startsWith(`${above}/`);
}

/** A create of an object; a POST to a subresource, such as an eviction, makes none. */
function isMade(method: string, { name, sub }: Place, status: number): boolean {
  if (method === 'POST') return status >= 200 && status < 300 && name === undefined;
  return (method === 'PUT' || method === 'PATCH') && status === 201 && sub === undefined;
}

/** The body of a create with the run's label; nothing of a review is stored, and it may have none. */
function withRun(path: string, body: unknown, { run }: Permit): unknown {
  const place = placeOf(path);
  if (place && (place.name !== undefined || isReview(place))) return body;
  if (!isObject(body) || !isObject(body['metadata'])) return body;
  const { labels = {} } = body['metadata'];
  if (!isObject(labels)) return body;
  return { ...body, metadata: { ...body['metadata'], labels: { ...labels, [runLabel]: run } } };
}

const isObject = (value: unknown): value is Record<string, Json> =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && !Buffer.isBuffer(value);
