import type { Json } from '../../../verbs/client.ts';
import type { OracleKind } from '../../oracle-kind.ts';
import { answerKey, askedUid } from '../../play/hooks.ts';
import { merged } from '../../play/request.ts';
import type { Scenario, Step } from '../../play/scenario.ts';
import { objectOf, sampleOf } from '../../samples/objects.ts';
import { dry, dryBeside, KindStory, type StepParts, Story } from '../story.ts';
import { answers, configuration, mutating, probes, reconfiguration, validating } from './hook-configuration.ts';
import { deleteOptions, patchKinds } from './life.ts';
import { changeOf, connecting } from './subresources.ts';

const patchOf = (...operations: readonly Json[]): Json => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
});

const label = (name: string, value = 'yes'): Json => ({ op: 'add', path: `/metadata/labels/${name}`, value });

const heardOf = (at: KindStory): string =>
  at.story.add(`what webhooks hear of ${at.label}`, 'GET', '/heard', { heard: true });

/** What they answer to one new object after another. */
const sayings: readonly Readonly<Record<string, Json>>[] = [
  { wide: patchOf(label('wide')), again: patchOf(label('again')) },
  { wide: patchOf(label('hear')) },
  {
    exact: patchOf(label('a'), { op: 'test', path: '/metadata/labels/a', value: 'yes' }),
    seen: { warnings: ['one', 'two'] },
  },
  { wide: { allowed: false } },
  { wide: { allowed: false, status: { code: 409, reason: 'Conflict', message: 'no', details: { kind: 'some' } } } },
  {
    exact: {
      allowed: false,
      status: { code: 403, message: 'no', details: { causes: [{ reason: 'Some', message: 'why', field: 'a.b' }] } },
    },
  },
  {
    wide: { allowed: false, status: { code: 200, message: 'no' }, warnings: ['told'] },
    again: { warnings: ['first'] },
  },
  { seen: { allowed: false, status: { code: 422, reason: 'Invalid' } }, firm: { warnings: ['told'] } },
  ...[0, 99, 201, 399, 400, 499, 599, 600, 999, -1].map((code) => ({ exact: { allowed: false, status: { code } } })),
  { seen: { allowed: false, status: { reason: 'Expired', status: 'Success' } } },
  {
    firm: {
      allowed: false,
      warnings: ['', 'long'.repeat(300), 'a\nb', 'ä', ...Array.from({ length: 40 }, (_, at) => `w${at}`)],
    },
  },
  { exact: patchOf({ op: 'remove', path: '/metadata/labels/none' }) },
  { exact: patchOf({ op: 'test', path: '/metadata/name', value: 'none' }) },
  { exact: patchOf({ op: 'add', path: '/metadata/name', value: 'renamed' }) },
  { exact: patchOf({ op: 'add', path: '/metadata/labels', value: { 'not good': 'x' } }) },
  { exact: patchOf({ op: 'add', path: '/touchedUnknown', value: 1 }, label('b')) },
  { exact: patchOf({ op: 'add', path: '/metadata/namespace', value: 'default' }) },
  { exact: patchOf({ op: 'add', path: '/metadata/uid', value: 'made' }) },
  ...['exact', 'strict', 'seen', 'firm'].flatMap((word) =>
    [
      patchOf(label('c')),
      { allowed: true, patch: patchOf(label('c')).patch },
      { allowed: true, patchType: 'JSONPatch' },
      { allowed: true, patchType: 'Other', patch: patchOf(label('d')).patch },
      { allowed: 'yes' },
      { uid: 'other', allowed: true },
      { uid: null, allowed: true },
      { raw: { status: 500, body: 'none' } },
      { raw: { status: 201, body: { kind: 'AdmissionReview' } } },
      { raw: { body: '' } },
      ...[
        { apiVersion: 'admission.k8s.io/v1', kind: 'Other' },
        { apiVersion: 'admission.k8s.io/v1' },
        { apiVersion: 'admission.k8s.io/v2', kind: 'AdmissionReview' },
      ].map((head) => ({ raw: { body: { ...head, response: { uid: askedUid, allowed: true } } } })),
    ].map((answer) => ({ [word]: answer })),
  ),
];

/** With all that is to be known of a caller, and rights to anything. */
export const somebody = {
  ...{ 'impersonate-user': '<own>-user', 'impersonate-uid': 'one', 'impersonate-group': 'system:masters' },
  'impersonate-extra-scopes': ['some', 'other'],
  'impersonate-extra-acme.example%2fproject': 'some',
};

/** How many of them are said of every kind; what becomes of the others is not about kinds. */
const saidOfAll = 7;

/** Rehearsed, as what happens to an object that is refused or changed is seen then as well. */
function created(at: KindStory): void {
  const told = at.kind.kind === 'ConfigMap' ? sayings : sayings.slice(0, saidOfAll);
  for (const [number, said] of told.entries())
    at.create(merged(objectOf(at.kind, `x${number}`, { hear: 'no' }), answers(said)), dryBeside);
  heardOf(at);
  at.create(merged(objectOf(at.kind, 'a', { hear: 'yes' }), answers(sayings[0] as Record<string, Json>)));
  heardOf(at);
  at.create(objectOf(at.kind, 'b'), {}, 2);
  heardOf(at);
  at.create(objectOf(at.kind, 'c'), { ...dry, headers: somebody });
  heardOf(at);
}

/** Every verb that writes, with what it tells. */
function written(at: KindStory): void {
  const { change = { metadata: { labels: { touched: 'yes' } } } } = sampleOf(at.kind) ?? {};
  const first = at.get('a');
  const told = (hear: string | null): Json => ({
    ...change,
    // Managers are in the order of the clock: to send those of an earlier version may change it, or not.
    metadata: { ...change.metadata, resourceVersion: null, managedFields: null, labels: { hear } },
  });
  for (const value of ['no', 'no', 'yes', null]) {
    at.put('a', { answerOf: first, merge: told(value) });
    heardOf(at);
  }
  for (const parts of [dry, { query: { fieldManager: 'alice' } }] as const satisfies readonly StepParts[]) {
    for (const type of patchKinds) {
      const patch = type === 'json' ? [{ op: 'add', path: '/metadata/labels/by', value: type }] : change;
      at.patch('a', type, patch, parts);
      heardOf(at);
    }
    at.apply('a', { ...objectOf(at.kind, 'a'), metadata: { name: objectOf(at.kind, 'a').metadata.name } }, 'bob', {
      query: { ...parts.query, force: 'true' },
    });
    heardOf(at);
    throughDoors(at, parts);
  }
  at.patch('a', 'merge', { metadata: { labels: null, annotations: null } });
  heardOf(at);
  at.patch('a', 'merge', answers({ strict: { allowed: false }, ending: { allowed: false } }));
  heardOf(at);
}

function throughDoors(at: KindStory, parts: StepParts): void {
  for (const { name, verbs } of at.kind.subresources) {
    if (connecting.has(name) || !verbs.includes('patch')) continue;
    at.patch('a', 'merge', changeOf(at, name), parts, name);
    heardOf(at);
    const now = at.get('a', {}, name);
    at.put('a', { answerOf: now, merge: changeOf(at, name) }, parts, name);
    heardOf(at);
  }
}

/** Deletions, one by one and at once, refused and not. */
function deleted(at: KindStory): void {
  const held = { metadata: { finalizers: ['touchstone.example/hold'] } };
  const no = answers({ ending: { allowed: false, status: { code: 423, reason: 'Locked' }, warnings: ['held'] } });
  at.patch('a', 'merge', { metadata: { labels: { app: '<own>' }, annotations: null } });
  at.patch('a', 'merge', no);
  at.delete('a', dry);
  at.delete('a', { body: { json: deleteOptions({ propagationPolicy: 'Orphan', gracePeriodSeconds: 0 }) } });
  const preconditions = { uid: `<${at.get('a')}:metadata.uid>` };
  at.delete('a', { body: { json: deleteOptions({ preconditions }) } });
  heardOf(at);
  at.patch('a', 'merge', merged({ metadata: { annotations: { [answerKey('ending')]: null } } }, held));
  heardOf(at);
  at.delete('a', { query: { propagationPolicy: 'Background' } });
  at.patch('a', 'merge', { metadata: { finalizers: null } });
  heardOf(at);
  for (const word of ['c', 'd']) at.create(objectOf(at.kind, word));
  at.deleteAll({ query: { labelSelector: 'app=<own>', dryRun: 'All' } });
  heardOf(at);
  at.deleteAll({ query: { labelSelector: 'app=<own>' } });
  at.delete('none');
  heardOf(at);
}

/** Configurations that say something else, and are gone. */
function reconfigured(at: KindStory): void {
  for (const isGone of [false, true]) {
    for (const type of ['Mutating', 'Validating'] as const)
      for (const step of reconfiguration(at.kind, type, isGone)) at.story.play(step);
    heardOf(at);
    at.create(objectOf(at.kind, 'e', { hear: 'yes' }));
    at.patch('e', 'merge', { metadata: { labels: { touched: 'yes' } } });
    at.delete('e');
    heardOf(at);
  }
}

/** What webhooks are asked, and what comes of their answers, by every verb. */
export function hookScenario(kind: OracleKind, prepare: readonly Step[]): Scenario {
  const at = new KindStory(new Story(), kind);
  const [before, after] = [mutating(kind), validating(kind)];
  created(at);
  written(at);
  deleted(at);
  at.story.add('get metrics', 'GET', '/metrics');
  reconfigured(at);
  return {
    ...at.story.scenario(`webhooks on ${at.label}`, 'sequences', 2, [
      ...prepare,
      configuration(kind, 'Mutating', before),
      configuration(kind, 'Validating', after),
      ...probes,
    ]),
    hooks: [...Object.keys(before), ...Object.keys(after)],
  };
}
