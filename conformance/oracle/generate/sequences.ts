import type { Json } from '../../verbs/client.ts';
import type { PatchType } from '../../verbs/patch-types.ts';
import type { OracleKind } from '../oracle-kind.ts';
import { type Random, randomOf } from '../play/random.ts';
import type { Scenario } from '../play/scenario.ts';
import { objectOf, sampleOf } from '../samples/objects.ts';
import { accepts, type Form, inForm } from './forms.ts';
import { KindStory, type StepParts, Story } from './story.ts';
import { deleteOptions } from './tours/life.ts';
import { labelSelectors } from './tours/listing.ts';
import { connecting } from './tours/subresources.ts';
import { isTourable, prepareFor } from './tours/tours.ts';

/** What a random sequence has to choose from and to refer to. */
interface Tale {
  readonly random: Random;
  readonly at: KindStory;
  readonly word: string;
  readonly place: number;
  /** The last step that was answered this object, and the one before that. */
  readonly seen: readonly string[];
  /** Notes that a step is answered the object. */
  readonly note: (id: string) => void;
  readonly lists: string[];
}

const words = ['a', 'b', 'c'];
const managers = ['alice', 'bob', 'carol'];
const own = 'app=<own>';

/** Seeded sequences without an end, each on several kinds at once. */
export function* sequenceScenarios(kinds: readonly OracleKind[], seed: number, length: number): Generator<Scenario> {
  const living = kinds.filter(isTourable);
  for (let number = 1; living.length > 0; number++) yield sequence(living, seed, number, length);
}

function sequence(living: readonly OracleKind[], seed: number, number: number, length: number): Scenario {
  const random = randomOf(seed, `sequence ${number}`);
  const story = new Story();
  const chosen = random.some(living, 2 + random.below(2)).map((kind) => new KindStory(story, kind));
  const seen = new Map<string, string[]>();
  const lists = new Map<KindStory, string[]>(chosen.map((at) => [at, []]));
  while (story.length < length) {
    const at = random.pick(chosen);
    const [word, place] = [random.pick(words), at.kind.namespaced ? 1 + random.below(2) : 1];
    const key = `${at.label} ${word} ${place}`;
    const ids = seen.get(key) ?? [];
    seen.set(key, ids);
    const tale: Tale = {
      random,
      at,
      word,
      place,
      seen: ids,
      note: (id) => ids.unshift(id),
      lists: lists.get(at) as string[],
    };
    if (ids.length === 0 && !random.once(6)) tale.note(create(tale));
    else random.pick(acts)(tale);
  }
  return story.scenario(
    `sequence ${number} of seed ${seed}`,
    'sequences',
    2,
    prepareFor(chosen.map(({ kind }) => kind)),
  );
}

type Act = (tale: Tale) => void;

/** Options that go with a write: now and then it is a rehearsal, and the answer is wanted in another form. */
function options(random: Random, manager?: string): StepParts {
  const query = { ...(manager ? { fieldManager: manager } : {}), ...(random.once(4) ? { dryRun: 'All' } : {}) };
  const form = random.once(6) ? inForm(random.pick(Object.keys(accepts) as Form[])) : {};
  return { ...form, ...(Object.keys(query).length > 0 ? { query } : {}) };
}

const colors = ['red', 'green', 'blue'];

const labelsFor = (random: Random): Json => ({
  color: random.pick(colors),
  ...(random.once(2) ? { even: 'yes' } : {}),
});

function create({ random, at, word, place }: Tale): string {
  const object = objectOf(at.kind, word, labelsFor(random));
  const held = random.once(8) ? { finalizers: ['touchstone.example/hold'] } : {};
  const json = { ...object, metadata: { ...object.metadata, ...held } };
  const parts = random.once(5) ? { body: { yaml: json } } : {};
  return at.create(json, { ...options(random, random.once(2) ? random.pick(managers) : undefined), ...parts }, place);
}

const metadataChanges: readonly Json[] = [
  { labels: { color: 'blue' } },
  { labels: { even: null, extra: 'yes' } },
  { annotations: { note: 'one' } },
  { annotations: { note: null, other: 'two' } },
  { finalizers: ['touchstone.example/hold'] },
  { finalizers: null },
];

function change({ random, at }: Tale): Json {
  const given = sampleOf(at.kind)?.change;
  return given !== undefined && random.once(2) ? given : { metadata: random.pick(metadataChanges) };
}

const update: Act = (tale) => {
  const { random, at, word, place, seen, note } = tale;
  const from = random.once(4) ? seen.at(-1) : seen[0];
  if (from === undefined) return void at.put(word, { json: objectOf(at.kind, word) }, options(random), '', place);
  const free = random.once(4) ? { metadata: { resourceVersion: null } } : {};
  note(
    at.put(
      word,
      { answerOf: from, merge: mergedChange(change(tale), free) },
      options(random, random.pick(managers)),
      '',
      place,
    ),
  );
};

const mergedChange = (one: Json, other: Json): Json => ({
  ...one,
  ...other,
  metadata: { ...one.metadata, ...other.metadata },
});

const patch: Act = (tale) => {
  const { random, at, word, place } = tale;
  const type = random.pick(['merge', 'strategic', 'json'] as const satisfies readonly PatchType[]);
  const json = type === 'json' ? jsonPatch(random) : change(tale);
  at.patch(word, type, json, options(random, random.pick(managers)), '', place);
};

const jsonPatches: readonly Json[] = [
  [{ op: 'add', path: '/metadata/labels/extra', value: 'json' }],
  [{ op: 'remove', path: '/metadata/labels/color' }],
  [{ op: 'replace', path: '/metadata/labels/color', value: 'red' }],
  [
    { op: 'test', path: '/metadata/labels/color', value: 'red' },
    { op: 'add', path: '/metadata/annotations', value: { by: 'json' } },
  ],
  [{ op: 'copy', from: '/metadata/labels', path: '/metadata/annotations' }],
  [{ op: 'move', from: '/metadata/labels/color', path: '/metadata/labels/moved' }],
  [{ op: 'add', path: '/metadata/finalizers', value: ['touchstone.example/hold'] }],
];

const jsonPatch = (random: Random): Json => random.pick(jsonPatches);

const apply: Act = (tale) => {
  const { random, at, word, place } = tale;
  const full = objectOf(at.kind, word, random.once(2) ? labelsFor(random) : {});
  const { annotations, finalizers } = {
    annotations: { note: random.pick(['one', 'two']) },
    finalizers: ['touchstone.example/hold'],
  };
  const metadata = {
    name: full.metadata.name,
    labels: full.metadata.labels,
    ...(random.once(3) ? { annotations } : {}),
    ...(random.once(8) ? { finalizers } : {}),
  };
  const bare = { apiVersion: full.apiVersion, kind: full.kind };
  const json = random.once(3) ? { ...bare, metadata } : { ...full, metadata };
  const parts = options(random);
  const query = { ...(parts.query as object), ...(random.once(2) ? { force: 'true' } : {}) };
  at.apply(word, json, random.pick(managers), { ...parts, query }, '', place);
};

const get: Act = ({ random, at, word, place, note }) => {
  if (random.once(4)) return void at.get(word, inForm(random.pick(Object.keys(accepts) as Form[])), '', place);
  note(at.get(word, {}, '', place));
};

const remove: Act = ({ random, at, word, place, seen }) => {
  const conditions: readonly Json[] = [
    { preconditions: { uid: `<${seen[0] ?? 'none'}:metadata.uid>` } },
    { preconditions: { resourceVersion: `<${seen[0] ?? 'none'}:metadata.resourceVersion>` } },
    { propagationPolicy: random.pick(['Background', 'Foreground', 'Orphan']) },
    { orphanDependents: random.once(2) },
    { dryRun: ['All'] },
    { gracePeriodSeconds: 0 },
  ];
  const asked = seen.length === 0 ? conditions.slice(2) : conditions;
  const wanted = Object.assign({}, ...random.some(asked, 1 + random.below(2)));
  if (random.once(2)) return void at.delete(word, { body: { json: deleteOptions(wanted) } }, place);
  at.delete(word, random.once(4) ? { query: { dryRun: 'All' } } : {}, place);
};

const removeAll: Act = ({ random, at, place }) => {
  const labelSelector = `${own},${random.pick(labelSelectors)}`;
  at.deleteAll({ query: { labelSelector, ...(random.once(2) ? { dryRun: 'All' } : {}) } }, place);
};

const list: Act = ({ random, at, place, lists }) => {
  const labelSelector = random.once(2) ? own : `${own},${random.pick(labelSelectors)}`;
  const form = random.once(4) ? inForm(random.pick(['table', 'metadataList', 'yaml', 'protobuf'] as const)) : {};
  const from = lists[0];
  const when: Record<string, string> =
    from !== undefined && random.once(3)
      ? {
          resourceVersion: `<${from}:metadata.resourceVersion>`,
          resourceVersionMatch: random.pick(['Exact', 'NotOlderThan']),
        }
      : {};
  const limit: Record<string, string> = random.once(3) ? { limit: String(1 + random.below(3)) } : {};
  const isWhole = random.once(3) || !at.kind.namespaced;
  const query = { labelSelector, ...when, ...limit };
  if (Object.keys(form).length > 0)
    return void at.list({ query: { labelSelector, ...when }, ...form }, isWhole ? undefined : place);
  if (isWhole) return void lists.unshift(at.list({ query, walk: true }));
  const id = at.list({ query }, place);
  lists.unshift(id);
  if (limit['limit'] !== undefined)
    lists.unshift(at.list({ query: { labelSelector, ...limit, continue: `<${id}:metadata.continue>` } }, place));
};

const watch: Act = ({ random, at, place, lists }) => {
  const labelSelector = random.once(2) ? own : `${own},${random.pick(labelSelectors)}`;
  const [from] = lists;
  const resourceVersion = from === undefined || random.once(4) ? '0' : `<${from}:metadata.resourceVersion>`;
  const form = random.once(3) ? inForm(random.pick(['table', 'metadata', 'protobuf'] as const)) : {};
  at.watch({ query: { labelSelector, resourceVersion }, ...form }, random.once(2) ? undefined : place);
};

const through: Act = (tale) => {
  const { random, at, word, place, seen } = tale;
  const open = at.kind.subresources.filter(({ name, verbs }) => !connecting.has(name) && verbs.includes('update'));
  const from = seen[0];
  if (open.length === 0 || from === undefined) return get(tale);
  const { name } = random.pick(open);
  const wanted =
    name === 'scale' ? { spec: { replicas: random.below(5) } } : (sampleOf(at.kind)?.status ?? change(tale));
  if (random.once(2)) return void at.patch(word, 'merge', wanted, options(random, random.pick(managers)), name, place);
  const base = at.get(word, {}, name, place);
  at.put(word, { answerOf: base, merge: wanted }, options(random, random.pick(managers)), name, place);
};

/** What may happen next; what stands here twice happens twice as often. */
const acts: readonly Act[] = [
  (tale) => tale.note(create(tale)),
  update,
  update,
  update,
  patch,
  patch,
  patch,
  apply,
  apply,
  apply,
  get,
  get,
  remove,
  remove,
  removeAll,
  list,
  list,
  list,
  watch,
  through,
  through,
];
