import { describe, expect, it } from 'vitest';
import type { Json } from '../../verbs/client.ts';
import { fieldOf } from '../../verbs/protobuf.ts';
import type { Observation } from '../play/observation.ts';
import type { Scenario, Step } from '../play/scenario.ts';
import { differencesOf } from './differ.ts';
import { normalsOf } from './normal.ts';

const step = (id: string, path = '/api/v1/namespaces/<own>-1/secrets', more: Partial<Step> = {}): Step => ({
  id,
  what: 'get secrets',
  method: 'GET',
  path,
  ...more,
});

const begun = Date.parse('2024-05-06T07:08:09Z');

const seen = (one: Step, body: Json, more: Partial<Observation> = {}): Observation => ({
  step: one,
  at: begun,
  status: 200,
  headers: { 'content-type': 'application/json' },
  warnings: [],
  bytes: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  ...more,
});

const scenarioOf = (steps: readonly Step[]): Scenario => ({ name: 'some', generator: 'test', namespaces: 1, steps });

/** What differs between two answers to the same steps, given as they came. */
function differs(
  one: readonly Observation[],
  other: readonly Observation[],
  owns = ['tabc00001', 'tabc00001'],
): string[] {
  const scenario = scenarioOf(one.map((observation) => observation.step));
  const [left = [], right = []] = [one, other].map((observations, at) =>
    normalsOf({ own: owns[at] as string, begun, sent: [JSON.stringify(scenario.steps)], observations }),
  );
  return left.flatMap((normal, at) => differencesOf(normal, right[at] as never).map((difference) => difference.at));
}

const uidOf = (digit: string): string => `${digit.repeat(8)}-1111-4111-8111-111111111111`;

const object = (uid: string, version: string, more: Json = {}): Json => ({
  kind: 'Secret',
  metadata: { name: 'a', uid, resourceVersion: version, creationTimestamp: '2024-05-06T07:08:10Z' },
  ...more,
});

describe('answers of two servers', () => {
  const [first, second] = [step('s1'), step('s2')];

  it('are the same but for uids, versions, near times and the words of the play', () => {
    const one = [seen(first, object(uidOf('a'), '17', { at: 'tabc00001-1' }))];
    const other = [seen(first, object(uidOf('b'), '904', { at: 'txyz00009-1' }))];
    expect(differs(one, other, ['tabc00001', 'txyz00009'])).toEqual([]);
  });

  it('are the same but for addresses from a pool, though one stands in what was sent, as the beginning of another', () => {
    const sent = step('s1', undefined, { body: { json: { spec: { externalIPs: ['10.0.0.240'] } } } });
    const at = (clusterIP: string) => [seen(sent, object(uidOf('a'), '17', { spec: { clusterIP } }))];
    expect(differs(at('10.0.0.24'), at('10.0.0.7'))).toEqual([]);
    expect(differs(at('10.0.0.240'), at('10.0.0.7'))).toEqual(['spec.clusterIP']);
  });

  it('are the same wherever a server takes itself to be', () => {
    const at = (serverAddress: string) => [
      seen(first, { kind: 'APIVersions', serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }] }),
    ];
    expect(differs(at('127.0.0.1:6443'), at('172.18.0.2:6443'))).toEqual([]);
    expect(differs(at('127.0.0.1:6443'), at('none'))).toEqual(['serverAddressByClientCIDRs[].serverAddress']);
  });

  it('are the same though rules that are played beside have types on one of them alone', () => {
    const wide = step('s1', '/apis', { body: { json: { group: 'own.touchstone.example, and touchstone.example' } } });
    const at = (...names: string[]) => [seen(wide, { groups: names.map((name) => ({ name })) })];
    expect(differs(at('apps', 'touchstone.example'), at('apps'))).toEqual([]);
    expect(differs(at('apps', 'own.touchstone.example'), at('apps'))).toEqual(['groups.length']);
  });

  it('may end a second apart, however late that is, and not an hour', () => {
    const ending = (time: string): Observation[] => [seen(first, { status: { expirationTimestamp: time } })];
    expect(differs(ending('2160-05-06T07:08:09Z'), ending('2160-05-06T07:08:10Z'))).toEqual([]);
    expect(differs(ending('2160-05-06T07:08:09Z'), ending('2160-05-06T08:08:09Z'))).toEqual([
      'status.expirationTimestamp',
    ]);
  });

  it('differ when a version stays on one and moves on the other', () => {
    const stays = [seen(first, object(uidOf('a'), '17')), seen(second, object(uidOf('a'), '17'))];
    const moves = [seen(first, object(uidOf('b'), '4')), seen(second, object(uidOf('b'), '5'))];
    expect(differs(stays, moves)).toEqual(['metadata.resourceVersion']);
  });

  it('differ when an object is another one on one of them', () => {
    const same = [seen(first, object(uidOf('a'), '17')), seen(second, object(uidOf('a'), '18'))];
    const renewed = [seen(first, object(uidOf('b'), '4')), seen(second, object(uidOf('c'), '5'))];
    expect(differs(same, renewed)).toEqual(['metadata.uid']);
  });

  it('differ by moments that are not near, and by how fine they are', () => {
    const at = (time: string): Observation[] => [seen(first, { spec: { time } })];
    expect(differs(at('2024-05-06T07:08:10Z'), at('2024-05-06T07:08:12Z'))).toEqual([]);
    expect(differs(at('2024-05-06T07:08:10Z'), at('2024-05-06T07:09:10Z'))).toEqual(['spec.time']);
    expect(differs(at('2024-05-06T07:08:10Z'), at('2024-05-06T07:08:10.000001Z'))).toEqual(['spec.time']);
    expect(differs(at('1999-05-06T07:08:10Z'), at('1999-05-06T07:08:11Z'))).toEqual(['spec.time']);
  });

  it('may word their messages as they like, but not leave them out', () => {
    const failure = (message: Json): Observation[] => [seen(first, { kind: 'Status', reason: 'NotFound', message })];
    expect(differs(failure('there is none'), failure('not found'))).toEqual([]);
    expect(differs(failure('there is none'), failure(undefined))).toEqual(['message']);
    const review = (error: Json): Observation[] => [seen(first, { kind: 'TokenReview', status: { error } })];
    expect(differs(review('unknown token'), review('[invalid bearer token, none is known]'))).toEqual([]);
    expect(differs(review('unknown token'), review(undefined))).toEqual(['status.error']);
  });

  it('name the same causes, in any order and any number of times', () => {
    const causes = (...fields: string[]): Observation[] => [
      seen(first, { details: { causes: fields.map((field) => ({ field, reason: 'Bad', message: field.repeat(2) })) } }),
    ];
    expect(differs(causes('a', 'b', 'a'), causes('b', 'a'))).toEqual([]);
    expect(differs(causes('a'), causes('c'))).toEqual(['details.causes[].field']);
  });

  it('differ by status before all else, and by headers that clients act on', () => {
    expect(differs([seen(first, {}, { status: 201 })], [seen(first, { more: 1 })])).toEqual(['status']);
    const warned = [seen(first, {}, { warnings: ['299 - "a"', '299 - "b"'] })];
    expect(differs(warned, [seen(first, {})])).toEqual(['header warnings']);
    expect(differs(warned, [seen(first, {}, { warnings: ['299 - "c"', '299 - "d"'] })])).toEqual([]);
  });

  it('hold what is not of the play where a list reaches everything', () => {
    const everywhere = step('s1', '/api/v1/secrets');
    const item = (namespace: string): Json => ({ metadata: { name: 'a', namespace } });
    const list = (...items: Json[]): Observation[] => [
      seen(everywhere, { kind: 'SecretList', metadata: { remainingItemCount: items.length }, items }),
    ];
    expect(differs(list(item('tabc00001-1'), item('other')), list(item('tabc00001-1')))).toEqual([]);
    expect(differs(list(item('tabc00001-1')), list(item('other')))).toEqual(['items.length']);
  });

  it('tell of a watch the same events, bookmarks aside', () => {
    const watch = step('s1', '/api/v1/namespaces/<own>-1/secrets', { watch: {} });
    const event = (type: string, name: string): string =>
      JSON.stringify({ type, object: { metadata: { name, namespace: 'tabc00001-1' } } });
    const told = (...events: string[]): Observation[] => [seen(watch, `${events.join('\n')}\n`)];
    expect(differs(told(event('ADDED', 'a'), event('BOOKMARK', '')), told(event('ADDED', 'a')))).toEqual([]);
    expect(differs(told(event('ADDED', 'a'), event('DELETED', 'a')), told(event('ADDED', 'a')))).toEqual([
      'events.length',
    ]);
  });

  it('tell of a watch nothing behind the event that is its last, nor whether it ends', () => {
    const watch = step('s1', '/apis/<own>.example/v1/things', { watch: { last: 'DELETED' } });
    const event = (type: string): string =>
      JSON.stringify({ type, object: { metadata: { namespace: 'tabc00001-1' } } });
    const told = (ended: boolean, ...types: string[]): Observation[] => [
      seen(watch, `${types.map(event).join('\n')}\n`, { ended }),
    ];
    const whole = told(true, 'ADDED', 'DELETED');
    expect(differs(whole, told(false, 'ADDED', 'DELETED', 'ADDED'))).toEqual([]);
    expect(differs(whole, told(false, 'ADDED', 'MODIFIED', 'DELETED'))).toEqual(['events.length']);
    expect(differs(whole, told(true, 'ADDED', 'MODIFIED'))).toEqual(['events[].type', 'ended']);
  });

  it('may make up suffixes, ports and addresses that nobody asked for', () => {
    const made = (name: string): Observation[] => [
      seen(
        { ...first, body: { json: { metadata: { generateName: 'made-' } } } },
        { metadata: { generateName: 'made-', name } },
      ),
    ];
    expect(differs(made('made-x1y2z'), made('made-a9b8c'))).toEqual([]);
    const service = (clusterIP: string, nodePort: number): Observation[] => [
      seen(first, { spec: { clusterIP, ports: [{ nodePort }] } }),
    ];
    expect(differs(service('10.0.0.7', 30007), service('10.0.0.9', 31000))).toEqual([]);
    expect(differs(service('None', 30007), service('10.0.0.9', 31000))).toEqual(['spec.clusterIP']);
  });

  it('may be named by a uid that nobody asked for', () => {
    const named = (name: string): Observation[] => [seen(first, { metadata: { name } })];
    expect(differs(named(uidOf('a')), named(uidOf('b')))).toEqual([]);
    expect(differs(named(uidOf('a')), named('plain'))).toEqual(['metadata.name']);
  });

  it('may have uids in keys, each of its own object', () => {
    const managed = (uid: string, owner: string): Observation[] => [
      seen(first, object(uid, '17')),
      seen(second, { metadata: { managedFields: [{ fieldsV1: { [`k:{"uid":"${owner}"}`]: {} } }] } }),
    ];
    const [a, b, c] = ['a', 'b', 'c'].map(uidOf) as [string, string, string];
    expect(differs(managed(a, a), managed(b, b))).toEqual([]);
    expect(differs(managed(a, a), managed(b, c))).not.toEqual([]);
  });

  it('tell of groups and paths without custom ones, which others may have made', () => {
    const groups = (...names: string[]): Observation[] => [
      seen(step('s1', '/apis'), { kind: 'APIGroupList', groups: names.map((name) => ({ name })) }),
    ];
    expect(differs(groups('apps', 'x1.example'), groups('apps', 'x2.example', 'x3.example'))).toEqual([]);
    expect(differs(groups('apps', 'batch'), groups('apps'))).toEqual(['groups.length']);
    const paths = (...all: string[]): Observation[] => [seen(step('s1', '/'), { paths: all })];
    expect(differs(paths('/api', '/apis/x1.example/v1'), paths('/api'))).toEqual([]);
    const documents = (...all: string[]): Observation[] => [
      seen(step('s1', '/openapi/v3'), { paths: Object.fromEntries(all.map((path) => [path, {}])) }),
    ];
    expect(differs(documents('apis/apps/v1', 'apis/x1.example/v1'), documents('apis/apps/v1'))).toEqual([]);
  });

  it('may be further apart in time when one play took longer', () => {
    const at = (seconds: number) => ({ status: 200, headers: {}, body: { $seconds: seconds, $digits: 0 } });
    expect(differencesOf(at(40), at(60))).toHaveLength(1);
    expect(differencesOf(at(40), at(60), 10)).toEqual([]);
  });
});

it('takes no member order for a difference, nor what a column is said to be about', () => {
  const entries = [
    { manager: 'b', operation: 'Update', fieldsV1: { 'f:a': {} } },
    { manager: 'a', operation: 'Update', fieldsV1: { 'f:b': {} } },
  ];
  const turned = entries.map((entry) => Object.fromEntries(Object.entries(entry).reverse())).reverse();
  const one = [seen(step('s1'), { metadata: { managedFields: entries } })];
  expect(differs(one, [seen(step('s1'), { metadata: { managedFields: turned } })])).toEqual([]);
  const table = (description: string) => [seen(step('s1'), { columnDefinitions: [{ name: 'Name', description }] })];
  expect(differs(table(''), table('Who it is.'))).toEqual([]);
});

it('compares protobuf of servers that write what is empty with that of servers that do not', () => {
  const normal = (wire: Json) => ({ status: 200, headers: {}, body: { kind: 'Secret', wire } });
  const sparse = { 1: [{ 1: ['a'] }], 3: ['x'] };
  const full = { 1: [{ 1: ['a'], 2: [''], 4: [''] }], 2: [''], 3: ['x'] };
  expect(differencesOf(normal(sparse), normal(full))).toEqual([]);
  expect(differencesOf(normal(sparse), normal({ ...full, 3: ['y'] }))).toHaveLength(1);
  // Of two that write alike, what is empty counts.
  expect(differencesOf(normal(sparse), normal({ ...sparse, 2: [''] }))).toHaveLength(1);
  expect(differencesOf(normal(full), normal({ ...full, 2: undefined }))).toHaveLength(1);
});

it('does not see what controllers put into every namespace, in a list in any form or a stream', () => {
  const inBytes = (...names: readonly string[]): Buffer => {
    const items = names.map((name) => fieldOf(2, fieldOf(1, fieldOf(1, name))));
    const type = Buffer.concat([fieldOf(1, 'v1'), fieldOf(2, 'ServiceAccountList')]);
    return Buffer.concat([Buffer.from('k8s\0'), fieldOf(1, type), fieldOf(2, Buffer.concat(items))]);
  };
  const protobuf = { headers: { 'content-type': 'application/vnd.kubernetes.protobuf' } };
  const added = (name: string) => ({ type: 'ADDED', object: { metadata: { name, namespace: 'tabc00001-1' } } });
  const forms = {
    json: (...names: readonly string[]) =>
      seen(step('s1'), { kind: 'ServiceAccountList', items: names.map((name) => ({ metadata: { name } })) }),
    protobuf: (...names: readonly string[]) => seen(step('s1'), '', { ...protobuf, bytes: inBytes(...names) }),
    stream: (...names: readonly string[]) =>
      seen(
        step('s1', undefined, { watch: {} }),
        names
          .map(added)
          .map((event) => `${JSON.stringify(event)}\n`)
          .join(''),
      ),
  };
  for (const [form, list] of Object.entries(forms)) {
    expect(differs([list('default', 'a')], [list('a')]), form).toEqual([]);
    expect(differs([list('other', 'a')], [list('a')]), form).not.toEqual([]);
  }
});

describe('what may come from a cache', () => {
  const item = (name: string) => ({ metadata: { name, namespace: 'tabc00001-1' } });
  const list = (query: Record<string, string>, ...names: string[]) => [
    seen(step('s1', undefined, { query }), { kind: 'SecretList', items: names.map(item) }),
  ];

  it.each([
    [{ resourceVersion: '0' }, true],
    [{ resourceVersion: '7', resourceVersionMatch: 'NotOlderThan' }, true],
    [{ resourceVersion: '7', resourceVersionMatch: 'Exact' }, false],
    [{}, false],
  ])('a list by %j comes in any order: %s', (query, isAlike) => {
    const differences = differs(list(query, 'a', 'b'), list(query, 'b', 'a'));
    expect(differences.length === 0).toBe(isAlike);
  });

  const watch = (resourceVersion: string, ...names: string[]) => {
    const lines = names.map((name, at) => {
      const object = { metadata: { ...item(name).metadata, labels: { at: `${name}${names.indexOf(name) === at}` } } };
      return JSON.stringify({ type: 'ADDED', object });
    });
    return [seen(step('s1', undefined, { watch: {}, query: { resourceVersion } }), lines.join('\n'))];
  };

  it('shows what is there in any order, but each object in its own', () => {
    expect(differs(watch('0', 'a', 'b', 'a'), watch('0', 'b', 'a', 'a'))).toEqual([]);
    expect(differs(watch('7', 'a', 'b'), watch('7', 'b', 'a'))).not.toEqual([]);
    expect(differs(watch('0', 'a', 'a', 'b'), watch('0', 'a', 'b', 'b'))).not.toEqual([]);
  });

  it('shows the rows of a Table in any order too', () => {
    const tables = (...names: string[]) => {
      const row = (name: string) => ({ cells: [name], object: item(name) });
      const events = names.map((name) => ({
        type: 'ADDED',
        object: { kind: 'Table', metadata: {}, rows: [row(name)] },
      }));
      const begin = step('s1', undefined, { watch: {}, query: { resourceVersion: '0' } });
      return [seen(begin, events.map((event) => JSON.stringify(event)).join('\n'))];
    };
    expect(differs(tables('a', 'b'), tables('b', 'a'))).toEqual([]);
    expect(differs(tables('a', 'b'), tables('a', 'c'))).not.toEqual([]);
  });
});

it('takes the resources of a group in any order, but each as often as it is told', () => {
  const group = (...names: string[]) => [seen(step('s1'), { resources: names.map((name) => ({ name })) })];
  expect(differs(group('notes', 'gauges'), group('gauges', 'notes'))).toEqual([]);
  expect(differs(group('notes', 'gauges', 'notes'), group('gauges', 'notes'))).not.toEqual([]);
});

it('reads YAML as those do to whom a bare yes is no text', () => {
  const yaml = (text: string) => [seen(step('s1'), text, { headers: { 'content-type': 'application/yaml' } })];
  expect(differs(yaml('a: "yes"\nb: "1:30"'), yaml("b: '1:30'\na: 'yes'"))).toEqual([]);
  expect(differs(yaml('a: yes'), yaml('a: "yes"'))).toEqual(['a']);
});

describe('schemas of types', () => {
  const schema = (group: string, kind: string): Json => ({
    [`${kind}`]: { type: 'object', 'x-kubernetes-group-version-kind': [{ group, version: 'v1', kind }] },
  });
  const published = (...definitions: readonly Json[]): Json => ({
    swagger: '2.0',
    paths: { '/apis/apps/v1/deployments': {}, '/apis/mine.example/v1/things': {} },
    definitions: Object.assign({}, ...definitions),
  });
  const told = step('s1', '/apis/mine.example/v1');
  const all = step('s2', '/openapi/v2');
  const asked = (definitions: readonly Json[]): Observation[] => [seen(told, {}), seen(all, published(...definitions))];
  const mine = schema('mine.example', 'Thing');

  it('are compared where all are told, if the play speaks of them', () => {
    expect(differs(asked([mine]), asked([]))).toEqual(['definitions.Thing']);
  });

  it('are not compared where they are of others, or tell of themselves elsewhere', () => {
    const theirs = [schema('others.example', 'Other'), schema('apps', 'Deployment')];
    expect(differs(asked([mine, ...theirs]), asked([mine]))).toEqual([]);
  });
});

describe('headers', () => {
  const answered = (headers: Record<string, string>) => [
    seen(step('s1'), {}, { headers: { 'content-type': 'application/json', ...headers } }),
  ];

  it('count where they say how an answer is packed', () => {
    expect(differs(answered({ 'content-encoding': 'gzip' }), answered({}))).toEqual(['header content-encoding']);
  });

  it('name a request as it was told to be called, or by a name of their own', () => {
    const named = (id: string) => answered({ 'audit-id': id });
    expect(differs(named('one'), named('other'))).toEqual([]);
    expect(differs(named('tabc00001-audit'), named('other'))).toEqual(['header audit-id']);
    expect(differs(named('one'), answered({}))).toEqual(['header audit-id']);
  });
});

describe('metrics', () => {
  const counted = (...lines: readonly string[]) => [
    seen(step('s1', '/metrics'), ['# HELP some', ...lines].join('\n'), { headers: { 'content-type': 'text/plain' } }),
  ];
  const line = (name: string, code: string, count = 1): string =>
    `apiserver_admission_webhook_rejection_count{rejection_code="${code}",name="${name}"} ${count}`;

  it('are compared where they are of the play, in whatever order', () => {
    const one = counted(line('a.tabc00001', '400'), line('b.tabc00001', '400'), 'other_total 7');
    expect(
      differs(one, counted(line('b.tabc00001', '400'), line('c.others', '403'), line('a.tabc00001', '400'))),
    ).toEqual([]);
    expect(differs(counted(line('a.tabc00001', '600')), counted(line('a.tabc00001', '700')))).not.toEqual([]);
    expect(differs(counted(line('a.tabc00001', '600', 2)), counted(line('a.tabc00001', '600')))).not.toEqual([]);
  });
});

it('tells which kinds have the same hash of their store and which ports are the same, whatever they are', () => {
  const one = step('s1');
  const two = step('s2');
  const stored = (...hashes: readonly string[]): Observation[] =>
    [one, two].map((which, at) => seen(which, { resources: [{ name: 'things', storageVersionHash: hashes[at] }] }));
  expect(differs(stored('aa', 'aa'), stored('bb', 'bb'))).toEqual([]);
  expect(differs(stored('aa', 'cc'), stored('bb', 'bb'))).toEqual(['resources[].storageVersionHash']);
  const ports = (...numbers: readonly number[]): Observation[] => [
    seen(one, { spec: { ports: numbers.map((nodePort) => ({ nodePort })) } }),
  ];
  expect(differs(ports(30_001, 30_001), ports(30_002, 30_002))).toEqual([]);
  expect(differs(ports(30_001, 30_003), ports(30_002, 30_002))).toEqual(['spec.ports[].nodePort']);
  const behind = (port: number): Observation[] => [seen(one, { spec: { service: { port } } })];
  expect(differs(behind(40_001), behind(40_002))).toEqual([]);
  expect(differs(behind(443), behind(444))).toEqual(['spec.service.port']);
  const body = { text: '{"port":40001}' };
  const said = (port: number): Observation[] => [seen({ ...one, body }, { spec: { service: { port } } })];
  expect(differs(said(40_001), said(40_002))).toEqual(['spec.service.port']);
});

it('tells which flow a request was let in by where the play has made it', () => {
  const uid = (digit: number): string => `00000000-1111-2222-3333-44444444444${digit}`;
  const by = (flow: number): Observation[] => [
    seen(step('s1'), { metadata: { uid: uid(1) } }),
    seen(step('s2'), {}, { headers: { 'x-kubernetes-pf-flowschema-uid': uid(flow) } }),
  ];
  expect(differs(by(2), by(3))).toEqual([]);
  expect(differs(by(1), by(3))).toEqual(['header x-kubernetes-pf-flowschema-uid']);
});

it('tells where an old address leads, but for the hash that it has now', () => {
  const one = step('s1', '/openapi/v3/apis/apps/v1');
  const moved = (to: string): Observation[] => [
    seen(one, `<a href="${to}">Moved Permanently</a>.`, { headers: { location: to }, status: 301 }),
  ];
  const [first, second] = ['0123456789ABCDEF', 'FEDCBA9876543210'].map(
    (hash) => `/openapi/v3/apis/apps/v1?hash=${hash}`,
  );
  expect(differs(moved(first as string), moved(second as string))).toEqual([]);
  expect(differs(moved(first as string), moved('/openapi/v3'))).toEqual(['header location', 'text']);
});

it('takes it for no difference who holds the time of what a server tells twice of a type that ends', () => {
  const held = (type: string, members: Json): Observation[] => [
    seen(step('s1'), { metadata: { managedFields: [{ fieldsV1: { [`k:{"type":"${type}"}`]: members } }] } }),
  ];
  const time = { 'f:lastTransitionTime': {} };
  expect(differs(held('Terminating', { 'f:reason': {}, ...time }), held('Terminating', { 'f:reason': {} }))).toEqual(
    [],
  );
  expect(differs(held('Terminating', { 'f:reason': {}, ...time }), held('Terminating', time))).toHaveLength(1);
  expect(differs(held('Ready', { 'f:reason': {}, ...time }), held('Ready', { 'f:reason': {} }))).toHaveLength(1);
});
