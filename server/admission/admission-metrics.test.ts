import * as library from 'prom-client';
import { expect, it } from 'vitest';
import { badRequest } from '../base/status-error.ts';
import type { AdmissionPlugin } from './admission.ts';
import { AdmissionMetrics } from './admission-metrics.ts';
import { admissionChain } from './chain.ts';
import { attributesFor } from './plugins.fixture.ts';

it('tells how long each plugin and each pass took, and whether it refused', async () => {
  const registry = new library.Registry();
  const metrics = new AdmissionMetrics({
    count: (make) => {
      const made = make(library, registry);
      return (use) => use(made);
    },
  });
  const plugins: AdmissionPlugin[] = [
    { name: 'Quick', handles: () => true, mutate: () => {} },
    { name: 'Slow', handles: () => true, mutate: async () => {}, validate: async () => {} },
    { name: 'Idle', handles: () => false, mutate: () => {} },
    {
      name: 'Strict',
      handles: () => true,
      validate: () => {
        throw badRequest('no');
      },
    },
  ];
  const admission = metrics.passes(admissionChain(plugins.map((plugin) => metrics.plugin(plugin))));
  const attributes = attributesFor('configmaps', {});
  await admission.mutate(attributes);
  await expect(admission.validate(attributes)).rejects.toThrow('no');
  const text = await registry.metrics();
  const counts = text.split('\n').filter((line) => line.includes('_count{'));
  const plugin = 'apiserver_admission_controller_admission_duration_seconds_count';
  const step = 'apiserver_admission_step_admission_duration_seconds_count';
  expect(counts).toEqual([
    `${plugin}{name="Quick",type="admit",operation="CREATE",rejected="false"} 1`,
    `${plugin}{name="Slow",type="admit",operation="CREATE",rejected="false"} 1`,
    `${plugin}{name="Slow",type="validate",operation="CREATE",rejected="false"} 1`,
    `${plugin}{name="Strict",type="validate",operation="CREATE",rejected="true"} 1`,
    `${step}{type="admit",operation="CREATE",rejected="false"} 1`,
    `${step}{type="validate",operation="CREATE",rejected="true"} 1`,
  ]);
});
