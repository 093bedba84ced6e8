import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../base/kube-object.ts';
import { cronJob } from '../../batch/cron-job.ts';
import { job } from '../../batch/job.ts';
import { sample, tryCreate, tryUpdate } from '../../kind-write.fixture.ts';
import type { KindRules } from '../../strategy.ts';
import type { Reached } from '../../write-tables.fixture.ts';
import { podTemplate } from './pod-template.ts';

const template = {
  spec: {
    restartPolicy: 'Never',
    hostUsers: false,
    nodeSelector: { 'beta.kubernetes.io/os': 'linux' },
    containers: [{ name: 'c', image: 'i' }],
  },
};

/** `late`: a change is commented on by what it replaces. */
const makers: readonly { kind: string; rules: KindRules; fields: object; at: string; late?: boolean }[] = [
  { kind: 'Job', rules: job, fields: { spec: { template } }, at: 'spec.template' },
  {
    kind: 'CronJob',
    rules: cronJob,
    fields: { spec: { schedule: '@daily', jobTemplate: { spec: { template } } } },
    at: 'spec.jobTemplate.spec.template',
    late: true,
  },
  { kind: 'PodTemplate', rules: podTemplate, fields: { template }, at: 'template' },
];

const templateIn = (object: KubeObject, at: string): Reached =>
  at.split('.').reduce<Reached>((value, key) => value[key], object);

describe.each(makers)('the pod template of a $kind', ({ rules, fields, at, late = false }) => {
  const gate = 'UserNamespacesStatelessPodsSupport';

  test('loses fields of features that are off, however it is written', async () => {
    const off = await tryCreate(rules, sample(rules, fields));
    expect(templateIn(off.object, at).spec.hostUsers).toBeUndefined();
    const on = await tryCreate(rules, sample(rules, fields), { gates: [gate] });
    expect(templateIn(on.object, at).spec.hostUsers).toBe(false);
    const changed = await tryUpdate(rules, off.object, (next) => {
      templateIn(next, at).spec.hostUsers = false;
    });
    expect(templateIn(changed.object, at).spec.hostUsers).toBeUndefined();
  });

  test('is commented on when it is new or changed', () => {
    const object = sample(rules, fields);
    const texts = [
      `${at}.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead`,
    ];
    expect(rules.warnings?.(object, undefined)).toEqual(texts);
    expect(rules.warnings?.(object, structuredClone(object))).toEqual([]);
    const before = structuredClone(object);
    delete templateIn(before, at).spec.nodeSelector;
    const [first, second] = late ? [before, object] : [object, before];
    expect(rules.warnings?.(first, second)).toEqual(texts);
  });
});
