import { describe, expect, test } from 'vitest';
import { daemonSet } from '../../apps/daemon-set.ts';
import { deployment } from '../../apps/deployment.ts';
import { replicaSet } from '../../apps/replica-set.ts';
import { cronJob } from '../../batch/cron-job.ts';
import { job } from '../../batch/job.ts';
import { allOf } from '../../faults.fixture.ts';
import { sample, tryCreate, tryUpdate } from '../../kind-write.fixture.ts';
import type { KindRules } from '../../strategy.ts';
import { podTemplate } from '../pod-template/pod-template.ts';
import { replicationController } from '../replication-controller.ts';
import { pod } from './pod.ts';

const mighty = { name: 'c', image: 'i', securityContext: { privileged: true } };
const labels = { app: 'a' };
const template = { metadata: { labels }, spec: { containers: [mighty] } };
const ending = { spec: { containers: [mighty], restartPolicy: 'Never' } };
const selector = { matchLabels: labels };
const refused = '.containers[0].securityContext.privileged Forbidden';

const makers: readonly [KindRules, object, string][] = [
  [pod, { spec: template.spec }, 'spec'],
  [podTemplate, { template }, 'template.spec'],
  [replicationController, { spec: { template, selector: labels } }, 'spec.template.spec'],
  [replicaSet, { spec: { template, selector } }, 'spec.template.spec'],
  [deployment, { spec: { template, selector } }, 'spec.template.spec'],
  [daemonSet, { spec: { template, selector } }, 'spec.template.spec'],
  [job, { spec: { template: ending } }, 'spec.template.spec'],
  [
    cronJob,
    { spec: { schedule: '@daily', jobTemplate: { spec: { template: ending } } } },
    'spec.jobTemplate.spec.template.spec',
  ],
];

describe.each(makers.map(([rules, fields, at]) => ({ rules, fields, at, kind: rules.kind })))(
  'privileged containers of a $kind',
  ({ rules, fields, at }) => {
    test('are fine where the server allows them', async () => {
      expect((await tryCreate(rules, sample(rules, fields))).causes).toEqual([]);
    });

    test('are refused where it does not, in old objects as well', async () => {
      const { object, causes } = await tryCreate(rules, sample(rules, fields), { allowPrivileged: false });
      expect(causes).toEqual([`${at}${refused}`]);
      const update = await tryUpdate(rules, object, () => {}, { allowPrivileged: false });
      expect(new Set(update.causes)).toEqual(new Set(causes));
    });
  },
);

test('every sort of container is looked at, and what is not privileged may stay', async () => {
  const plain = (name: string) => ({ name, image: 'i', securityContext: { privileged: false } });
  const stored = sample(pod, { spec: { initContainers: [plain('a')], containers: [plain('b')] } });
  pod.default?.(stored);
  const trial = await tryUpdate(
    pod,
    stored,
    (next) => {
      next.spec.ephemeralContainers = [{ ...mighty, name: 'd' }];
    },
    { allowPrivileged: false, subresource: 'ephemeralcontainers' },
  );
  expect(trial.causes).toEqual(['spec.ephemeralContainers[0].securityContext.privileged Forbidden']);
  const initial = await tryCreate(
    pod,
    sample(pod, { spec: { initContainers: [{ ...mighty, name: 'a' }], containers: [plain('b')] } }),
    { allowPrivileged: false },
  );
  expect(initial.causes).toEqual(['spec.initContainers[0].securityContext.privileged Forbidden']);
});

test('clients can tell it by the message', () => {
  const object = sample(pod, { spec: template.spec });
  pod.default?.(object);
  const errors = allOf(pod.validate?.(object, { allowPrivileged: false } as never));
  expect(errors.map(({ text }) => text)).toEqual(['Forbidden: disallowed by cluster policy']);
});
