import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../stories/test-server.fixture.ts';

const api = '/apis/flowcontrol.apiserver.k8s.io/v1beta2';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const uidOf = async (path: string) => (await server.get(`${api}/${path}`)).body.metadata.uid as string;
const flowOf = async (path: string, headers: Record<string, string> = {}) => {
  const { headers: told } = await server.get(path, headers);
  return [told['x-kubernetes-pf-flowschema-uid'], told['x-kubernetes-pf-prioritylevel-uid']];
};

const limited = {
  type: 'Limited',
  limited: { assuredConcurrencyShares: 1, limitResponse: { type: 'Reject' } },
};

const schemaFor = (name: string, more: object) => ({
  metadata: { name },
  spec: { matchingPrecedence: 2, priorityLevelConfiguration: { name: 'of-tests' }, ...more },
});

describe('every answer tells its FlowSchema and priority level', () => {
  it('those of the system for an administrator', async () => {
    expect(await flowOf('/api/v1/namespaces')).toEqual([
      await uidOf('flowschemas/exempt'),
      await uidOf('prioritylevelconfigurations/exempt'),
    ]);
  });

  it('the first that fits, in the order of precedence', async () => {
    await server.post(`${api}/prioritylevelconfigurations`, { metadata: { name: 'of-tests' }, spec: limited });
    const subjects = [{ kind: 'User', user: { name: 'noah' } }];
    const resourceRules = [
      { verbs: ['list'], apiGroups: [''], resources: ['configmaps'], namespaces: ['default'] },
      { verbs: ['*'], apiGroups: ['*'], resources: ['nodes'], clusterScope: true },
    ];
    const nonResourceRules = [{ verbs: ['get'], nonResourceURLs: ['/version', '/apis/*'] }];
    const rules = [{ subjects, resourceRules, nonResourceRules }];
    expect((await server.post(`${api}/flowschemas`, schemaFor('noah', { rules }))).status).toBe(201);
    const own = [await uidOf('flowschemas/noah'), await uidOf('prioritylevelconfigurations/of-tests')];
    const asNoah = { 'impersonate-user': 'noah' };
    for (const path of ['/api/v1/namespaces/default/configmaps', '/api/v1/nodes', '/version', '/apis/apps'])
      expect(await flowOf(path, asNoah), path).toEqual(own);
    for (const path of [
      '/api/v1/namespaces/kube-system/configmaps',
      '/api/v1/namespaces/default/configmaps/x',
      '/api/v1/configmaps',
      '/healthz',
    ])
      expect(await flowOf(path, asNoah), path).not.toEqual(own);
    expect(await flowOf('/version')).not.toEqual(own);
  });

  it('not one whose priority level is missing', async () => {
    const rules = [
      {
        subjects: [{ kind: 'Group', group: { name: '*' } }],
        nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
      },
    ];
    const dangling = schemaFor('dangling', { rules, priorityLevelConfiguration: { name: 'nowhere' } });
    expect((await server.post(`${api}/flowschemas`, dangling)).status).toBe(201);
    expect(await flowOf('/version', { 'impersonate-user': 'mia' })).not.toContain(await uidOf('flowschemas/dangling'));
  });
});
