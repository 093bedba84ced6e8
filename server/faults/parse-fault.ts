import { isDuration } from '../base/time/movable-clock.ts';
import { type Fault, FaultError } from './fault.ts';

type FieldType = 'number' | 'string' | 'duration' | 'match';
const often = { times: 'number', chance: 'number' } as const;
const aim = { match: 'match', ...often } as const;
const watches = { match: 'match' } as const;

/** The fields of each fault beside its name. */
const fields: Readonly<Record<Fault['fault'], Readonly<Record<string, FieldType>>>> = {
  fail: { ...aim, code: 'number', reason: 'string', message: 'string', retryAfter: 'number' },
  delay: { ...aim, milliseconds: 'number', jitter: 'number' },
  drop: aim,
  dropAfter: aim,
  goAway: aim,
  withholdBookmarks: aim,
  staleReads: aim,
  endWatches: watches,
  cutWatches: watches,
  halfCloseWatches: watches,
  freezeWatches: watches,
  thawWatches: watches,
  lagWatches: { ...watches, milliseconds: 'number' },
  sendBookmarks: watches,
  webhookOutage: { ...often, webhook: 'string' },
  expire: {},
  expireTokens: watches,
  expireCertificate: {},
  renewCertificate: {},
  skewClock: { by: 'duration' },
  advanceClock: { by: 'duration' },
};

const required: Readonly<Record<string, readonly string[]>> = {
  fail: ['code'],
  delay: ['milliseconds'],
  lagWatches: ['milliseconds'],
  skewClock: ['by'],
  advanceClock: ['by'],
};
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
  checkNumbers(given);
  return given as unknown as Fault;
}

function checkNumbers(given: { code?: number; milliseconds?: number; jitter?: number; chance?: number }): void {
  const { code = 500, milliseconds = 0, jitter = 0, chance = 1 } = given;
  if (!Number.isInteger(code) || code < 400 || code > 599) throw new FaultError('code must be from 400 to 599');
  if (milliseconds + jitter > longestDelay) throw new FaultError(`a delay has at most ${longestDelay} milliseconds`);
  if (chance > 1) throw new FaultError('chance must be from 0 to 1');
}

const isNumber = (content: unknown) => Number.isFinite(content) && Number(content) >= 0;
const kinds: Readonly<Record<Exclude<FieldType, 'match'>, { fits: (content: unknown) => boolean; name: string }>> = {
  number: { fits: isNumber, name: 'number from 0' },
  string: { fits: (content) => typeof content === 'string', name: 'text' },
  duration: { fits: isDuration, name: 'duration such as 1h30m' },
};

function checkField(fault: string, field: string, content: unknown, type: FieldType | undefined): void {
  if (!type) throw new FaultError(`${fault} knows no ${field}`);
  if (type === 'match') {
    checkMatch(content);
    return;
  }
  const { fits, name } = kinds[type];
  if (!fits(content)) throw new FaultError(`${field} must be a ${name}`);
}

function checkMatch(content: unknown): void {
  for (const [field, text] of Object.entries(recordOf(content, 'match'))) {
    if (!matchFields.includes(field)) throw new FaultError(`match knows no ${field}: ${matchFields.join(', ')}`);
    if (typeof text !== 'string') throw new FaultError(`match.${field} must be a text`);
  }
}

export function recordOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new FaultError(`${what} is an object`);
  return value as Readonly<Record<string, unknown>>;
}
