import { expect, test } from 'vitest';
import { changedSpecWarnings, podWarnings } from './warnings.ts';

const container = { name: 'c', image: 'i' };

test.each<[string, object, readonly string[]]>([
  ['nothing odd', { containers: [container], terminationGracePeriodSeconds: 30 }, []],
  [
    'an old label',
    { nodeSelector: { 'beta.kubernetes.io/os': 'linux' } },
    ['spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead'],
  ],
  [
    'an old label of nodes that it needs and of others that it would like',
    {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'beta.kubernetes.io/os', operator: 'Exists' }] }],
          },
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 1, preference: { matchExpressions: [{ key: 'beta.kubernetes.io/os', operator: 'Exists' }] } },
          ],
        },
      },
    },
    ['required', 'preferred'].map(
      (how) =>
        `spec.affinity.nodeAffinity.${how}DuringSchedulingIgnoredDuringExecution${how === 'required' ? '.nodeSelectorTerms[0]' : '[0].preference'}.matchExpressions[0].key: beta.kubernetes.io/os is deprecated since v1.14; use "kubernetes.io/os" instead`,
    ),
  ],
  ['an old volume', { volumes: [{ name: 'v', gitRepo: {} }] }, ['spec.volumes[0].gitRepo: deprecated in v1.11']],
  [
    'a volume of which support goes',
    { volumes: [{ name: 'v', storageos: {} }] },
    ['spec.volumes[0].storageOS: deprecated in v1.22, support removal is planned in v1.26'],
  ],
  [
    'a variable twice',
    { containers: [{ ...container, env: [{ name: 'A' }, { name: 'A' }] }] },
    ['spec.containers[0].env[1].name: duplicate name "A"'],
  ],
  [
    'parts of a byte',
    { containers: [{ ...container, resources: { limits: { memory: '500m', cpu: '500m' } } }] },
    ['spec.containers[0].resources.limits[memory]: fractional byte value "500m" is invalid, must be an integer'],
  ],
  [
    'a secret twice',
    { imagePullSecrets: [{ name: 's' }, { name: 's' }] },
    ['spec.imagePullSecrets[1].name: duplicate name "s"'],
  ],
  [
    'secrets without a name',
    { imagePullSecrets: [{}, { name: '' }] },
    [
      'spec.imagePullSecrets[0].name: invalid empty name ""',
      'spec.imagePullSecrets[1].name: invalid empty name ""',
      'spec.imagePullSecrets[1].name: duplicate name ""',
    ],
  ],
  [
    'a volume twice',
    { volumes: ['v', 'v'].map((name) => ({ name, emptyDir: {} })) },
    ['spec.volumes[1].name: duplicate name "v"'],
  ],
  [
    'an ephemeral container that says things twice',
    { ephemeralContainers: [{ ...container, env: [{ name: 'A' }, { name: 'A' }] }] },
    ['spec.ephemeralContainers[0].env[1].name: duplicate name "A"'],
  ],
])('a pod with %s', (_title, spec, texts) => {
  expect(podWarnings({ spec })).toEqual(texts);
});

const workload = (replicas: number) => ({
  spec: { replicas, template: { spec: { nodeSelector: { 'beta.kubernetes.io/arch': 'a' } } } },
});

test('a template is commented on when it is new or anything beside it changes', () => {
  expect(changedSpecWarnings(workload(1), undefined)).toHaveLength(1);
  expect(changedSpecWarnings(workload(1), workload(1))).toEqual([]);
  expect(changedSpecWarnings(workload(2), workload(1))).toHaveLength(1);
});
