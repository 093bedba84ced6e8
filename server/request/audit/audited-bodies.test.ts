import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { filesIn, temporaryFolder } from '../../../fixtures/temporary-folder.fixture.ts';
import { configMap, configMaps, startTestServer, type TestServer } from '../../stories/test-server.fixture.ts';

const folder = temporaryFolder();
let server: TestServer;
let made = 0;
let path: string;

beforeAll(async () => {
  const policy = {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived'],
    rules: [{ level: 'Metadata', verbs: ['create'] }, { level: 'Request' }],
  };
  const auditPolicyFile = filesIn(folder)('policy', JSON.stringify(policy));
  server = await startTestServer({ auditPolicyFile, auditLogPath: join(folder, 'log') });
});
afterAll(() => server.stop());
beforeEach(async () => {
  const name = `audited-${made++}`;
  await server.post(configMaps, configMap(name));
  path = `${configMaps}/${name}`;
});

/** The event of the request that was answered last. */
const lastEvent = () =>
  JSON.parse(readFileSync(join(folder, 'log'), 'utf8').trim().split('\n').at(-1) ?? '') as Record<string, unknown>;

describe('from level Request on an audit event holds', () => {
  it.each([
    ['a merge patch', 'application/merge-patch+json', { data: { a: 'b' } }],
    ['a strategic merge patch', 'application/strategic-merge-patch+json', { data: { a: 'c' } }],
    ['a JSON patch', 'application/json-patch+json', [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }]],
    ['a patch that is refused', 'application/json-patch+json', [{ op: 'remove', path: '/nowhere' }]],
  ])('%s', async (_, type, patch) => {
    await server.patch(path, patch, type);
    expect(lastEvent()).toMatchObject({ verb: 'patch', level: 'Request', requestObject: patch });
  });

  it('what is applied, in YAML as well', async () => {
    const applied = 'apiVersion: v1\nkind: ConfigMap\ndata:\n  a: b\n';
    await server.patch(`${path}?fieldManager=me`, applied, 'application/apply-patch+yaml');
    const requestObject = { apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b' } };
    expect(lastEvent()).toMatchObject({ verb: 'patch', requestObject });
  });

  it('the options of a delete, and none where there are none', async () => {
    await server.delete(path, { propagationPolicy: 'Background', dryRun: ['All'] });
    const options = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background', dryRun: ['All'] };
    expect(lastEvent()).toMatchObject({ verb: 'delete', requestObject: options });
    await server.delete(path);
    expect(lastEvent()).not.toHaveProperty('requestObject');
  });
});

it('a body that cannot be read leaves no trace of what it says', async () => {
  await server.patch(path, '{"data":', 'application/merge-patch+json');
  expect(lastEvent()).toMatchObject({ verb: 'patch', responseStatus: { code: 400 } });
  expect(lastEvent()).not.toHaveProperty('requestObject');
});

it('below level Request no body is held, and proxies are told with the other end', async () => {
  const headers = { 'x-forwarded-for': '192.0.2.7' };
  await server.call('POST', configMaps, { body: configMap(`audited-${made++}`), headers });
  const event = lastEvent();
  expect(event).toMatchObject({ verb: 'create', level: 'Metadata', sourceIPs: ['192.0.2.7', '127.0.0.1'] });
  expect(event).not.toHaveProperty('requestObject');
});
