import * as library from 'prom-client';
import { expect, it } from 'vitest';
import { badRequest } from '../base/status-error.ts';
import { carryOut } from '../base/turns/work.ts';
import type { AdmissionPlugin } from './admission.ts';
import { AdmissionMetrics } from './admission-metrics.ts';
import { writes } from './concern.ts';
import { attributesFor } from './plugins/plugins.fixture.ts';
import { AdmissionTable } from './table.ts';

it('tells how long each plugin and each pass took, and whether it refused', async () => {
  const registry = new library.Registry();
  const metrics = new AdmissionMetrics();
  for (const histogram of [metrics.plugins, metrics.steps]) registry.registerMetric(histogram as never);
  const cares = [writes('', 'configmaps', 'CREATE')];
  const plugins: AdmissionPlugin[] = [
    { name: 'Quick', cares, mutate: () => {} },
    { name: 'Slow', cares, mutate: async () => {}, validate: async () => {} },
    { name: 'Idle', cares: [], mutate: () => {} },
    {
      name: 'Strict',
      cares,
      validate: () => {
        throw badRequest('no');
      },
    },
  ];
  const attributes = attributesFor('configmaps', {});
  const admission = new AdmissionTable(plugins, { metrics }).passes('CREATE', { group: '', plural: 'configmaps' }, '');
  await carryOut(admission.mutate(attributes));
  await expect(carryOut(admission.validate(attributes))).rejects.toThrow('no');
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
