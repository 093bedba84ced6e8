import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configMap, configMaps, startTestServer, type TestServer } from '../test-server.fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await server.post(configMaps, configMap('there', { a: '1' }));
});
afterAll(() => server.stop());

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const metadata = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';
const pods = '/api/v1/namespaces/default/pods';

describe('what is wrong with a request is told in this order', () => {
  it.each([
    ['the form', 'GET', `${configMaps}/..`, { accept: 'application/json;as=Nope;v=v1;g=meta.k8s.io' }, undefined, 406],
    ['the options', 'DELETE', `${configMaps}/..?dryRun=x`, {}, undefined, 422],
    ['the body', 'PUT', `${configMaps}/..`, {}, {}, 400],
    ['the name', 'DELETE', `${configMaps}/..`, {}, undefined, 400],
    ['the name below which something is asked for', 'GET', `${pods}/../status`, {}, undefined, 400],
  ])('%s', async (_what, method, path, headers, body, code) => {
    // Clients take `..` away from a path.
    const text = body ? JSON.stringify(body) : '';
    const lines = Object.entries({
      host: 'localhost',
      authorization: `Bearer ${server.adminToken}`,
      connection: 'close',
      ...(text && { 'content-type': 'application/json', 'content-length': String(text.length) }),
      ...headers,
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    const answer = await server.send(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${code} `));
  });
});

describe('the form of an answer', () => {
  it.each([
    ['metadata of one object is none of what a collection was', 'DELETE', `${configMaps}?dryRun=All`, metadata, 406],
    ['events are not streamed as YAML', 'GET', `${configMaps}?watch=1`, 'application/yaml', 406],
    ['what a pod is debugged by has no columns', 'GET', `${pods}/p/ephemeralcontainers`, table, 406],
    [
      'what was approved of a request has no columns',
      'GET',
      '/apis/certificates.k8s.io/v1/certificatesigningrequests/x/approval',
      table,
      406,
    ],
    ['a document is not looked at but as what it is', 'GET', '/openapi/v2', table, 200],
    ['a document that nobody can read is none', 'GET', '/openapi/v3/api/v1', 'text/plain', 406],
  ])('%s', async (_what, method, path, accept, code) => {
    const answer = await server.call(method, path, { headers: { accept } });
    expect(answer.status, answer.text.slice(0, 300)).toBe(code);
  });

  it('a review and a token can be answered as metadata', async () => {
    const reviews = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
    const headers = { accept: metadata };
    const answer = await server.call('POST', reviews, { headers, body: { spec: { resourceAttributes: {} } } });
    expect(answer.body).toMatchObject({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' });
    const inColumns = { headers: { accept: table }, body: { spec: { resourceAttributes: {} } } };
    expect((await server.call('POST', reviews, inColumns)).status).toBe(406);
  });

  it('what a delete leaves for now is shown in columns', async () => {
    await server.post('/api/v1/namespaces', { metadata: { name: 'odd' } });
    const answer = await server.call('DELETE', '/api/v1/namespaces/odd?dryRun=All', { headers: { accept: table } });
    expect(answer.body).toMatchObject({ kind: 'Table', rows: [{ cells: ['odd', 'Terminating', expect.any(String)] }] });
  });

  it('a version that is to go says so to whom no column fits, and not to whom no type fits', async () => {
    const old = '/apis/autoscaling/v2beta2/horizontalpodautoscalers';
    const none = await server.get(old, { accept: 'text/html' });
    const other = await server.get(old, { accept: 'application/json;as=Nope;v=v1;g=meta.k8s.io' });
    expect([none.status, none.headers['warning']]).toEqual([406, undefined]);
    expect([other.status, other.headers['warning']]).toEqual([406, expect.stringContaining('deprecated')]);
  });
});

describe('a watch whose path names an object', () => {
  const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles';
  const oddName = 'a,b=\\c';
  beforeAll(async () => {
    await server.post(roles, { metadata: { name: oddName } });
    await server.post(roles, { metadata: { name: 'a' } });
  });

  const seen = async (name: string, query = '') => {
    const path = `${roles.replace('/v1/', '/v1/watch/')}/${encodeURIComponent(name)}?timeoutSeconds=1${query}`;
    const found: string[] = [];
    for await (const { object } of server.watch(path)) found.push(object.metadata?.name ?? object.code);
    return found;
  };

  it.each([
    ['shows it whatever its name', oddName, '', [oddName]],
    ['may select it by its name as well', 'a', '&fieldSelector=metadata.name%3Da,metadata.namespace%3Ddefault', ['a']],
    ['shows nothing of it that is not selected', 'a', '&fieldSelector=metadata.name%3Da,metadata.namespace%3Dx', []],
  ])('%s', async (_what, name, query, names) => {
    expect(await seen(name, query)).toEqual(names);
  });

  it.each(['metadata.name%3Db', 'metadata.name!%3Da', 'metadata.namespace%3Ddefault', 'nope%3D1'])(
    'is refused with a selector of others: %s',
    async (selector) => {
      const answer = await server.get(`${roles.replace('/v1/', '/v1/watch/')}/a?fieldSelector=${selector}`);
      expect([answer.status, answer.body.reason]).toEqual([400, 'BadRequest']);
    },
  );
});

describe('what is behind a connection', () => {
  it.each([
    ['is sent whatever it understands', 'PATCH', '/api/v1/namespaces/default/services/none/proxy/', 404],
    ['knows no options of writes', 'POST', `${pods}/none/exec?fieldValidation=x&fieldManager=${'x'.repeat(200)}`, 404],
    ['cannot be tried, not even a little', 'POST', `${pods}/none/exec?dryRun=`, 400],
    ['is read without them, too', 'GET', `${pods}/none/log?fieldValidation=x`, 404],
  ])('%s', async (_what, method, path, code) => {
    const answer = await server.call(method, path, { headers: { 'content-type': 'text/x' } });
    expect(answer.status, answer.text).toBe(code);
  });
});

it.each([
  ['a path that nobody serves', 'GET', '/none', 404],
  ['an unknown version of a custom group', 'GET', '/apis/example.com/v1/things', 404],
  ['all health checks', 'GET', '/readyz?verbose', 200],
  ['a refusal', 'GET', '/metrics', 403],
])('browsers are to take the answer for what it is: %s', async (_what, method, path, code) => {
  const anonymous = code === 403 ? { headers: { authorization: '' } } : {};
  const { status, headers } = await server.call(method, path, anonymous);
  expect([status, headers['x-content-type-options']]).toEqual([code, 'nosniff']);
});

describe('a namespace without a name', () => {
  it('has nothing that could be deleted, but is no reason not to ask', async () => {
    const secrets = await server.call('DELETE', '/api/v1/namespaces//secrets');
    expect([secrets.status, secrets.body]).toMatchObject([200, { kind: 'SecretList', items: [] }]);
    const maps = await server.call('DELETE', '/api/v1/namespaces//configmaps');
    expect([maps.status, maps.body.message]).toEqual([400, 'Namespace parameter required.']);
    expect((await server.get(`${configMaps}/there`)).status).toBe(200);
  });

  it('selects none of the objects that have no namespace, unless their kind has fields of its own', async () => {
    const selected = (path: string) => server.get(`${path}?fieldSelector=metadata.namespace%3Dx`);
    expect((await selected(classes)).body.items).toEqual([]);
    expect((await selected('/api/v1/nodes')).status).toBe(400);
  });
});

it('a type is named in any case of letters, and the last name counts', async () => {
  const { metadata: named } = configMap('other');
  const other = await server.post(configMaps, { apiVersion: 'v1', KIND: 'Secret', metadata: named });
  expect(other.status).toBe(400);
  const twice = await server.post(configMaps, { Kind: 'Secret', kind: 'ConfigMap', metadata: named });
  expect(twice.status).toBe(201);
  const deletion = await server.delete(`${configMaps}/other`, { Kind: 'ConfigMap' });
  expect(deletion.status).toBe(400);
});

it('a delete that is only tried shows an object freed of what held it, and goes no further', async () => {
  const { metadata: named } = configMap('held');
  await server.post(configMaps, { metadata: { ...named, finalizers: ['orphan'] } });
  const tried = await server.delete(`${configMaps}/held?dryRun=All&propagationPolicy=Background`);
  expect(tried.body).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'held' } });
  expect(Object.keys(tried.body.metadata)).not.toEqual(expect.arrayContaining(['finalizers']));
  expect(tried.body.metadata.deletionTimestamp).toBeUndefined();
  expect((await server.get(`${configMaps}/held`)).body.metadata.finalizers).toEqual(['orphan']);
  const done = await server.delete(`${configMaps}/held?propagationPolicy=Background`);
  expect(done.body).toMatchObject({ kind: 'Status', status: 'Success' });
});

describe('a patch that takes the type away', () => {
  const merge = (patch: object, query = '') =>
    server.patch(`${configMaps}/there?dryRun=All${query}`, patch, 'application/merge-patch+json');

  it.each([[null], ['']])('leaves the kind where it is %j', async (kind) => {
    expect((await merge({ kind, data: { b: '2' } })).body).toMatchObject({ kind: 'ConfigMap', data: { b: '2' } });
  });

  it.each([[null], ['']])('leaves nothing known where the version is %j', async (apiVersion) => {
    const answer = await merge({ apiVersion, bogus: 1 });
    expect([answer.status, answer.body.reason]).toEqual([400, 'BadRequest']);
    const warned = String(answer.headers['warning']);
    for (const field of ['bogus', 'data', 'metadata']) expect(warned).toContain(`unknown field \\"${field}\\"`);
    const strict = await merge({ apiVersion }, '&fieldValidation=Strict');
    expect([strict.status, strict.body.details.causes[0].field]).toEqual([422, 'patch']);
    expect((await merge({ apiVersion }, '&fieldValidation=Ignore')).headers['warning']).toBeUndefined();
  });
});

it('a generation may have any number of digits, and is counted all the same', async () => {
  const asked = `{"metadata":{"name":"old","generation":9007199254740993,"finalizers":["a.b/c"]}}`;
  expect((await server.call('POST', configMaps, { body: asked })).status).toBe(201);
  const answer = await server.delete(`${configMaps}/old`);
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"generation":9007199254740994,')]);
});

it('an object that is made by an apply keeps the prefix that it names, one that is put does not', async () => {
  const named = { name: 'prefixed', generateName: 'p-' };
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: named });
  const made = await server.patch(`${configMaps}/prefixed?fieldManager=me`, body, 'application/apply-patch+yaml');
  expect(made.body.metadata).toMatchObject(named);
  const account = { ...named, name: 'put' };
  const put = await server.put('/api/v1/namespaces/default/endpoints/put', { metadata: account });
  expect([put.status, put.body.metadata.generateName]).toEqual([201, undefined]);
});

it('the classes of the system stay, one by one', async () => {
  const answer = await server.call('DELETE', `${classes}/system-node-critical?dryRun=All`);
  expect([answer.status, answer.body.details.name]).toEqual([403, 'system-node-critical']);
});

it('what the server stores by itself has an owner, whom those who apply are told of', async () => {
  const label = { metadata: { labels: { 'kubernetes.io/metadata.name': 'other' } } };
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', ...label });
  const path = '/api/v1/namespaces/kube-public?fieldManager=me';
  const answer = await server.patch(path, body, 'application/apply-patch+yaml');
  expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('kube-apiserver')]);
  const { body: role } = await server.get('/apis/rbac.authorization.k8s.io/v1/clusterroles/view');
  expect(role.metadata.managedFields).toMatchObject([{ manager: 'kube-apiserver', operation: 'Update' }]);
});
