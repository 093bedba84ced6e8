import { beforeEach, expect, it } from 'vitest';
import type { Pod, PodSpec } from '../../../kinds/core/pod/shape.ts';
import { admitted, attributesFor, type PluginWorld, pluginWorld } from '../plugins.fixture.ts';
import { runtimeClass } from './runtime-class.ts';

let world: PluginWorld;
beforeEach(async () => {
  world = await pluginWorld();
  await put('plain', {});
  await put('fine', { overhead: { podFixed: { cpu: '100u' } } });
  await put('placed', { scheduling: {} });
  await put('heavy', {
    overhead: { podFixed: { cpu: '250m', memory: '64Mi' } },
    scheduling: { nodeSelector: { kind: 'vm' }, tolerations: [{ key: 'vm', operator: 'Exists' }] },
  });
});

const put = (name: string, more: object) =>
  world.put('runtimeclasses.node.k8s.io', { metadata: { name }, handler: 'h', ...more });
const write = (spec: PodSpec, ...emptied: readonly string[]) =>
  admitted(
    runtimeClass(world),
    attributesFor('pods', { metadata: { name: 'p', namespace: 'ns' }, spec }, { emptied: new Set(emptied) }),
  );
const overhead = { cpu: '250m', memory: '64Mi' };
const vm = { key: 'vm', operator: 'Exists' };

it.each<[string, PodSpec, PodSpec]>([
  ['no class changes nothing', {}, {}],
  ['a plain class changes nothing', { runtimeClassName: 'plain' }, { runtimeClassName: 'plain' }],
  [
    'a class gives overhead and scheduling',
    { runtimeClassName: 'heavy' },
    { runtimeClassName: 'heavy', overhead, nodeSelector: { kind: 'vm' }, tolerations: [vm] },
  ],
  [
    'what the pod says itself is kept',
    {
      runtimeClassName: 'heavy',
      nodeSelector: { disk: 'ssd', kind: 'vm' },
      tolerations: [{ key: 'mine', operator: 'Exists' }],
    },
    {
      runtimeClassName: 'heavy',
      overhead,
      nodeSelector: { disk: 'ssd', kind: 'vm' },
      tolerations: [{ key: 'mine', operator: 'Exists' }, vm],
    },
  ],
  [
    'a toleration of the pod covers that of the class',
    { runtimeClassName: 'heavy', tolerations: [{ operator: 'Exists' }] },
    { runtimeClassName: 'heavy', overhead, nodeSelector: { kind: 'vm' }, tolerations: [{ operator: 'Exists' }] },
  ],
  [
    'an equal overhead is fine, however it is written',
    { runtimeClassName: 'heavy', overhead: { cpu: '0.25', memory: '65536Ki' } },
    { runtimeClassName: 'heavy', overhead, nodeSelector: { kind: 'vm' }, tolerations: [vm] },
  ],
  [
    'what a class says finer than pods hold it is rounded up',
    { runtimeClassName: 'fine' },
    { runtimeClassName: 'fine', overhead: { cpu: '1m' } },
  ],
  [
    'a class that places pods tidies up their tolerations',
    { runtimeClassName: 'placed', tolerations: [vm, { operator: 'Exists' }] },
    { runtimeClassName: 'placed', tolerations: [{ operator: 'Exists' }] },
  ],
])('%s', async (_, given, expected) => {
  const { object, refusal } = await write(given);
  expect(refusal).toBeUndefined();
  expect((object as Pod).spec).toEqual(expected);
});

const differs = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
const unfounded = 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead';

it.each<[string, PodSpec, string]>([
  ['another overhead', { runtimeClassName: 'heavy', overhead: { cpu: '1' } }, differs],
  ['an empty overhead', { runtimeClassName: 'heavy', overhead: {} }, differs],
  ['overhead where the class has none', { runtimeClassName: 'plain', overhead: { cpu: '1' } }, unfounded],
  ['overhead without a class', { overhead }, unfounded],
  ['a missing class', { runtimeClassName: 'absent' }, 'pod rejected: RuntimeClass "absent" not found'],
  [
    'another node selector',
    { runtimeClassName: 'heavy', nodeSelector: { kind: 'metal' } },
    'conflict: runtimeClass.scheduling.nodeSelector[kind] = vm; pod.spec.nodeSelector[kind] = metal',
  ],
])('refuses %s', async (_, given, expected) => {
  expect((await write(given)).refusal).toMatchObject({ code: 403, message: `pods "p" is forbidden: ${expected}` });
});

it.each<[string, PodSpec, string]>([
  ['without a class', {}, unfounded],
  ['of a class without', { runtimeClassName: 'plain' }, unfounded],
  ['of a class with one', { runtimeClassName: 'heavy' }, differs],
])('refuses an overhead that was sent empty %s', async (_, given, expected) => {
  expect((await write(given, 'spec.overhead')).refusal?.message).toBe(`pods "p" is forbidden: ${expected}`);
});

it('shares nothing with the class', async () => {
  const { object } = await write({ runtimeClassName: 'heavy' });
  const { spec } = object as Pod;
  expect(() => {
    Object.assign(spec?.tolerations?.[0] ?? {}, { effect: 'NoSchedule' });
    Object.assign(spec?.nodeSelector ?? {}, { more: 'x' });
    Object.assign(spec?.overhead ?? {}, { more: '1' });
  }).not.toThrow();
});
