import type { Json } from '../../verbs/client.ts';
import { uniqueMark } from '../../verbs/workspace.ts';
import { hookAddress } from '../play/hooks.ts';
import type { Observation } from '../play/observation.ts';
import type { Played } from '../play/play.ts';
import { putEverywhere } from '../play/put-everywhere.ts';
import type { Step } from '../play/scenario.ts';
import { isStream } from '../play/watching.ts';
import { type Caller, callerWord, withoutCaller } from './caller.ts';
import { commonPaths, customSchemas } from './common-paths.ts';
import { contentOf, eventsOf } from './content.ts';
import { eventsByName, itemsByName, mayComeFromCache } from './from-cache.ts';
import { withoutPromise } from './full-pages.ts';
import { headersOf, withoutHash } from './headers.ts';
import { inOrder, sortedOnce } from './in-order.ts';
import { Naming } from './naming.ts';
import { withoutOthers } from './others.ts';
import { Path } from './path.ts';

/** What a step was answered, without what every server chooses for itself. */
export interface Normal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
}

const uid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const uidLength = 36;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const age = /^(\d+[smhdy])+$/;
const address = /^(\d+\.\d+\.\d+\.\d+|[0-9a-f]*:[0-9a-f:]+)$/;
/** Members whose texts are for people. */
const wording = new Set(['message', 'error', 'evaluationError', 'description', 'title']);
/** What a server is made of. */
const make = new Set(['gitVersion', 'gitCommit', 'gitTreeState', 'buildDate', 'goVersion', 'compiler', 'platform']);
/** Stands for where a server stores a kind: which kinds have the same one is no choice of its own. */
const storeHash = 'storageVersionHash';
/** What protobuf has for people, in fields that have no names: three words at least. */
const sentence = /^\S+ \S+ \S/;
/** Names that admission makes up begin so. */
const madeUpPrefix = 'kube-api-access-';
const madeUp = /^(kube-api-access-)[a-z0-9]{5}$/;
/**
 * Everything that was answered in a play, ready to be compared.
 * @param caller who plays, where two servers call him by two names
 * @param isSame whether the body of the answer at a place is known to be that of the other play: it is left out
 */
export function normalsOf(played: Played, caller?: Caller, isSame = (_place: number) => false): readonly Normal[] {
  const naming = new Naming(played, caller);
  const { observations } = played;
  const normal = (one: Observation, place: number): Normal => normalOf(one, naming, isSame(place));
  // Streams come last: what one of them lacks would have the answers that follow call all things by other names.
  const answers = observations.map((one, place) => (hasEvents(one) ? undefined : normal(one, place)));
  return answers.map((answer, place) => answer ?? normal(observations[place] as Observation, place));
}

const hasEvents = ({ step, status }: Observation): boolean => step.watch !== undefined && isStream(status);

function normalOf(seen: Observation, naming: Naming, isSame: boolean): Normal {
  if (seen.failure !== undefined) return { status: 0, headers: {}, body: undefined };
  const type = (seen.headers['content-type'] ?? '').toLowerCase().replaceAll(' ', '');
  const body = isSame ? undefined : bodyOf(seen, type, naming);
  return { status: seen.status, headers: headersOf(seen, type, naming), body };
}

const bodyOf = (seen: Observation, type: string, naming: Naming): Json =>
  hasEvents(seen)
    ? streamOf(seen, type, naming, seen.step.id)
    : valueNormal(mineOnly(listOf(seen, type), isWide(seen.step), naming), naming, seen.step.id, Path.root);

const listOf = ({ step, bytes }: Observation, type: string): Json => {
  const all = contentOf(bytes, type);
  const content = withoutPromise(bytes.includes(uniqueMark) ? withoutOthers(all) : all, step);
  return step.method === 'GET' && mayComeFromCache(step) ? itemsByName(content) : content;
};

/** Whether a request reaches what is not of the play. */
const isWide = ({ path, query }: Step): boolean =>
  !path.includes('<own>') &&
  !(typeof query === 'string' ? readable(query) : (JSON.stringify(query) ?? '')).includes('<own>');

/** Without what a server may pass over, so that it selects nothing: a parameter with a semicolon, or a % that begins no escape. */
const readable = (query: string): string =>
  query
    .split('&')
    .filter((parameter) => !/;|%(?![0-9a-f]{2})/i.test(parameter))
    .join('&');

/** Bookmarks come when the server likes: one shows how they look. Events of one object are in order; between objects of two versions too. */
function streamOf(seen: Observation, type: string, naming: Naming, where: string): Json {
  const all = seen.events ?? eventsOf(seen.bytes, type);
  const bookmark = all.findLast(({ type: name }) => name === 'BOOKMARK')?.object;
  const last = all.findIndex((event) => event.type === seen.step.watch?.last);
  const mine = (last < 0 ? all : all.slice(0, last + 1)).filter(
    ({ type: name, object }) => name !== 'BOOKMARK' && isMine(name, object, naming, seen.step),
  );
  const events = (mayComeFromCache(seen.step) ? eventsByName(mine) : mine).map(({ type: name, object }, at) => ({
    type: name,
    object: valueNormal(object, naming, `${where}.${at}`, Path.root),
  }));
  const shown = bookmark === undefined ? {} : { bookmark: valueNormal(bookmark, naming, where, Path.root) };
  return { events, ended: last < 0 && (seen.ended ?? false), ...shown };
}

/** What controllers put into every namespace, unless it was sent as well. */
const isTheirs = (name: unknown, naming: Naming): boolean =>
  typeof name === 'string' && putEverywhere.has(name) && !naming.wasSent(`"${name}"`);

/** A row without its object does not say whose it is. */
function isMine(type: string, object: Json, naming: Naming, step: Step): boolean {
  if (type === 'ERROR') return true;
  const { metadata } = object?.kind === 'Table' ? (object.rows?.[0]?.object ?? {}) : (object ?? {});
  if (isTheirs(metadata?.name, naming)) return false;
  return naming.isOwn(JSON.stringify(object) ?? '') || (object?.kind === 'Table' && !isWide(step));
}

/** A list across namespaces or of cluster-wide objects holds those of others too, and counts them. */
function mineOnly(body: Json, isWide: boolean, naming: Naming): Json {
  if (body?.wire !== undefined) return protobufOf(body, isWide, naming);
  const isOurs = (group: string): boolean => naming.wasSent(group);
  if (Array.isArray(body?.metrics))
    return { metrics: body.metrics.filter((one: Json) => naming.isOwn(JSON.stringify(one))) };
  if (body?.definitions) return customSchemas(body, isOurs);
  if (isWide && (body?.paths || body?.groups)) return commonPaths(body, isOurs);
  const list = Array.isArray(body?.items) ? 'items' : body?.kind === 'Table' && Array.isArray(body.rows) ? 'rows' : '';
  if (list === '') return body;
  const isKept = (item: Json): boolean => {
    const { name, namespace, labels } = (list === 'rows' ? item?.object : item)?.metadata ?? {};
    if (name === undefined) return !isWide;
    if (isTheirs(name, naming)) return false;
    return !isWide || naming.isOwn(`${name} ${namespace} ${JSON.stringify(labels)}`);
  };
  const { metadata, ...rest } = body;
  return { ...rest, ...(isWide ? {} : { metadata }), [list]: body[list].filter(isKept) };
}

/** Lists keep their version and token in other fields than objects do their names. */
function protobufOf({ wire, ...envelope }: Json, isWide: boolean, naming: Naming): Json {
  if (envelope.kind === 'Status') return { ...envelope, wire: withoutWords(wire) };
  if (!String(envelope.kind).endsWith('List')) return { ...envelope, wire };
  return isWide ? envelope : { ...envelope, wireList: withoutTheirs(wire, naming) };
}

/** A list has its items in field 2, each of them its metadata in 1, and that the name in 1. */
function withoutTheirs(wire: Json, naming: Naming): Json {
  if (!Array.isArray(wire?.[2])) return wire;
  return { ...wire, 2: wire[2].filter((item: Json) => !isTheirs(item?.[1]?.[0]?.[1]?.[0], naming)) };
}

/** A Status has its message in field 3, its details in 5, and in field 4 of those the causes with theirs in 2. */
function withoutWords(wire: Json): Json {
  if (typeof wire !== 'object') return wire;
  const { 3: _, ...status } = wire;
  const [details] = status[5] ?? [];
  if (!Array.isArray(details?.[4])) return status;
  const causes = details[4].map((cause: Json) => (typeof cause === 'object' ? { ...cause, 2: undefined } : cause));
  return { ...status, 5: [{ ...details, 4: sortedOnce(causes) }] };
}

/** Walks a value. `where` is the step, `path` the place within its answer. */
function valueNormal(value: Json, naming: Naming, where: string, path: Path): Json {
  if (typeof value === 'string') return textOf(value, naming, where, path);
  if (value === null || value === undefined) return value;
  if (Array.isArray(value))
    return inOrder(
      value.map((item, at) => valueNormal(item, naming, where, path.at(at))),
      path,
    );
  if (typeof value === 'object') return objectOf(value, naming, where, path);
  return isPortOf(value, path) && !naming.wasSentWhole(value)
    ? naming.called(`port ${value} of ${where}`, `port ${path.text}`)
    : value;
}

/** A port that a server chooses, or at which the player serves a group behind it. */
const isPortOf = (value: Json, path: Path): boolean =>
  typeof value === 'number' &&
  ((path.isAllotted && value >= 30000 && value <= 32767) || (path.text === 'spec.service.port' && value > 1024));

function textOf(value: string, naming: Naming, where: string, path: Path): Json {
  const { member } = path;
  if (make.has(member) || (member === 'version' && path.text === 'info.version')) return '<make>';
  if (member === 'serverRelativeURL') return value.split('?')[0];
  // Where a server takes itself to be.
  if (member === 'serverAddress' && address.test(value.replace(/:\d+$/, ''))) return '<address>';
  const known = naming.known(value);
  if (known !== undefined) return known;
  if (value.startsWith(madeUpPrefix) && madeUp.test(value) && !naming.wasSent(value))
    return value.replace(madeUp, '$1*****');
  if (path.isWire) {
    const normal = wireTextOf(value, naming, where, path.text);
    if (normal !== undefined) return normal;
  }
  if (wording.has(member) && !naming.wasSent(value)) return '<words>';
  const moment = value.endsWith('Z') ? time.exec(value) : null;
  if (moment && !naming.wasSent(value))
    return naming.moment(Date.parse(value), moment[1]?.length ?? 0, member === 'expirationTimestamp') ?? value;
  if (member === 'token' && value.length > 40) return '<token>';
  if (path.isAllotted && address.test(value) && !naming.wasSentWhole(value)) return '<address>';
  if (path.isCell) return cellOf(value, naming);
  return plainTextOf(value, naming, where, path);
}

function plainTextOf(value: string, naming: Naming, where: string, path: Path): string {
  if (value.startsWith('https://') && hookAddress.test(value)) return naming.called(value, `${where}:${path.text}`);
  const named = path.member === 'name' ? naming.withoutSuffix(value) : withoutHash(value);
  return naming.withoutOwn(withoutUids(named, naming, where, path));
}

/** What is for people to read has ages, addresses and ports in it. */
function cellOf(value: string, naming: Naming): string {
  if (value === naming.caller?.username) return callerWord;
  if (age.test(value)) return '<age>';
  if (address.test(value) && !naming.wasSentWhole(value)) return '<address>';
  const port = /:3[0-2]\d{3}\b/g;
  return naming
    .withoutOwn(withoutUids(value, naming, 'cell'))
    .replace(port, (found) => (naming.wasSentWhole(found.slice(1)) ? found : ':<port>'));
}

/** Each uid by its name; selectors hold them within a text, and entries of managers within a key. */
const withoutUids = (text: string, naming: Naming, where: string, path?: Path): string =>
  text.length < uidLength
    ? text
    : text.replace(uid, (found) =>
        naming.wasSent(found) ? found : naming.called(found, path ? `${where}:${path.text}` : where),
      );

/** The version is field 6 of an object's metadata; in that of a list it is field 2, and field 3 the token. */
function wireTextOf(value: string, naming: Naming, where: string, path: string): Json {
  if (path === 'wireList.1.0.2.0') return '<version>';
  if (path === 'wireList.1.0.3.0' && value !== '') return '<continue>';
  if (sentence.test(value) && !naming.wasSent(value)) return '<words>';
  if (path.endsWith('.1.0.6.0') && /^\d+$/.test(value)) return naming.version(value, `${where}:${path}`);
  if (/^#\d{10}$/.test(value) && !naming.wasSent(value.slice(1)))
    return naming.moment(Number(value.slice(1)) * 1000, 0);
  return address.test(value) && !naming.wasSentWhole(value) ? '<address>' : undefined;
}

/** What columns and the parts of a published schema are about is told to people, or not at all. */
const isProse = (name: string, path: Path): boolean =>
  name === 'description' && /columnDefinitions|^(components|definitions|paths)\./.test(path.text);

/** A server tells twice that a type is ending: who holds the time of that is up to whether a second ended in between. */
const isByClock = (name: string, path: Path): boolean =>
  name === 'f:lastTransitionTime' && path.name === 'k:{"type":"Terminating"}';

const isEmpty = (value: Json): boolean =>
  value !== null && typeof value === 'object' && Object.keys(value).length === 0;

function objectOf(value: Json, naming: Naming, where: string, path: Path): Json {
  const result: Record<string, Json> = {};
  const isMetadata = path.name.endsWith('metadata');
  const told = withoutCaller(value, naming.caller);
  for (const name of Object.keys(told)) {
    const item = told[name];
    if (isProse(name, path) || isByClock(name, path) || (name === 'details' && isEmpty(item))) continue;
    const key = naming.withoutOwn(naming.known(name) ?? withoutUids(name, naming, where, path));
    if (name === storeHash && typeof item === 'string') {
      result[key] = naming.called(item, `store of ${where} ${value.name}`);
      continue;
    }
    const kept = isMetadata
      ? metadataMember(name, item, value, naming, where, path)
      : conflictWith(name, value, naming);
    const normal = kept ?? valueNormal(item, naming, where, path.at(key));
    if (normal !== undefined) result[key] = normal;
  }
  return result;
}

/** Who holds a field that was applied is told in words that clients show, and that are the same for all. */
const conflictWith = (name: string, { reason, message }: Json, naming: Naming): Json =>
  name === 'message' && reason === 'FieldManagerConflict' && typeof message === 'string'
    ? naming.withoutOwn(message)
    : undefined;

/** What the server chooses in the metadata of objects and lists. */
function metadataMember(name: string, item: Json, metadata: Json, naming: Naming, where: string, path: Path): Json {
  if (typeof item !== 'string' || item === '') return undefined;
  if (name === 'continue') return '<continue>';
  if (name === 'resourceVersion') {
    // Other work moves the version of a list on; that of an object is its own.
    const isList = path.text === 'metadata' && metadata.name === undefined;
    return isList ? '<version>' : naming.version(item, `${where}:${path.text}.version`);
  }
  const prefix = metadata.generateName;
  if (name === 'name' && typeof prefix === 'string' && prefix !== '' && item.startsWith(prefix) && item !== prefix)
    return naming.called(item, `${naming.withoutOwn(prefix)}${'*'.repeat(item.length - prefix.length)}`);
  return undefined;
}
