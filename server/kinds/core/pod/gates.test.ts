import { expect, test } from 'vitest';
import { dropGatedFields } from './gates.ts';
import type { PodSpec } from './shape.ts';

const features = (...on: string[]) => ({ enabled: (name: string) => on.includes(name) });
const spec = (): PodSpec => ({
  hostUsers: false,
  containers: [{ name: 'c', securityContext: { procMount: 'Unmasked' } }],
  topologySpreadConstraints: [{ maxSkew: 1, minDomains: 2, nodeTaintsPolicy: 'Honor' }],
});

test('fields of features that are off are gone, the kind of /proc is the usual', () => {
  const pod = spec();
  dropGatedFields(pod, features());
  expect(pod).toEqual({
    containers: [{ name: 'c', securityContext: { procMount: 'Default' } }],
    topologySpreadConstraints: [{ maxSkew: 1 }],
  });
});

test('fields of features that are on stay', () => {
  const pod = spec();
  dropGatedFields(
    pod,
    features(
      'ProcMountType',
      'UserNamespacesStatelessPodsSupport',
      'MinDomainsInPodTopologySpread',
      'NodeInclusionPolicyInPodTopologySpread',
    ),
  );
  expect(pod).toEqual(spec());
});
