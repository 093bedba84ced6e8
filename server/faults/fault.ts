/** Which requests a fault is for; what is left out narrows nothing. All are compared as they are, without patterns. */
export interface Match {
  /** get, list, watch, create, update, patch, delete, deletecollection; of other paths the method in lower case. */
  readonly verb?: string;
  /** Empty for the core group. */
  readonly group?: string;
  /** The plural in paths. */
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** The beginning of the path. */
  readonly path?: string;
  /** A part of the User-Agent. */
  readonly userAgent?: string;
}

/** What happens to the next requests that match, in the order in which faults were added; the first that fits counts. */
export type RequestFault =
  /** Answers a Status with this code (400 to 599) and does nothing. `reason` and `message` have sensible defaults. */
  | {
      readonly fault: 'fail';
      readonly code: number;
      readonly reason?: string;
      readonly message?: string;
      /** Seconds, as Retry-After and in the Status. */
      readonly retryAfter?: number;
    }
  /** Answers later, by so many milliseconds and up to `jitter` more. Other faults still apply. */
  | { readonly fault: 'delay'; readonly milliseconds: number; readonly jitter?: number }
  /** Cuts the connection before anything is done. */
  | { readonly fault: 'drop' }
  /** Carries the request out, and cuts the connection instead of answering. */
  | { readonly fault: 'dropAfter' }
  /** Answers, and tells the client to use another connection (GOAWAY, or `Connection: close`). */
  | { readonly fault: 'goAway' }
  /** For watches: bookmarks are left out of their JSON. */
  | { readonly fault: 'withholdBookmarks' };

/** What happens at once to the watches that are open and match. */
export type WatchFault =
  /** Ends them in good order, as a server does after a time. */
  | { readonly fault: 'endWatches' }
  /** Cuts their connections in the middle. */
  | { readonly fault: 'cutWatches' }
  /** Says nothing more, and keeps the connection open; until `thawWatches`. */
  | { readonly fault: 'freezeWatches' }
  /** Sends what was held back, and goes on. */
  | { readonly fault: 'thawWatches' };

/** What happens at once to the server. */
export type ServerFault =
  /** Forgets all history: lists and watches at older versions answer 410. */
  { readonly fault: 'expire' };

interface Aim {
  readonly match?: Match;
  /** How many requests it is for; 1 unless given. 0: all, until it is taken away. */
  readonly times?: number;
}

export type Fault = (RequestFault & Aim) | (WatchFault & { readonly match?: Match }) | ServerFault;

/** The fault makes no sense. */
export class FaultError extends Error {}

type FieldType = 'number' | 'string' | 'match';
const aim = { match: 'match', times: 'number' } as const;

/** The fields of each fault beside its name. */
const fields: Readonly<Record<Fault['fault'], Readonly<Record<string, FieldType>>>> = {
  fail: { ...aim, code: 'number', reason: 'string', message: 'string', retryAfter: 'number' },
  delay: { ...aim, milliseconds: 'number', jitter: 'number' },
  drop: aim,
  dropAfter: aim,
  goAway: aim,
  withholdBookmarks: aim,
  endWatches: { match: 'match' },
  cutWatches: { match: 'match' },
  freezeWatches: { match: 'match' },
  thawWatches: { match: 'match' },
  expire: {},
};

const required: Readonly<Record<string, readonly string[]>> = { fail: ['code'], delay: ['milliseconds'] };
const matchFields = ['verb', 'group', 'resource', 'subresource', 'namespace', 'name', 'path', 'userAgent'];

/** Milliseconds a fault may delay an answer. */
const longestDelay = 600_000;

/** Reads a fault that came from outside. @throws FaultError */
export function parseFault(value: unknown): Fault {
  const given = recordOf(value, 'a fault');
  const name = String(given['fault']);
  const known = Object.hasOwn(fields, name) ? fields[name as Fault['fault']] : undefined;
  if (!known)
    throw new FaultError(`there is no fault ${JSON.stringify(given['fault'])}: ${Object.keys(fields).join(', ')}`);
  for (const [field, content] of Object.entries(given))
    if (field !== 'fault') checkField(name, field, content, known[field]);
  for (const field of required[name] ?? [])
    if (given[field] === undefined) throw new FaultError(`${name} needs ${field}`);
  const { code = 500 } = given as { code?: number };
  if (!Number.isInteger(code) || code < 400 || code > 599) throw new FaultError('code must be from 400 to 599');
  const { milliseconds = 0, jitter = 0 } = given as { milliseconds?: number; jitter?: number };
  if (milliseconds + jitter > longestDelay) throw new FaultError(`a delay has at most ${longestDelay} milliseconds`);
  return given as unknown as Fault;
}

function checkField(fault: string, field: string, content: unknown, type: FieldType | undefined): void {
  if (!type) throw new FaultError(`${fault} knows no ${field}`);
  if (type === 'match') {
    checkMatch(content);
    return;
  }
  const fits = type === 'number' ? Number.isFinite(content) && Number(content) >= 0 : typeof content === 'string';
  if (!fits) throw new FaultError(`${field} must be a ${type === 'number' ? 'number from 0' : 'text'}`);
}

function checkMatch(content: unknown): void {
  for (const [field, text] of Object.entries(recordOf(content, 'match'))) {
    if (!matchFields.includes(field)) throw new FaultError(`match knows no ${field}: ${matchFields.join(', ')}`);
    if (typeof text !== 'string') throw new FaultError(`match.${field} must be a text`);
  }
}

function recordOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new FaultError(`${what} is an object`);
  return value as Readonly<Record<string, unknown>>;
}
