import { beforeEach, describe, expect, it } from 'vitest';
import type { Pod, Toleration } from '../../../kinds/core/pod/shape.ts';
import { admitted, attributesFor, type PluginWorld, pluginWorld } from '../plugins.fixture.ts';
import { alwaysPullImages } from './always-pull-images.ts';
import { defaultTolerationSeconds } from './default-toleration-seconds.ts';
import { securityContextDeny } from './security-context-deny.ts';
import { coversToleration, mergeTolerations } from './toleration.ts';

let world: PluginWorld;
beforeEach(async () => {
  world = await pluginWorld();
});

const podOf = (spec: object) => ({ metadata: { name: 'p', namespace: 'ns' }, spec });

describe('DefaultTolerationSeconds', () => {
  const notReady = {
    key: 'node.kubernetes.io/not-ready',
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 300,
  };
  const unreachable = { ...notReady, key: 'node.kubernetes.io/unreachable' };
  const tolerationsOf = async (tolerations?: Toleration[]) => {
    const { object } = await admitted(defaultTolerationSeconds(world), attributesFor('pods', podOf({ tolerations })));
    return (object as Pod).spec?.tolerations;
  };

  it.each<[string, Toleration[] | undefined, Toleration[]]>([
    ['none', undefined, [notReady, unreachable]],
    ['another', [{ key: 'k', operator: 'Exists' }], [{ key: 'k', operator: 'Exists' }, notReady, unreachable]],
    [
      'one of them for less',
      [{ ...notReady, tolerationSeconds: 60 }],
      [{ ...notReady, tolerationSeconds: 60 }, unreachable],
    ],
    [
      'one of them for another effect',
      [{ ...notReady, effect: 'NoSchedule' }],
      [{ ...notReady, effect: 'NoSchedule' }, notReady, unreachable],
    ],
    [
      'one of them for any effect',
      [{ key: unreachable.key, operator: 'Exists' }],
      [{ key: unreachable.key, operator: 'Exists' }, notReady],
    ],
    ['everything', [{ operator: 'Exists' }], [{ operator: 'Exists' }]],
  ])('with %s given', async (_, given, expected) => {
    expect(await tolerationsOf(given)).toEqual(expected);
  });

  it('takes the seconds from its flags', async () => {
    const { object } = await admitted(
      defaultTolerationSeconds({ options: { ...world.options, defaultUnreachableTolerationSeconds: 5 } }),
      attributesFor('pods', podOf({})),
    );
    expect((object as Pod).spec?.tolerations?.map(({ tolerationSeconds }) => tolerationSeconds)).toEqual([300, 5]);
  });

  it('puts them back on an update that leaves them out', async () => {
    const attributes = attributesFor('pods', podOf({}), { oldObject: podOf({ tolerations: [notReady] }) as never });
    const { object } = await admitted(defaultTolerationSeconds(world), attributes);
    expect((object as Pod).spec?.tolerations).toEqual([notReady, unreachable]);
  });
});

describe('tolerations', () => {
  const any = { operator: 'Exists' };
  const key = { key: 'k', operator: 'Exists' };
  const value = { key: 'k', operator: 'Equal', value: 'v' };
  const evict = { key: 'k', operator: 'Exists', effect: 'NoExecute' };

  it.each<[Toleration, Toleration, boolean]>([
    [any, key, true],
    [key, any, false],
    [key, value, true],
    [value, key, false],
    [value, { key: 'k', value: 'v' }, true],
    [value, { ...value, value: 'w' }, false],
    [key, evict, true],
    [evict, key, false],
    [evict, { ...evict, tolerationSeconds: 5 }, true],
    [{ ...evict, tolerationSeconds: 5 }, evict, false],
    [{ ...evict, tolerationSeconds: 5 }, { ...evict, tolerationSeconds: 4 }, true],
    [{ ...evict, tolerationSeconds: 5 }, { ...evict, tolerationSeconds: 6 }, false],
    [{ key: 'other', operator: 'Exists' }, key, false],
  ])('%j covers %j: %s', (wide, narrow, expected) => {
    expect(coversToleration(wide, narrow)).toBe(expected);
  });

  it('are merged without what others cover, the first of equals staying', () => {
    expect(mergeTolerations([value, evict], [key, value])).toEqual([key]);
    expect(mergeTolerations([value], [{ ...value }])).toEqual([value]);
    expect(mergeTolerations([], [])).toEqual([]);
  });
});

describe('SecurityContextDeny', () => {
  const refusal = async (spec: object) =>
    (await admitted(securityContextDeny, attributesFor('pods', podOf(spec)))).refusal?.message;
  const both = (securityContext: object) => ({ securityContext, containers: [{ name: 'c', securityContext }] });

  it.each([
    ['SELinuxOptions', { seLinuxOptions: {} }],
    ['SupplementalGroups', { supplementalGroups: [1] }],
    ['FSGroup', { fsGroup: 0 }],
    ['RunAsUser', { runAsUser: 1 }],
  ])('refuses %s of a pod', async (field, securityContext) => {
    expect(await refusal({ securityContext })).toBe(
      `pods "p" is forbidden: pod.Spec.SecurityContext.${field} is forbidden`,
    );
  });

  it.each([
    ['SELinuxOptions', { seLinuxOptions: { level: 's0' } }],
    ['RunAsUser', { runAsUser: 0 }],
  ])('refuses %s of a container', async (field, securityContext) => {
    const expected = `pods "p" is forbidden: SecurityContext.${field} is forbidden`;
    expect(await refusal({ containers: [{ name: 'c', securityContext }] })).toBe(expected);
    expect(await refusal({ initContainers: [{ name: 'c', securityContext }] })).toBe(expected);
  });

  it.each([
    [
      'what else a context may hold',
      both({ runAsGroup: 1, runAsNonRoot: true, privileged: true, seccompProfile: {}, sysctls: [], capabilities: {} }),
    ],
    ['ephemeral containers', { ephemeralContainers: [{ name: 'e', securityContext: { runAsUser: 1 } }] }],
    ['pods without contexts', { containers: [{ name: 'c' }] }],
  ])('lets %s pass', async (_, spec) => {
    expect(await refusal(spec)).toBeUndefined();
  });
});

describe('AlwaysPullImages', () => {
  const spec = {
    containers: [{ name: 'c', image: 'a', imagePullPolicy: 'IfNotPresent' }],
    initContainers: [{ name: 'i', image: 'b' }],
  };
  const policies = (pod: Pod) =>
    [...(pod.spec?.initContainers ?? []), ...(pod.spec?.containers ?? [])].map(
      ({ imagePullPolicy }) => imagePullPolicy,
    );

  it('sets the policy of all containers', async () => {
    const { object, refusal } = await admitted(alwaysPullImages, attributesFor('pods', podOf(spec)));
    expect(policies(object as Pod)).toEqual(['Always', 'Always']);
    expect(refusal).toBeUndefined();
  });

  it('refuses another policy that came in later', () => {
    expect(() => alwaysPullImages.validate?.(attributesFor('pods', podOf(spec)))).toThrowError(
      'pods "p" is forbidden: spec.initContainers[0].imagePullPolicy: Unsupported value: "": supported values: "Always"',
    );
  });

  it('leaves a pod alone until it gets a new image', async () => {
    const update = (next: object) => attributesFor('pods', podOf(next), { oldObject: podOf(spec) as never });
    const same = await admitted(alwaysPullImages, update(spec));
    expect(policies(same.object as Pod)).toEqual([undefined, 'IfNotPresent']);
    const other = await admitted(alwaysPullImages, update({ containers: [{ name: 'c', image: 'new' }] }));
    expect(policies(other.object as Pod)).toEqual(['Always']);
  });
});
