import type { Json } from '../../verbs/json.ts';
import { merged } from '../../verbs/merged.ts';
import type { Subject } from '../../verbs/subjects.ts';

/** The text of an object with the duplicate field `metadata.labels.a` and, unless it is said, the unknown fields `shape` and `metadata.size`. */
export function spoilt({ metadata, ...object }: Json, unknown = true): string {
  const { labels, ...rest } = metadata;
  const pairs = [...Object.entries({ ...labels, a: '1' }), ['a', '2']];
  const text = pairs.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',');
  const given = JSON.stringify(unknown ? { ...rest, size: 7 } : rest);
  const whole = unknown ? { ...object, shape: 'round' } : object;
  return `{"metadata":${given.slice(0, -1)},"labels":{${text}}},${JSON.stringify(whole).slice(1)}`;
}

/** The text of an object with a field that stands twice, with one value, in the second object of a list. */
export function spoiltInList(object: Json): string {
  const owners = [owner, { ...owner, uid: owner.uid.replaceAll('0', '1') }];
  const text = JSON.stringify(merged(object, { metadata: { ownerReferences: owners } }));
  const at = text.lastIndexOf('"name":"nobody"');
  return `${text.slice(0, at)}"name":"nobody",${text.slice(at)}`;
}

/** Somebody who is not there. */
const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'nobody', uid: '00000000-0000-0000-0000-000000000000' };

/** The object with the unknown field `shape` in the first object of a list. */
const spoiltInside = (object: Json): Json =>
  insideLists(object) ?? merged(object, { metadata: { ownerReferences: [{ ...owner, shape: 'round' }] } });

/** The object with the unknown field `shape` in the second object of a list. */
const spoiltBehind = (object: Json): Json =>
  merged(object, {
    metadata: { ownerReferences: [owner, { ...owner, uid: owner.uid.replaceAll('0', '1'), shape: 'round' }] },
  });

type Spoil = (object: Json) => Json;

const spoiltPlaces: Readonly<Record<string, Spoil>> = {
  'inside a list': spoiltInside,
  'behind the first of a list': spoiltBehind,
};

/** Of a custom type, in what is its own. */
const spoiltCustomPlaces: Readonly<Record<string, Spoil>> = {
  'in a list of a custom type': (object) =>
    merged(object, { spec: { entries: [{ name: 'a' }, { name: 'b', shape: 'round' }] } }),
  'in a map of a custom type': (object) => merged(object, { spec: { parts: { a: { name: 'a', shape: 'round' } } } }),
};

const required = 'requiredDuringSchedulingIgnoredDuringExecution';
/** Where a pod may be, by a label of nodes. */
const placed = {
  nodeSelectorTerms: [{ matchExpressions: [{ key: 'example.com/a', operator: 'Exists', shape: 'round' }] }],
};

/** Of a kind that makes others, within these. */
const spoiltTemplates: Readonly<Record<string, Spoil>> = {
  'in the metadata of a template': (object) => merged(object, { spec: { template: { metadata: { shape: 'round' } } } }),
  'deep in a template': (object) =>
    merged(object, { spec: { template: { spec: { affinity: { nodeAffinity: { [required]: placed } } } } } }),
};

const ownPlaces = ({ custom, name }: Subject): Readonly<Record<string, Spoil>> =>
  custom ? spoiltCustomPlaces : ['deployments', 'jobs'].includes(name) ? spoiltTemplates : {};

/** Objects with the unknown field `shape` below the top, by the place where it is. */
export const spoiltBelow = (kind: Subject): readonly (readonly [place: string, spoil: Spoil])[] =>
  Object.entries({ ...spoiltPlaces, ...ownPlaces(kind) });

/** The object with the unknown field `shape` in two objects of a list. */
export const spoiltTwice = (object: Json): Json => {
  const spoilt = spoiltBehind(object);
  const [first, ...rest] = spoilt.metadata.ownerReferences;
  return merged(spoilt, { metadata: { ownerReferences: [{ ...first, shape: 'round' }, ...rest] } });
};

function insideLists(value: Json): Json {
  for (const [key, member] of Object.entries(value)) {
    if (typeof member !== 'object' || member === null) continue;
    const inside = Array.isArray(member) ? spoiltFirst(member) : insideLists(member);
    if (inside) return { ...value, [key]: inside };
  }
  return undefined;
}

function spoiltFirst(list: readonly Json[]): Json[] | undefined {
  const [first, ...rest] = list;
  return typeof first === 'object' && first !== null ? [{ ...first, shape: 'round' }, ...rest] : undefined;
}
