import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Job, jobs, pods } from '../runtime/resources.ts';
import { type Cluster, namespace, startCluster } from '../testing/cluster.fixture.ts';
import { eventually } from '../testing/lab.fixture.ts';
import { conditionOf } from './conditions.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({}, { featureGates: ['JobPodFailurePolicy=true'] });
});
afterAll(() => cluster.stop());

const podSpec = { restartPolicy: 'Never', containers: [{ name: 'main', image: 'b' }] };

function createJob(name: string, spec: object, annotations: Record<string, string> = {}) {
  const template = { metadata: { annotations }, spec: podSpec };
  return cluster.client.create(jobs, { metadata: { name }, spec: { template, ...spec } }, { namespace });
}

const jobWith = (name: string, holds: (job: Job) => boolean) =>
  eventually(async () => {
    const job = await cluster.client.get(jobs, { namespace, name });
    return holds(job) ? job : undefined;
  });
const finished = (name: string) =>
  jobWith(name, (job) => Boolean(conditionOf(job, 'Complete') ?? conditionOf(job, 'Failed')));

const podsOf = async (name: string) =>
  (await cluster.client.list(pods, { namespace, labelSelector: `job-name=${name}` })).items;

describe('jobs', () => {
  test('a job runs to its end on nothing but the pretended node', async () => {
    await createJob('plain', {});
    const job = await finished('plain');
    expect(conditionOf(job, 'Complete')?.status).toBe('True');
    expect(job.status).toMatchObject({ succeeded: 1 });
    expect(job.status?.completionTime).toBeDefined();
  });

  test('the pods of an Indexed job have their index in name, hostname, annotation and environment', async () => {
    await createJob('indexed', { completions: 5, parallelism: 2, completionMode: 'Indexed' });
    const job = await finished('indexed');
    expect(job.status).toMatchObject({ succeeded: 5, completedIndexes: '0-4' });
    for (const { metadata, spec } of await podsOf('indexed')) {
      const index = metadata?.annotations?.['batch.kubernetes.io/job-completion-index'];
      expect(metadata?.name).toMatch(new RegExp(`^indexed-${index}-[a-z0-9]{5}$`));
      expect(spec?.hostname).toBe(`indexed-${index}`);
      expect(spec?.containers[0]?.env?.[0]?.name).toBe('JOB_COMPLETION_INDEX');
    }
  });

  test('a suspended job stops its pods without calling that a failure, and begins anew when it is resumed', async () => {
    await createJob('suspended', { parallelism: 2, completions: 2 }, { 'touchstone.example/run-for': '1h' });
    const before = await jobWith('suspended', ({ status }) => status?.active === 2);
    await cluster.client.patch(jobs, { namespace, name: 'suspended' }, { spec: { suspend: true } });
    const job = await jobWith(
      'suspended',
      (each) => conditionOf(each, 'Suspended')?.status === 'True' && !each.status?.active,
    );
    expect(before.status?.startTime).toBeDefined();
    expect(job.status?.startTime).toBeUndefined();
    await eventually(async () => ((await podsOf('suspended')).length === 0 ? true : undefined));
    expect((await cluster.client.get(jobs, { namespace, name: 'suspended' })).status?.failed ?? 0).toBe(0);
    await cluster.client.patch(jobs, { namespace, name: 'suspended' }, { spec: { suspend: false } });
    const resumed = await jobWith('suspended', ({ status }) => status?.active === 2);
    expect(conditionOf(resumed, 'Suspended')?.status).toBe('False');
    expect(resumed.status?.startTime).toBeDefined();
  });

  test('a job created suspended has no pods and no start', async () => {
    await createJob('asleep', { suspend: true });
    const job = await jobWith('asleep', (each) => conditionOf(each, 'Suspended')?.status === 'True');
    expect(job.status?.startTime).toBeUndefined();
    expect(await podsOf('asleep')).toEqual([]);
  });

  test('a job over its deadline fails and its pods are ended', async () => {
    await createJob('late', { activeDeadlineSeconds: 1 }, { 'touchstone.example/run-for': '1h' });
    const job = await finished('late');
    expect(conditionOf(job, 'Failed')).toMatchObject({ status: 'True', reason: 'DeadlineExceeded' });
    expect(job.status?.active ?? 0).toBe(0);
  });

  test('a job fails after more failures than its limit', async () => {
    await createJob('failing', { backoffLimit: 0 }, { 'touchstone.example/exit-code': '1' });
    const job = await finished('failing');
    expect(conditionOf(job, 'Failed')?.reason).toBe('BackoffLimitExceeded');
    expect(job.status).toMatchObject({ failed: 1 });
  });

  test('a rule of the pod failure policy fails the job at once', async () => {
    const rules = [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } }];
    await createJob('hopeless', { podFailurePolicy: { rules } }, { 'touchstone.example/exit-code': '42' });
    const job = await finished('hopeless');
    expect(conditionOf(job, 'Failed')?.reason).toBe('PodFailurePolicy');
    expect(job.status).toMatchObject({ failed: 1 });
  });

  test('a job with a time to live of zero goes when it is done, and its pods with it', async () => {
    await createJob('fleeting', { ttlSecondsAfterFinished: 0 });
    await cluster.gone(jobs, 'fleeting');
    await eventually(async () => ((await podsOf('fleeting')).length === 0 ? true : undefined));
  });

  test('the pods of a job that is deleted and orphans them are let go', async () => {
    await createJob('parent', {}, { 'touchstone.example/run-for': '1h' });
    await jobWith('parent', ({ status }) => status?.active === 1);
    await cluster.client.delete(jobs, { namespace, name: 'parent' }, { propagationPolicy: 'Orphan' });
    await cluster.gone(jobs, 'parent');
    const left = await eventually(async () => {
      const [pod] = await podsOf('parent');
      return pod && !pod.metadata?.finalizers ? pod : undefined;
    });
    expect(left.metadata?.ownerReferences).toBeUndefined();
  });
});
