import type { Json } from '../../../verbs/client.ts';
import { apiVersionOf, isCustom, type OracleKind } from '../../oracle-kind.ts';
import { merged } from '../../play/request.ts';
import { objectOf, sampleOf } from '../../samples/objects.ts';
import { mark } from '../end-mark.ts';
import { inForm } from '../forms.ts';
import { dry, dryBeside, KindStory, type StepParts, Story } from '../story.ts';
import { patchKinds } from './life.ts';
import { changeOf, connecting } from './subresources.ts';

const own = 'app=<own>';

/** The other versions that a kind is served in. */
export const otherVersionsOf = (kind: OracleKind, all: readonly OracleKind[]): readonly OracleKind[] =>
  all.filter(
    (other) =>
      other.kind === kind.kind && other.resource === kind.resource && apiVersionOf(other) !== apiVersionOf(kind),
  );

/** Whether it is a version of a custom type that is told of after another: its objects are stored as that. */
export const isSecondVersion = (kind: OracleKind, all: readonly OracleKind[]): boolean => {
  const [first] = all.filter(({ group, resource }) => group === kind.group && resource === kind.resource);
  return isCustom(kind) && first !== undefined && first.version !== kind.version;
};

/** The same object by two of its versions: what is written by the one is read, watched and owned by the other. */
export function betweenVersions(kind: OracleKind, other: OracleKind): Story {
  const story = new Story();
  const [one, two] = [new KindStory(story, kind), new KindStory(story, other)];
  one.create(objectOf(kind, 'a', { color: 'red' }));
  const begin = two.list({ query: { labelSelector: own } }, 1);
  streams(one, two, `<${begin}:metadata.resourceVersion>`);
  written(one, two);
  applied(one, two);
  for (const at of [one, two]) doors(at, at === one ? two : one);
  rehearsed(one, two);
  chosen(one, two);
  two.patch('a', 'merge', { metadata: { finalizers: ['touchstone.example/hold'] } });
  two.delete('a');
  two.patch('a', 'merge', { metadata: { finalizers: null } });
  one.get('a');
  two.deleteAll({ query: { labelSelector: `${own},color=green` } });
  one.list({ query: { labelSelector: own } }, 1);
  one.create(objectOf(kind, mark, { color: 'red' }));
  return story;
}

function streams(one: KindStory, two: KindStory, resourceVersion: string): void {
  const until = { watch: { until: mark } };
  for (const at of [one, two]) {
    at.watch({ ...until, query: { labelSelector: `${own},color=red`, resourceVersion } }, 1);
    const fieldSelector = `metadata.name!=${objectOf(at.kind, 'b').metadata.name}`;
    at.watch({ ...until, query: { labelSelector: own, fieldSelector, resourceVersion } });
  }
  for (const form of ['metadata', 'table', 'yaml'] as const)
    two.watch({ ...until, query: { labelSelector: own, resourceVersion }, ...inForm(form) }, 1);
}

function written(one: KindStory, two: KindStory): void {
  const seen = two.get('a');
  two.put('a', { answerOf: seen, merge: { metadata: { labels: { by: 'other' } } } });
  one.get('a');
  // Of the version that the path does not name.
  one.put('a', { answerOf: seen, merge: { metadata: { resourceVersion: null } } });
  one.create(objectOf(two.kind, 'b'), dry);
  two.create(objectOf(two.kind, 'b', { color: 'green' }));
  two.create(objectOf(two.kind, 'c', { color: 'green' }));
  two.patch('a', 'merge', { metadata: { annotations: { by: 'patch' } } });
  one.get('a');
  for (const color of ['green', 'red']) two.patch('a', 'merge', { metadata: { labels: { color } } });
}

const bare = ({ kind }: KindStory, more: Json): Json => {
  const { name } = objectOf(kind, 'a').metadata;
  return merged({ apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { name } }, more);
};

/** A manager has one set of fields, whichever version it speaks; others conflict with it by their own. */
function applied(one: KindStory, two: KindStory): void {
  const { change = {} } = sampleOf(one.kind) ?? {};
  const forced = { query: { force: 'true' } };
  one.apply('a', bare(one, { metadata: { annotations: { one: '1' } } }), 'alice', forced);
  two.apply('a', bare(two, { metadata: { annotations: { two: '2' } } }), 'alice');
  one.get('a');
  two.apply('a', bare(two, change), 'bob');
  two.apply('a', bare(two, change), 'bob', { query: { force: 'true', dryRun: 'All' } });
  two.apply('a', bare(two, change), 'bob', forced);
  one.apply('a', bare(one, {}), 'alice');
  one.apply('a', bare(one, {}), 'alice', forced);
  two.apply('a', { ...bare(two, {}), apiVersion: apiVersionOf(one.kind) }, 'alice', forced);
  for (const at of [one, two]) at.get('a');
}

/** Through what is below the one, with what the other was answered. */
function doors(at: KindStory, other: KindStory): void {
  for (const { name: sub, verbs } of at.kind.subresources) {
    if (connecting.has(sub) || !verbs.includes('update') || !verbs.includes('get')) continue;
    const change = changeOf(at, sub);
    at.put('a', { answerOf: at.get('a', {}, sub), merge: change }, dry, sub);
    at.put('a', { answerOf: at.get('a', {}, sub), merge: change }, {}, sub);
    at.patch('a', 'merge', change, { query: { fieldManager: 'carol' } }, sub);
    other.get('a');
  }
}

/** Checked by the fields of its own version: what only the other has is not known. */
function rehearsed(one: KindStory, two: KindStory): void {
  for (const [at, other] of [
    [one, two],
    [two, one],
  ] as const) {
    const now = at.get('a');
    const foreign = { ...objectOf(other.kind, 'd'), apiVersion: apiVersionOf(at.kind) };
    for (const fieldValidation of ['Strict', 'Warn', 'Ignore']) {
      const parts: StepParts = { query: { dryRun: 'All', fieldValidation }, alongside: true };
      at.create(foreign, parts);
      at.create({ ...foreign, touchedUnknown: 1 }, parts);
      at.put('a', { answerOf: now, merge: { spec: foreign.spec ?? {}, touchedUnknown: 1 } }, parts);
      for (const type of patchKinds)
        at.patch('a', type, type === 'json' ? [{ op: 'add', path: '/touchedUnknown', value: 1 }] : foreign, parts);
      const query = { dryRun: 'All', fieldValidation, force: 'true' };
      at.apply('a', bare(at, { touchedUnknown: 1 }), 'dave', { ...parts, query });
    }
    at.delete('a', dryBeside);
    at.deleteAll({ query: { dryRun: 'All', labelSelector: `${own},color=green` }, alongside: true });
  }
}

function chosen(one: KindStory, two: KindStory): void {
  const page = one.list({ query: { labelSelector: own, limit: '1' } }, 1);
  const next = { labelSelector: own, limit: '1', continue: `<${page}:metadata.continue>` };
  const name = objectOf(two.kind, 'b').metadata.name;
  for (const query of [
    { labelSelector: `${own},color=green` },
    { labelSelector: own, fieldSelector: `metadata.name=${name}` },
    { labelSelector: own, fieldSelector: `metadata.name!=${name}` },
    { labelSelector: own, limit: '1' },
    next,
    { labelSelector: own, resourceVersion: '0' },
    { labelSelector: own, resourceVersion: `<${page}:metadata.resourceVersion>`, resourceVersionMatch: 'Exact' },
  ]) {
    two.list({ query, alongside: true }, 1);
    for (const form of ['metadataList', 'table'] as const) two.list({ query, ...inForm(form), alongside: true }, 1);
  }
}
