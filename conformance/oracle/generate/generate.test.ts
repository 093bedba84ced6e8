import { expect, it } from 'vitest';
import type { OracleKind } from '../oracle-kind.ts';
import { neededBy, type Scenario, type Step } from '../play/scenario.ts';
import { trialsOf, valueAt, withValue } from './boundary-values.ts';
import { inShares, interleaved } from './interleave.ts';
import { requestScenarios } from './requests.ts';
import { sequenceScenarios } from './sequences.ts';
import { conversionScenarios } from './tours/conversions.ts';
import { tourScenarios } from './tours/tours.ts';

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

const kind = (resource: string, name: string, namespaced: boolean): OracleKind => ({
  group: '',
  version: 'v1',
  resource,
  kind: name,
  namespaced,
  verbs,
  subresources: [{ name: 'status', verbs: ['get', 'patch', 'update'] }],
});

const kinds = [kind('secrets', 'Secret', true), kind('nodes', 'Node', false)];
/** With those that have tours of their own. */
const every = [
  ...kinds,
  kind('configmaps', 'ConfigMap', true),
  kind('pods', 'Pod', true),
  kind('serviceaccounts', 'ServiceAccount', true),
  kind('certificatesigningrequests', 'CertificateSigningRequest', false),
  kind('customresourcedefinitions', 'CustomResourceDefinition', false),
  kind('roles', 'Role', true),
  kind('resourcequotas', 'ResourceQuota', true),
  kind('limitranges', 'LimitRange', true),
  kind('priorityclasses', 'PriorityClass', false),
  kind('services', 'Service', true),
  kind('flowschemas', 'FlowSchema', false),
];
const some = (seed: number): Scenario[] => [
  ...sequenceScenarios(kinds, seed, 40).take(5),
  ...requestScenarios(kinds, seed).take(5),
];

it('makes the same work of the same seed, and other work of another', () => {
  expect(some(1)).toEqual(some(1));
  expect(some(1)).not.toEqual(some(2));
});

it('makes sequences of at least as many steps as asked', () => {
  for (const { steps } of sequenceScenarios(kinds, 1, 40).take(20)) expect(steps.length).toBeGreaterThanOrEqual(40);
});

it('tries each oddity early on a custom type, too', () => {
  const gauge = { ...kind('gauges', 'Gauge', true), group: 'own.touchstone.example' };
  const names = [...requestScenarios([...every, gauge], 1).take(33)].map(({ name }) => name);
  const sorts = names.filter((name) => name.startsWith('oddities on gauges')).map((name) => name.split(': ')[1]);
  expect(sorts.sort()).toEqual(oddSorts);
});

const oddSorts = [
  ...['JSON texts', 'YAML', 'bodies', 'callers', 'content types', 'forms', 'headers', 'methods', 'parameters'],
  'spellings',
];

it('tries each sort of oddity once, of one kind or another, before any comes again', () => {
  const names = [
    ...requestScenarios(every, 1)
      .map(({ name }) => name)
      .filter((name) => name.startsWith('oddities'))
      .take(oddSorts.length),
  ];
  expect(names.map((name) => name.split(': ')[1]).sort()).toEqual(oddSorts);
});

it('spells numbers, switches and selectors otherwise where they are read', () => {
  const spelled = [...requestScenarios(kinds, 1).take(40)].filter(({ name }) => name.endsWith(': spellings'));
  const asked = spelled.flatMap(({ steps }) => steps.map(({ method, query }) => `${method} ${query}`));
  for (const one of [
    'GET limit=0500&',
    'GET labelSelector=app%3D<own>%00',
    'PATCH force=f&',
    'DELETE orphanDependents=&',
  ])
    expect(
      asked.some((each) => each.startsWith(one)),
      one,
    ).toBe(true);
  for (const one of asked.filter((each) => /^(PATCH|DELETE)/.test(each))) expect(one).toContain('dryRun=All');
});

/** The steps of one tour of Secrets. */
const stepsOf = (tour: string): readonly Step[] =>
  [...tourScenarios([kind('secrets', 'Secret', true)])].find(({ name }) => name === `${tour} of secrets`)?.steps ?? [];

it('deletes again what waits for somebody: rehearsed by each policy, and with what a body hides beside it', () => {
  const removals = stepsOf('deletion').filter(({ method }) => method === 'DELETE');
  const ofOne = removals.filter(({ path }) => path.endsWith('/w2'));
  expect(ofOne.map(({ body }) => body && 'json' in body && Boolean(body.json.dryRun))).toEqual([
    ...[false, true, true, true, true, true, false],
  ]);
  expect(removals.some(({ query, body }) => query === 'dryRun=All' && body && 'text' in body)).toBe(true);
});

it('writes otherwise what is already going, and what nobody may change', () => {
  const written = stepsOf('metadata').filter(({ path, method }) => path.endsWith('/g') && /P(UT|ATCH)/.test(method));
  for (const member of ['deletionTimestamp', 'deletionGracePeriodSeconds', 'creationTimestamp'])
    expect(JSON.stringify(written), member).toContain(member);
});

it('has an entry written into by another before it is given up', () => {
  const steps = [...tourScenarios([kind('pods', 'Pod', true)])].find(({ name }) => name === 'entries given up of pods');
  const writers = (steps?.steps ?? []).map(({ query }) => (query as Record<string, string>)?.['fieldManager']);
  expect(writers.lastIndexOf('dave')).toBeGreaterThan(0);
  expect(writers.slice(writers.lastIndexOf('dave') + 1)).toContain('alice');
});

it('has more managers than are kept apart, of whom the first is the last by its name', () => {
  const steps = stepsOf('managers');
  const zoe = steps.findIndex(({ query }) => (query as Record<string, string>)?.['fieldManager'] === 'zoe');
  expect(steps[zoe + 1]?.later).toBe(true);
});

it('refers only to steps that come before', () => {
  for (const { name, steps, prepare = [], hooks = [] } of [...some(3), ...tourScenarios(every, true)]) {
    const known = new Set(hooks.map((word) => `hook-${word}`));
    for (const step of [...prepare, ...steps]) {
      for (const id of neededBy(step)) expect(known, `${name}, ${step.id}`).toContain(id);
      known.add(step.id);
    }
  }
});

it('never deletes a collection outside of a namespace, not even as a rehearsal', () => {
  const everything = [
    ...sequenceScenarios(kinds, 1, 40).take(100),
    ...requestScenarios(kinds, 1).take(40),
    ...tourScenarios(kinds),
  ];
  const deleted = everything.flatMap(({ steps }) =>
    steps.filter(({ method, path }) => method === 'DELETE' && /\/nodes\/?$/.test(path)),
  );
  expect(deleted).toEqual([]);
});

it('reaches each part of a tour with both scopes', () => {
  const reached = [...tourScenarios(kinds)].flatMap(({ steps }) => steps.map(({ what }) => what));
  for (const what of [
    'create nodes dry',
    'update secrets/status dry',
    'list secrets Table',
    'watch all secrets',
    'delete collection secrets',
  ])
    expect(reached).toContain(what);
});

it('takes each tour once before any comes again', () => {
  const names = [...tourScenarios(every, true)].map(({ name }) => name);
  const first = (tour: string): number => names.findIndex((name) => name.startsWith(`${tour} o`));
  const again = names.findIndex((name, at) => name.startsWith('pages of') && at > first('pages'));
  for (const tour of ['watches', 'rights', 'metadata', 'managers', 'emptied parts', 'bound to versions', 'webhooks']) {
    expect(first(tour), tour).toBeGreaterThan(-1);
    expect(first(tour), tour).toBeLessThan(again);
  }
});

it('tells of webhooks only where they can be heard', () => {
  const hooked = (all: readonly Scenario[]): number => all.filter(({ hooks }) => hooks).length;
  expect(hooked([...tourScenarios(every)])).toBe(0);
  // ConfigMaps once more before the others, and the types of which webhooks know another version.
  expect(hooked([...tourScenarios(every, true)])).toBe(every.length + 1 + conversionScenarios().length);
});

it('puts a value where a field is, and takes a field away', () => {
  const object = { spec: { list: [{ name: 'a', more: 1 }], map: { key: 'v' } } };
  expect(withValue(object, ['spec', 'list', 0, 'more'], 2).spec.list).toEqual([{ name: 'a', more: 2 }]);
  expect(withValue(object, ['spec', 'list', 1, 'more'], 2).spec.list).toEqual([
    { name: 'a', more: 1 },
    { name: 'a-more', more: 2 },
  ]);
  expect(withValue(object, ['spec', 'map', '*'], 7).spec.map).toEqual({ key: 7 });
  expect(withValue(object, ['spec', 'list'], undefined).spec).toEqual({ map: { key: 'v' } });
  expect(valueAt(withValue({}, ['spec', 'other', 0, 'deep'], 'x'), ['spec', 'other', 0, 'deep'])).toBe('x');
  expect(trialsOf({ path: ['a'], type: 'boolean' }).map(({ value }) => value)).toContain(false);
});

it('takes one of each source in turn until all are told out', () => {
  expect([...interleaved([['1', '2', '3'], ['a']])]).toEqual(['1', 'a', '2', '3']);
});

it('tells of all in shares of steps, until all is told', () => {
  const one = { id: 's', what: 'get', method: 'GET', path: '/' };
  const told = (name: string, ...lengths: number[]): Scenario[] =>
    lengths.map((length) => ({ name, generator: 'test', namespaces: 0, steps: Array.from({ length }, () => one) }));
  const shares = [
    { share: 2, scenarios: told('most', 4, 4, 4, 4) },
    { share: 1, scenarios: told('less', 4, 2, 2) },
  ];
  expect([...inShares(shares)].map(({ name }) => name).join(' ')).toBe('most less most most less most less');
});

it('looks at each kind and at what is about no kind before it takes any tour through all of them', () => {
  const names = [...tourScenarios(every, true)].map(({ name }) => name);
  const late = names.findIndex((name) => name.startsWith('versions of') || name === 'states of secrets');
  for (const { resource } of every) expect(names.indexOf(`oddities of ${resource}`), resource).toBeLessThan(late);
  for (const name of ['giving rights', 'a type of formats', 'status of secrets', 'quotas', 'states of pods']) {
    expect(names, name).toContain(name);
    expect(names.indexOf(name), name).toBeLessThan(late);
  }
});

it('tries the entries of lists in another order, and one of them twice', () => {
  const values = trialsOf({ path: ['a'], type: 'array' }, ['b', 'a']).map(({ value }) => value);
  expect(values).toContainEqual(['a', 'b']);
  expect(values).toContainEqual(['b', 'a', 'b']);
});

it('chooses by several fields, by labels without a value, and page by page', () => {
  const queries = [...tourScenarios([kind('secrets', 'Secret', true)])].flatMap(({ name, steps }) =>
    /^(selections|pages) of/.test(name) ? steps.map(({ query }) => query as Record<string, string> | undefined) : [],
  );
  expect(queries.some((query) => /,metadata\.name/.test(query?.['fieldSelector'] ?? ''))).toBe(true);
  expect(queries.some((query) => query?.['labelSelector'] === 'app=<own>,empty')).toBe(true);
  expect(queries.some((query) => query?.['fieldSelector'] && query['continue'])).toBe(true);
});

it('tries each way that leads to what runs, by whatever it may be named', () => {
  const proxied = { ...kind('services', 'Service', true), subresources: [{ name: 'proxy', verbs: ['create', 'get'] }] };
  const paths = [...tourScenarios([proxied])]
    .filter(({ name }) => name === 'connections of services')
    .flatMap(({ steps }) => steps.map(({ path }) => path.replace(/.*services/, '')));
  for (const path of ['/a/proxy', '/a/proxy/', '/a/proxy/some/path', '/https:a:http/proxy'])
    expect(paths).toContain(path);
});

it('binds each Pod by its own name', () => {
  const bindings = [...tourScenarios([kind('pods', 'Pod', true)])]
    .filter(({ name }) => name.startsWith('binding'))
    .flatMap(({ steps }) => steps.filter(({ path }) => path.endsWith('/binding')));
  const named = bindings.map(({ path, body }) => [
    path.split('/').at(-2),
    body && 'json' in body && body.json.metadata.name,
  ]);
  for (const pod of ['a', 'c', 'd']) expect(named).toContainEqual([pod, pod]);
});

it('reads an object itself where a subresource can only be written', () => {
  const finalized = {
    ...kind('namespaces', 'Namespace', false),
    subresources: [{ name: 'finalize', verbs: ['update'] }],
  };
  const [door] = [...tourScenarios([finalized])].filter(({ name }) => name.startsWith('finalize of'));
  const { steps = [] } = door ?? {};
  const update = steps.find(({ method }) => method === 'PUT');
  const base = update?.body && 'answerOf' in update.body ? update.body.answerOf : '';
  expect(steps.find(({ id }) => id === base)?.path).toMatch(/\/namespaces\/<own>-a$/);
});

it('waits for what the server itself writes of a type, and for the end of one that was deleted', () => {
  const types = [kind('customresourcedefinitions', 'CustomResourceDefinition', false)];
  const [life] = [...tourScenarios(types)].filter(({ name }) => name.startsWith('a life of'));
  const { steps = [] } = life ?? {};
  for (const [at, { method, query }] of steps.entries())
    if (method === 'DELETE' && !JSON.stringify(query ?? '').includes('dryRun'))
      expect(steps[at + 1]?.awaitsRest?.finalizer).toBe('customresourcecleanup.apiextensions.k8s.io');
});

it('updates what it made of what the server itself has written of it since', () => {
  const types = [kind('customresourcedefinitions', 'CustomResourceDefinition', false)];
  const [odd] = [...tourScenarios(types)].filter(({ name }) => name.startsWith('metadata of'));
  const { steps = [] } = odd ?? {};
  const bases = steps.flatMap(({ body }) => (body && 'answerOf' in body ? [body.answerOf] : []));
  expect(bases.length).toBeGreaterThan(20);
  for (const base of bases) expect(steps.find(({ id }) => id === base)?.method).toBe('GET');
});

it('says a member twice by each way to write, and in YAML', () => {
  const [checks] = [...tourScenarios([kind('secrets', 'Secret', true)])].filter(({ name }) =>
    name.startsWith('unknown'),
  );
  const ways = (checks?.steps ?? []).flatMap(({ method, headers, body }) =>
    body && 'text' in body && body.text.split('"annotations"').length > 2
      ? [`${method} ${String(headers?.['content-type'] ?? '').replace(/^application\//, '')}`]
      : [],
  );
  expect([...new Set(ways)].sort()).toEqual([
    ...['PATCH apply-patch+yaml', 'PATCH merge-patch+json', 'PATCH strategic-merge-patch+json'],
    ...['POST ', 'POST yaml', 'PUT ', 'PUT yaml'],
  ]);
});

it('takes back what it told through a subresource, and lets each keep what others tell', () => {
  const [door] = [...tourScenarios([kind('nodes', 'Node', false)])].filter(({ name }) => name.startsWith('status of'));
  const merges = (door?.steps ?? []).flatMap(({ path, body }) =>
    path.endsWith('/status') && body && 'answerOf' in body ? [JSON.stringify(body.merge)] : [],
  );
  expect(merges.at(-1)).toBe('{"metadata":{"resourceVersion":null}}');
  expect(merges).toContain('{"spec":null}');
});

it('tries each right to update on what the server would take', () => {
  const [told] = [...tourScenarios([kind('secrets', 'Secret', true)])].filter(({ name }) =>
    name.startsWith('rights of'),
  );
  const updates = (told?.steps ?? []).filter(({ method, path }) => method === 'PUT' && path.endsWith('/secrets/a'));
  expect(updates.length).toBeGreaterThan(5);
  const made = told?.steps.find(({ method }) => method === 'POST')?.id;
  for (const { body } of updates) expect(body).toMatchObject({ answerOf: made });
});

it('reads a stream to what is the last that it is told', () => {
  for (const { name, steps } of [...tourScenarios(kinds)].filter(({ name: each }) => /watches of/.test(each))) {
    const made = steps.flatMap(({ method, path, body }) =>
      method === 'POST' && body && 'json' in body && !path.endsWith('/namespaces')
        ? [{ word: String(body.json.metadata.name), place: path }]
        : [],
    );
    const marks = steps.flatMap(({ watch, query }) =>
      watch?.until ? [{ until: watch.until, chosen: JSON.stringify(query) }] : [],
    );
    for (const { until, chosen } of marks) {
      const seen = made.filter(({ place }) => !chosen.includes('namespace!=<own>-1') || !place.includes('<own>-1/'));
      expect(
        seen.findIndex(({ word }) => word.endsWith(until)),
        `${name} ${chosen}`,
      ).toBe(seen.length - 1);
    }
  }
});

it('takes one object away at a time while streams are read', () => {
  const all = [...tourScenarios(kinds)].filter(({ name }) => /^watches of/.test(name));
  const taken = all.flatMap(({ steps }) => steps.filter(({ what }) => what.startsWith('delete collection')));
  expect(taken.length).toBeGreaterThan(0);
  for (const { query } of taken) expect(JSON.stringify(query)).toContain('metadata.name=');
});

it('has every demand of a type at every place', () => {
  const types = [kind('customresourcedefinitions', 'CustomResourceDefinition', false)];
  const [placed] = [...tourScenarios(types)].filter(({ name }) => name === 'a type of demands at every place');
  const text = JSON.stringify(placed?.steps[0]?.body);
  for (const demand of ['x-kubernetes-list-type":"set', 'nullable":true,"default', 'maxProperties', 'multipleOf'])
    expect(text.split(demand).length - 1, demand).toBeGreaterThanOrEqual(4);
});

it('asks in each form for what is chosen, of which moment, and by whom', () => {
  const [asked] = [...tourScenarios([kind('secrets', 'Secret', true)])].filter(({ name }) =>
    name.startsWith('choices in'),
  );
  const listed = (asked?.steps ?? []).filter(({ what }) => what.startsWith('list'));
  for (const form of ['as=Table', 'as=PartialObjectMetadataList', 'protobuf', 'yaml']) {
    const text = JSON.stringify(listed.filter(({ headers }) => String(headers?.['accept']).includes(form)));
    for (const word of ['fieldSelector', 'NotOlderThan', 'Exact', 'continue', '99999999999', 'impersonate-user'])
      expect(text, `${form} ${word}`).toContain(word);
  }
});

it('looks early at the second version of a custom type, which is asked for what the other has', () => {
  const gauge = { ...kind('gauges', 'Gauge', true), group: 'own.touchstone.example' };
  const all = [...tourScenarios([...every, gauge, { ...gauge, version: 'v1beta1' }], true)];
  const names = all.map(({ name }) => name);
  const late = names.findIndex((name) => name.startsWith('entries given up') && name.endsWith('nodes'));
  for (const tour of ['pages', 'chosen watches', 'applied by several', 'unknown fields', 'choices in forms'])
    expect(names.indexOf(`${tour} of gauges.v1beta1.custom`), tour).toBeLessThan(late);
  const between = all.find(({ name }) => name === 'versions of gauges.v1beta1.custom and gauges.v1.custom');
  for (const version of ['v1', 'v1beta1'])
    expect(between?.steps.some(({ path, watch }) => watch && path.includes(`/${version}/`))).toBe(true);
});

it('has managers with times of long ago, who are written over through each door', () => {
  const [told] = [...tourScenarios([kind('nodes', 'Node', false)])].filter(({ name }) => name.startsWith('owners of'));
  const { steps = [] } = told ?? {};
  expect(JSON.stringify(steps.find(({ method }) => method === 'PUT')?.body)).toContain('2021-02-03T04:05:06Z');
  const writers = steps.flatMap(({ path, query }) =>
    path.endsWith('/status') && query ? [(query as Record<string, string>)['fieldManager']] : [],
  );
  expect([...new Set(writers)]).toEqual(['status-one', 'status-two', 'status-three', 'status-four']);
});

it('writes a kind by another version than the one its webhooks know', () => {
  const [types] = [...tourScenarios(every, true)].filter(
    ({ name }) => name === 'webhooks of another version of things',
  );
  const told = JSON.stringify(types?.prepare);
  expect(told).toContain('"apiVersions":["v1"]');
  const written = (types?.steps ?? []).filter(({ method }) => method === 'POST');
  expect(written.length).toBeGreaterThan(20);
  for (const { path } of written) expect(path).toMatch(/\/v2\/.*things$/);
});
