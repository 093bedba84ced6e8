import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../fixtures/temporary-folder.fixture.ts';
import type { Client } from '../../runtime/client.ts';
import { systemClock } from '../../runtime/clock.ts';
import type { Pod } from '../../runtime/resources.ts';
import { eventually } from '../../testing/lab.fixture.ts';
import { PodRun } from './pod-run.ts';
import { shell } from './process-node.fixture.ts';

const client = { connection: { url: new URL('https://localhost') } } as Client;
const folder = temporaryFolder();

test.each([
  ['Always', 0, 'Running'],
  ['Always', 1, 'Running'],
  ['OnFailure', 1, 'Running'],
  ['OnFailure', 0, 'Succeeded'],
  ['Never', 1, 'Failed'],
])('a pod of the policy %s whose container exits with %i is %s once it has', async (policy, code, wanted) => {
  const phases: (string | undefined)[] = [];
  const spec = { restartPolicy: policy, containers: [shell(`exit ${code}`)] };
  const pod = { metadata: { name: policy, namespace: 'n', uid: `${policy}-${code}` }, spec } as unknown as Pod;
  const run: PodRun = new PodRun(pod, {
    ...{ client, clock: systemClock, images: new Map(), folder, hostPaths: [], podIp: '100.64.0.1' },
    changed: () => {
      const { phase, containerStatuses } = run.status(0);
      if (containerStatuses?.[0]?.state?.terminated) phases.push(phase);
    },
    say: () => {},
  });
  await eventually(async () => phases.length > 0 || undefined);
  await run.stop(0);
  expect(phases[0]).toBe(wanted);
});
