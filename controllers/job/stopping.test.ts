import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../runtime/clock.ts';
import { type Job, jobs, namespaces, pods, serviceAccounts } from '../runtime/resources.ts';
import { startControllers } from '../start.ts';
import { eventually, type Lab, startLab } from '../testing/lab.fixture.ts';
import { holds } from './conditions.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await startLab();
});
afterAll(() => lab.stop());

const jobWith = (namespace: string, fits: (job: Job) => boolean) =>
  eventually(async () => {
    const job = await lab.client.get(jobs, { namespace, name: 'j' });
    return fits(job) ? job : undefined;
  });

async function createJob(namespace: string): Promise<void> {
  await lab.client.create(namespaces, { metadata: { name: namespace } }, {});
  await lab.client.create(serviceAccounts, { metadata: { name: 'default' } }, { namespace });
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'b' }] } };
  const spec = { completions: 4, parallelism: 3, backoffLimit: 0, template };
  await lab.client.create(jobs, { metadata: { name: 'j' }, spec }, { namespace });
}

const changes = [
  ['is suspended', { suspend: true }, 0],
  ['may run fewer at once', { parallelism: 1 }, 1],
] as const;

test.each(changes)(
  'a job that %s calls no pod failed, whenever its controller is killed',
  async (name, change, left) => {
    const relay = await lab.relay();
    for (let deathAfter = 1; ; deathAfter += 1) {
      const namespace = `${name.replaceAll(' ', '-')}-${deathAfter}`;
      await createJob(namespace);
      relay.fate = () => 'pass';
      let running = await startControllers({ kubeconfig: relay.kubeconfig, controllers: ['job'] });
      await jobWith(namespace, ({ status }) => status?.active === 3);
      let writes = 0;
      const killed = new Promise<'killed'>((resolve) => {
        relay.fate = (method, path) => {
          if (method === 'GET' || path.includes('/events')) return 'pass';
          writes += 1;
          if (writes < deathAfter) return 'pass';
          resolve('killed');
          return writes === deathAfter ? 'lose answer' : 'lose request';
        };
      });
      await lab.client.patch(jobs, { namespace, name: 'j' }, { spec: change });
      const settled = (job: Job) => (job.status?.active ?? 0) === left && (left > 0 || holds(job, 'Suspended'));
      const settle = async () => {
        const job = await jobWith(namespace, settled);
        await eventually(async () => {
          const { items } = await lab.client.list(pods, { namespace });
          return items.length === left ? true : undefined;
        });
        return job;
      };
      const outcome = await Promise.race([killed, settle()]);
      await running.stop();
      relay.fate = () => 'pass';
      running = await startControllers({ kubeconfig: relay.kubeconfig, controllers: ['job'] }, { clock: systemClock });
      const job = await settle();
      await running.stop();
      const after = await lab.client.get(jobs, { namespace, name: 'j' });
      expect([job.status?.failed ?? 0, after.status?.failed ?? 0]).toEqual([0, 0]);
      expect(holds(after, 'Failed')).toBe(false);
      if (outcome !== 'killed') {
        expect(deathAfter).toBeGreaterThan(6);
        return;
      }
    }
  },
  30_000,
);
