import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../verbs/client.ts';
import type { Side } from '../play/side.ts';
import { objectOf } from '../samples/objects.ts';

/** Whom a server takes somebody for. */
export interface Caller {
  readonly username: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Json;
}

/** The same player, as two servers know him. */
export interface Callers {
  readonly judged: Caller;
  readonly other: Caller;
}

/** What stands for the player's name. */
export const callerWord = '<caller>';

const requests = {
  ...{ group: 'certificates.k8s.io', version: 'v1', resource: 'certificatesigningrequests' },
  ...{ kind: 'CertificateSigningRequest', namespaced: false, verbs: [], subresources: [] },
};

/** Whom a server takes the player for: it says so of who asks for a certificate, in a rehearsal too. */
async function callerOn({ client }: Side): Promise<Caller | undefined> {
  const body = JSON.parse(JSON.stringify(objectOf(requests, 'caller')).replaceAll(/<(?:own|run)>/g, 'touchstone'));
  const path = `/apis/${requests.group}/${requests.version}/${requests.resource}`;
  const answer = await client.send('POST', path, { query: { dryRun: 'All' }, body }).catch(() => undefined);
  const { username, uid, groups, extra } = answer?.body?.spec ?? {};
  if (answer?.status !== 201 || typeof username !== 'string' || username === '') return undefined;
  return { username, ...(uid ? { uid } : {}), ...(groups ? { groups } : {}), ...(extra ? { extra } : {}) };
}

/** Undefined where both take the player for the same, or one does not say for whom: then nothing is to be folded. */
export async function callersOn(judged: Side, other: Side): Promise<Callers | undefined> {
  const [one, two] = await Promise.all([callerOn(judged), callerOn(other)]);
  return one && two && !isDeepStrictEqual(one, two) ? { judged: one, other: two } : undefined;
}

/** JSON has the name by itself, protobuf as the one text of a field. */
const isCalled = (value: Json, name: string): boolean =>
  value === name || (Array.isArray(value) && value.length === 1 && value[0] === name);

/** Whether an object tells of the player, and not of something that is called alike, as some are `admin` by default. */
const tellsOf = (value: Json, { username, groups }: Caller): boolean =>
  isCalled(value.username, username) ||
  (groups !== undefined &&
    Object.values(value).some((item) => isCalled(item, username)) &&
    Object.values(value).some((item) => isDeepStrictEqual(item, groups)));

/**
 * What stands in an object beside the player's name, by names of our own: his groups by a word, and left out what not
 * every server has of him, his uid and what else is known. Anything else than what the server said at first stays.
 */
export function withoutCaller(value: Json, caller: Caller | undefined): Json {
  if (!caller || !tellsOf(value, caller)) return value;
  const { username, uid = '', groups, extra } = caller;
  const isBeside = (item: Json): boolean =>
    isCalled(item, uid) || isCalled(item, '') || (extra !== undefined && isDeepStrictEqual(item, extra));
  const told = Object.entries<Json>(value).flatMap(([name, item]): [string, Json][] => {
    if (isCalled(item, username)) return [[name, callerWord]];
    if (groups && isDeepStrictEqual(item, groups)) return [[name, '<groups>']];
    return isBeside(item) ? [] : [[name, item]];
  });
  return Object.fromEntries(told);
}
