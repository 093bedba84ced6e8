import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../stories/test-server.fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const path = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
const pods = (name: string) => ({
  type: 'Pods',
  pods: { metric: { name }, target: { type: 'AverageValue', averageValue: '1' } },
});
const cpu = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
};
const policy = { policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] };

const autoscaler = (name: string, spec: object) => ({
  metadata: { name },
  spec: { scaleTargetRef: { kind: 'Deployment', name: 'd' }, maxReplicas: 3, ...spec },
});

const nothing = { type: '' };

describe('a dry run of a change of an autoscaler', () => {
  it.each([
    ['shares-of-cpu', [pods('a'), cpu], [pods('b'), cpu], [pods('b'), cpu]],
    ['no-share-any-more', [cpu], [pods('b')], [pods('b'), cpu]],
    ['others-before', [pods('a'), cpu], [pods('b'), pods('c')], [pods('b'), pods('c'), pods('a'), nothing]],
  ])('tells of metrics (%s) what the older form cannot say to be gone', async (name, before, after, shown) => {
    await server.post(path, autoscaler(name, { metrics: before }));
    const next = autoscaler(name, { metrics: after });
    expect((await server.put(`${path}/${name}?dryRun=All`, next)).body.spec.metrics).toEqual(shown);
    expect((await server.put(`${path}/${name}`, next)).body.spec.metrics).toEqual(after);
    expect((await server.get(`${path}/${name}`)).body.spec.metrics).toEqual(after);
  });

  it('tells of a behavior and of what a status said as well, and of neither in a write that is kept', async () => {
    const sent = autoscaler('rest', { behavior: { scaleUp: policy, scaleDown: policy } });
    const { body } = await server.post(path, sent);
    const bare = autoscaler('rest', {});
    expect((await server.put(`${path}/rest?dryRun=All`, bare)).body.spec.behavior).toEqual(body.spec.behavior);
    expect((await server.put(`${path}/rest`, bare)).body.spec.behavior).toBeUndefined();
    const conditions = [{ type: 'AbleToScale', status: 'True', lastTransitionTime: null }];
    await server.put(`${path}/rest/status`, { ...bare, status: { conditions } });
    const emptied = { ...bare, status: {} };
    expect((await server.put(`${path}/rest/status?dryRun=All`, emptied)).body.status.conditions).toEqual(conditions);
    expect((await server.put(`${path}/rest/status`, emptied)).body.status.conditions).toBeUndefined();
  });
});
