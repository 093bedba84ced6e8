import { beforeEach, describe, expect, it } from 'vitest';
import type { Pod } from '../../kinds/core/pod/shape.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { alwaysDeny } from './always-deny.ts';
import { denyServiceExternalIps } from './deny-service-external-ips.ts';
import { namespaceExists } from './namespace-exists.ts';
import { admitted, attributesFor, type PluginWorld, pluginWorld, type Sketch } from './plugins.fixture.ts';
import { extendedResourceToleration } from './pods/extended-resource-toleration.ts';
import { limitPodHardAntiAffinityTopology } from './pods/limit-pod-hard-anti-affinity-topology.ts';

let world: PluginWorld;
beforeEach(async () => {
  world = await pluginWorld();
});

const named = (spec: object): Sketch => ({ metadata: { name: 'x', namespace: 'ns' }, spec });
const refusal = async (plugin: AdmissionPlugin, resource: string, sketch: Sketch, more = {}) =>
  (await admitted(plugin, attributesFor(resource, sketch, more))).refusal;

it('AlwaysDeny refuses everything', async () => {
  expect(await refusal(alwaysDeny, 'configmaps', named({}))).toMatchObject({
    code: 403,
    message: 'configmaps "x" is forbidden: admission control is denying all modifications',
  });
  expect((await refusal(alwaysDeny, 'pods', {}, { operation: 'DELETE', object: undefined, name: 'p' }))?.code).toBe(
    403,
  );
});

describe('DenyServiceExternalIPs', () => {
  const withIps = (...externalIPs: string[]) => named({ externalIPs });
  it.each<[string, Sketch, Sketch | undefined, boolean]>([
    ['a service without', named({}), undefined, false],
    ['a service with one', withIps('1.2.3.4'), undefined, true],
    ['one that stays', withIps('1.2.3.4'), withIps('1.2.3.4', '5.6.7.8'), false],
    ['another one', withIps('5.6.7.8'), withIps('1.2.3.4'), true],
  ])('%s', async (_, next, old, expected) => {
    const answer = await refusal(denyServiceExternalIps, 'services', next, old ? { oldObject: old } : {});
    expect(answer?.message).toBe(
      expected ? 'services "x" is forbidden: Use of external IPs is denied by admission control.' : undefined,
    );
  });
});

it('ExtendedResourceToleration tolerates the taints of the resources that a pod asks for', async () => {
  const asks = (...names: string[]) => ({
    name: 'c',
    resources: { requests: Object.fromEntries(names.map((name) => [name, '1'])) },
  });
  const spec = {
    containers: [asks('cpu', 'b.com/y')],
    initContainers: [asks('a.com/x', 'b.com/y')],
    tolerations: [{ key: 'mine', operator: 'Exists' }],
  };
  const { object } = await admitted(extendedResourceToleration, attributesFor('pods', named(spec)));
  const added = ['a.com/x', 'b.com/y'].map((key) => ({ key, operator: 'Exists', effect: 'NoSchedule' }));
  expect((object as Pod).spec?.tolerations).toEqual([{ key: 'mine', operator: 'Exists' }, ...added]);
  const again = await admitted(extendedResourceToleration, attributesFor('pods', object as Sketch));
  expect((again.object as Pod).spec?.tolerations).toHaveLength(3);
});

it('ExtendedResourceToleration tolerates them by name beside a toleration of everything', async () => {
  const everything = { operator: 'Exists' };
  const containers = [{ name: 'c', resources: { requests: { 'a.com/x': '1' } } }];
  const spec = { containers, tolerations: [everything] };
  const { object } = await admitted(extendedResourceToleration, attributesFor('pods', named(spec)));
  const byName = { key: 'a.com/x', operator: 'Exists', effect: 'NoSchedule' };
  expect((object as Pod).spec?.tolerations).toEqual([everything, byName]);
});

it('LimitPodHardAntiAffinityTopology allows the node alone', async () => {
  const apart = (topologyKey: string) =>
    named({ affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey }] } } });
  expect(await refusal(limitPodHardAntiAffinityTopology, 'pods', apart('kubernetes.io/hostname'))).toBeUndefined();
  expect((await refusal(limitPodHardAntiAffinityTopology, 'pods', apart('zone')))?.message).toBe(
    'pods "x" is forbidden: affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey zone but only key kubernetes.io/hostname is allowed',
  );
});

it('NamespaceExists demands the namespace for every write in it', async () => {
  const plugin = namespaceExists(world);
  expect(await refusal(plugin, 'configmaps', named({}), { operation: 'DELETE' })).toMatchObject({
    code: 404,
    details: { kind: 'namespaces', name: 'ns' },
  });
  await world.put('namespaces', { metadata: { name: 'ns' } });
  expect(await refusal(plugin, 'configmaps', named({}))).toBeUndefined();
  expect(await refusal(plugin, 'namespaces', named({}), { namespace: 'new' })).toBeUndefined();
});
