import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ConfigMap, Pod, Secret } from '../../runtime/resources.ts';
import { configMaps, pods, secrets } from '../../runtime/resources.ts';
import { type Cluster, namespace, startCluster } from '../../testing/cluster.fixture.ts';
import { eventually } from '../../testing/lab.fixture.ts';
import { needsOf, problemWith } from './needs.ts';

const containers = [{ name: 'c', image: 'i' }];
const needs = (spec: object) => needsOf({ spec: { containers, ...spec } } as Pod);
const ofVolume = (volume: object) => needs({ volumes: [{ name: 'v', ...volume }] });
const ofContainer = (container: object) => needs({ containers: [{ ...containers[0], ...container }] });
const [inVolume, inContainer] = [{ by: { volume: 'v' } }, { by: { container: 'c' } }];
const map = { kind: 'configmap', name: 'm', keys: [] };
const secret = { kind: 'secret', name: 's', keys: [] };

test.each<[string, unknown, object[]]>([
  ['a ConfigMap', ofVolume({ configMap: { name: 'm' } }), [{ ...map, ...inVolume }]],
  [
    'a Secret and keys of it',
    ofVolume({ secret: { secretName: 's', items: [{ key: 'k', path: 'p' }] } }),
    [{ ...secret, ...inVolume, keys: ['k'] }],
  ],
  ['what may be missing', ofVolume({ configMap: { name: 'm', optional: true } }), []],
  [
    'several, projected',
    ofVolume({ projected: { sources: [{ configMap: { name: 'm' } }, { secret: { name: 's' } }] } }),
    [
      { ...map, ...inVolume },
      { ...secret, ...inVolume },
    ],
  ],
  [
    'what servers add',
    needs({ volumes: [{ name: 'kube-api-access-x', projected: { sources: [{ configMap: { name: 'm' } }] } }] }),
    [],
  ],
  [
    'a variable',
    ofContainer({ env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }] }),
    [{ ...secret, ...inContainer, keys: ['k'] }],
  ],
  ['many variables', ofContainer({ envFrom: [{ configMapRef: { name: 'm' } }] }), [{ ...map, ...inContainer }]],
  [
    'a variable of an init container',
    needs({ initContainers: [{ name: 'c', envFrom: [{ secretRef: { name: 's' } }] }] }),
    [{ ...secret, ...inContainer }],
  ],
])('a pod needs %s', (_, found, expected) => expect(found).toEqual(expected));

const need = { kind: 'configmap', name: 'm', keys: ['k'], by: { volume: 'v' } } as const;
test.each<[string, ConfigMap | Secret | undefined, string | undefined]>([
  ['is there', { data: { k: '' } }, undefined],
  ['is there as bytes', { binaryData: { k: '' } }, undefined],
  ['is not there', undefined, 'configmap "m" not found'],
  ['has no such key', { metadata: { namespace: 'ns' }, data: { l: '' } }, "couldn't find key k in configmap ns/m"],
])('a ConfigMap that %s', (_, found, expected) => expect(problemWith(need, found)).toBe(expected));

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.stop());

test('a pod begins when the ConfigMap and the Secret that it needs are there', async () => {
  const { client } = cluster;
  const env = [{ name: 'A', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }];
  const spec = { containers: [{ name: 'c', image: 'i', env }], volumes: [{ name: 'v', configMap: { name: 'm' } }] };
  await client.create(pods, { metadata: { name: 'needy' }, spec }, { namespace });
  const waitsBy = (reason: string) =>
    eventually(async () => {
      const { status } = await client.get(pods, { namespace, name: 'needy' });
      return status?.containerStatuses?.[0]?.state?.waiting?.reason === reason || undefined;
    });
  await waitsBy('ContainerCreating');
  await client.create(configMaps, { metadata: { name: 'm' }, data: {} }, { namespace });
  await waitsBy('CreateContainerConfigError');
  await client.create(secrets, { metadata: { name: 's' }, stringData: { k: 'v' } } as Secret, { namespace });
  await eventually(async () => {
    const { status } = await client.get(pods, { namespace, name: 'needy' });
    return status?.phase === 'Running' || undefined;
  });
});
