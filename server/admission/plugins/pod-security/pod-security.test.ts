import { beforeEach, describe, expect, it } from 'vitest';
import type { AdmissionAttributes } from '../../admission.ts';
import { admitted, attributesFor, caresAbout, type PluginWorld, pluginWorld, type Sketch } from '../plugins.fixture.ts';
import { podSecurity } from './pod-security.ts';

let world: PluginWorld;
beforeEach(async () => {
  world = await pluginWorld();
});

const prefix = 'pod-security.kubernetes.io/';
const labelled = (labels: Record<string, string>) =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [prefix + name, value]));
const namespace = (labels: Record<string, string>) =>
  world.put('namespaces', { metadata: { name: 'ns', labels: labelled(labels) } });
const configured = async (configuration: object) => {
  const given = {
    apiVersion: 'pod-security.admission.config.k8s.io/v1',
    kind: 'PodSecurityConfiguration',
    ...configuration,
  };
  world = await pluginWorld({ configurations: new Map([['PodSecurity', { folder: '/', configuration: given }]]) });
};

const context = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
const good = {
  securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  containers: [{ name: 'c', securityContext: context }],
};
const plain = { containers: [{ name: 'c' }] };
const privileged = { containers: [{ name: 'c', securityContext: { privileged: true } }] };
const pod = (spec: object, metadata = {}): Sketch => ({ metadata: { name: 'p', namespace: 'ns', ...metadata }, spec });
const write = (spec: object, more: Partial<AdmissionAttributes> = {}) =>
  admitted(podSecurity(world), attributesFor('pods', pod(spec), more));

const plainFaults =
  'allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false), ' +
  'unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"]), ' +
  'runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true), ' +
  'seccompProfile (pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")';
const privilegedFault = 'privileged (container "c" must not set securityContext.privileged=true)';

describe('levels of a namespace', () => {
  it('enforce by refusing', async () => {
    await namespace({ enforce: 'restricted' });
    expect((await write(good)).refusal).toBeUndefined();
    const { refusal, warnings } = await write(plain);
    expect(refusal).toMatchObject({
      code: 403,
      message: `pods "p" is forbidden: violates PodSecurity "restricted:latest": ${plainFaults}`,
      details: { name: 'p', kind: 'pods' },
    });
    expect(warnings).toEqual([]);
  });

  it('warn and audit without refusing', async () => {
    await namespace({ warn: 'restricted', 'warn-version': 'v1.25', audit: 'baseline' });
    const { refusal, warnings, annotations } = await write(privileged);
    expect(refusal).toBeUndefined();
    expect(warnings).toEqual([`would violate PodSecurity "restricted:v1.25": ${privilegedFault}, ${plainFaults}`]);
    expect(annotations).toEqual({
      [`${prefix}enforce-policy`]: 'privileged:latest',
      [`${prefix}audit-violations`]: `would violate PodSecurity "baseline:latest": ${privilegedFault}`,
    });
  });

  it('audit, but do not warn about, what is refused', async () => {
    await namespace({ enforce: 'baseline', audit: 'restricted', warn: 'restricted' });
    const { refusal, warnings, annotations } = await write(privileged);
    expect(refusal?.message).toContain(`violates PodSecurity "baseline:latest": ${privilegedFault}`);
    expect(warnings).toEqual([]);
    expect(annotations[`${prefix}audit-violations`]).toContain('restricted:latest');
    expect(annotations[`${prefix}enforce-policy`]).toBe('baseline:latest');
  });

  it('do nothing without labels', async () => {
    await namespace({});
    expect(await write(privileged)).toMatchObject({ refusal: undefined, warnings: [] });
  });

  it('restrict when a label cannot be read', async () => {
    await namespace({ enforce: 'strict' });
    const { refusal, annotations } = await write(plain);
    expect(refusal?.message).toContain('violates PodSecurity "restricted:latest"');
    expect(annotations[`${prefix}error`]).toContain('must be one of privileged, baseline, restricted');
  });

  it('change with the namespace', async () => {
    const plugin = podSecurity(world);
    await namespace({ enforce: 'restricted' });
    expect((await admitted(plugin, attributesFor('pods', pod(plain)))).refusal).toBeDefined();
    await world.store.update('/namespaces//ns', ({ value }) => ({
      write: { ...value, metadata: { ...value.metadata, labels: {} } },
    }));
    expect((await admitted(plugin, attributesFor('pods', pod(plain)))).refusal).toBeUndefined();
  });

  it('need a namespace', async () => {
    expect((await write(plain)).refusal?.code).toBe(500);
  });
});

describe('the standards', () => {
  const judge = async (spec: object, { level = 'restricted', version = 'latest', annotations = {} } = {}) => {
    world = await pluginWorld();
    await namespace({ enforce: level, 'enforce-version': version });
    const { refusal } = await admitted(podSecurity(world), attributesFor('pods', pod(spec, { annotations })));
    return refusal?.message?.replace(/^.*violates PodSecurity "[^"]+": /, '');
  };
  const goodWith = (more: object, ofContainer: object = {}) => ({
    ...good,
    ...more,
    containers: [{ name: 'c', securityContext: { ...context, ...ofContainer } }],
  });

  it.each<[string, object, string]>([
    [
      'host namespaces',
      { hostIPC: true, hostNetwork: true, hostPID: true },
      'host namespaces (hostNetwork=true, hostPID=true, hostIPC=true)',
    ],
    [
      'host paths',
      {
        volumes: [
          { name: 'a', hostPath: {} },
          { name: 'b', hostPath: {} },
        ],
      },
      'hostPath volumes (volumes "a", "b")',
    ],
    [
      'a host port',
      { containers: [{ name: 'c', ports: [{ hostPort: 0 }, { hostPort: 80 }] }] },
      'hostPort (container "c" uses hostPort 80)',
    ],
    [
      'host ports',
      {
        containers: [{ name: 'c', ports: [{ hostPort: 9 }] }],
        initContainers: [{ name: 'i', ports: [{ hostPort: 80 }] }],
      },
      'hostPort (containers "i", "c" use hostPorts 80, 9)',
    ],
    [
      'capabilities',
      { containers: [{ name: 'c', securityContext: { capabilities: { add: ['SYS_ADMIN', 'CHOWN', 'BPF'] } } }] },
      'non-default capabilities (container "c" must not include "BPF", "SYS_ADMIN" in securityContext.capabilities.add)',
    ],
    [
      'proc mounts',
      { containers: [{ name: 'c', securityContext: { procMount: 'Unmasked' } }] },
      'procMount (container "c" must not set securityContext.procMount to "Unmasked")',
    ],
    [
      'SELinux',
      {
        securityContext: { seLinuxOptions: { type: 'spc_t', user: 'u' } },
        containers: [{ name: 'c', securityContext: { seLinuxOptions: { role: 'r' } } }],
      },
      'seLinuxOptions (pod and container "c" set forbidden securityContext.seLinuxOptions: type "spc_t"; user may not be set; role may not be set)',
    ],
    [
      'seccomp',
      { securityContext: { seccompProfile: { type: 'Unconfined' } } },
      'seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")',
    ],
    [
      'sysctls',
      { securityContext: { sysctls: [{ name: 'net.core.somaxconn' }, { name: 'net.ipv4.tcp_syncookies' }] } },
      'forbidden sysctls (net.core.somaxconn)',
    ],
    [
      'host processes',
      { securityContext: { windowsOptions: { hostProcess: true } } },
      'hostProcess (pod must not set securityContext.windowsOptions.hostProcess=true)',
    ],
    [
      'ephemeral containers',
      { ephemeralContainers: [{ name: 'e', securityContext: { privileged: true } }] },
      'privileged (container "e" must not set securityContext.privileged=true)',
    ],
  ])('baseline refuses %s', async (_, spec, expected) => {
    expect(await judge({ ...plain, ...spec }, { level: 'baseline' })).toBe(expected);
  });

  it('baseline refuses profiles in annotations', async () => {
    const key = 'container.apparmor.security.beta.kubernetes.io/';
    const annotations = { [`${key}c`]: 'unconfined', [`${key}d`]: 'runtime/default', [`${key}e`]: 'localhost/x' };
    expect(await judge(plain, { level: 'baseline', annotations })).toBe(
      `forbidden AppArmor profile (${key}c="unconfined")`,
    );
    const seccomp = { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' };
    expect(await judge(plain, { level: 'baseline', version: 'v1.18', annotations: seccomp })).toContain(
      'seccompProfile',
    );
    expect(await judge(plain, { level: 'baseline', version: 'v1.19', annotations: seccomp })).toBeUndefined();
  });

  it('baseline lets pass what is common', async () => {
    const spec = {
      containers: [
        {
          name: 'c',
          securityContext: {
            capabilities: { add: ['CHOWN', 'NET_BIND_SERVICE'] },
            runAsUser: 0,
            procMount: 'Default',
            seLinuxOptions: { type: 'container_t', level: 's0' },
          },
        },
      ],
      volumes: [{ name: 'v', nfs: {} }],
    };
    expect(await judge(spec, { level: 'baseline' })).toBeUndefined();
  });

  it.each<[string, object, string]>([
    [
      'other volumes, without saying it twice',
      goodWith({
        volumes: [
          { name: 'a', hostPath: {} },
          { name: 'b', nfs: {} },
          { name: 'c', emptyDir: {} },
        ],
      }),
      'restricted volume types (volumes "a", "b" use restricted volume types "hostPath", "nfs")',
    ],
    [
      'capabilities, but for one',
      goodWith({}, { capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE', 'CHOWN'] } }),
      'unrestricted capabilities (container "c" must not include "CHOWN" in securityContext.capabilities.add)',
    ],
    [
      'root by the pod',
      goodWith({ securityContext: { ...good.securityContext, runAsUser: 0 } }),
      'runAsUser=0 (pod must not set runAsUser=0)',
    ],
    [
      'root by a container',
      goodWith({}, { runAsUser: 0, runAsNonRoot: false }),
      'runAsNonRoot != true (container "c" must not set securityContext.runAsNonRoot=false), runAsUser=0 (container "c" must not set runAsUser=0)',
    ],
    [
      'another profile',
      goodWith({}, { seccompProfile: { type: 'Unconfined' } }),
      'seccompProfile (container "c" must not set securityContext.seccompProfile.type to "Unconfined")',
    ],
  ])('restricted refuses %s', async (_, spec, expected) => {
    expect(await judge(spec)).toBe(expected);
  });

  it('restricted takes what each container says itself', async () => {
    const own = { ...context, runAsNonRoot: true, seccompProfile: { type: 'Localhost' } };
    expect(await judge({ containers: [{ name: 'c', securityContext: own }] })).toBeUndefined();
  });

  it('asks less in older versions, and of versions to come what it knows', async () => {
    const root = goodWith({ securityContext: { ...good.securityContext, runAsUser: 0 } });
    expect(await judge(root, { version: 'v1.22' })).toBeUndefined();
    expect(await judge(root, { version: 'v1.23' })).toContain('runAsUser=0');
    expect(await judge(root, { version: 'v1.99' })).toContain('runAsUser=0');
    expect(await judge(plain, { version: 'v1.7' })).toMatch(/^runAsNonRoot != true \([^)]*\)$/);
    expect(await judge(plain, { version: 'v1.8' })).toMatch(/^allowPrivilegeEscalation != false/);
  });

  it('asks of Windows only what it has', async () => {
    const windows = { os: { name: 'windows' }, securityContext: { runAsNonRoot: true }, containers: [{ name: 'c' }] };
    expect(await judge(windows)).toBeUndefined();
    expect(await judge(windows, { version: 'v1.24' })).toContain('allowPrivilegeEscalation');
  });
});

describe('updates of pods', () => {
  it('are judged when they bring images, containers or profiles', async () => {
    await namespace({ enforce: 'baseline' });
    const old = pod(privileged) as never;
    const update = async (next: Sketch, more = {}) =>
      (await admitted(podSecurity(world), attributesFor('pods', next, { oldObject: old, ...more }))).refusal?.code;
    expect(await update(pod(privileged, { labels: { a: 'b' } }))).toBeUndefined();
    expect(await update(pod({ ...privileged, tolerations: [{}] }))).toBeUndefined();
    expect(await update(pod({ containers: [{ ...privileged.containers[0], image: 'new' }] }))).toBe(403);
    expect(
      await update(pod(privileged, { annotations: { 'container.apparmor.security.beta.kubernetes.io/c': 'x' } })),
    ).toBe(403);
    const debug = pod({ ...privileged, ephemeralContainers: [{ name: 'debug' }] });
    expect(await update(debug, { subresource: 'ephemeralcontainers' })).toBe(403);
    expect(await update(debug, { subresource: 'status' })).toBeUndefined();
  });
});

describe('what makes pods', () => {
  it.each<[string, object]>([
    ['deployments.apps', { spec: { template: { spec: privileged } } }],
    ['daemonsets.apps', { spec: { template: { spec: privileged } } }],
    ['replicationcontrollers', { spec: { template: { spec: privileged } } }],
    ['jobs.batch', { spec: { template: { spec: privileged } } }],
    ['cronjobs.batch', { spec: { jobTemplate: { spec: { template: { spec: privileged } } } } }],
    ['podtemplates', { template: { spec: privileged } }],
  ])('%s is warned about, never refused', async (resource, object) => {
    await namespace({ enforce: 'restricted', warn: 'baseline', audit: 'baseline' });
    const { refusal, warnings, annotations } = await admitted(
      podSecurity(world),
      attributesFor(resource, object as Sketch),
    );
    expect(refusal).toBeUndefined();
    expect(warnings).toEqual([`would violate PodSecurity "baseline:latest": ${privilegedFault}`]);
    expect(Object.keys(annotations)).toEqual([`${prefix}audit-violations`]);
  });

  it('is left alone without a template, and when only its size changes', async () => {
    await namespace({ warn: 'restricted' });
    const bare = await admitted(podSecurity(world), attributesFor('replicationcontrollers', { spec: {} }));
    expect(bare.warnings).toEqual([]);
    expect(caresAbout(podSecurity(world), attributesFor('deployments.apps', {}, { subresource: 'scale' }))).toBe(false);
  });
});

describe('labels of namespaces', () => {
  const label = (labels: Record<string, string>, old?: Record<string, string>) =>
    admitted(
      podSecurity(world),
      attributesFor(
        'namespaces',
        { metadata: { name: 'ns', labels: labelled(labels) } },
        {
          namespace: 'ns',
          ...(old && { oldObject: { metadata: { name: 'ns', labels: labelled(old) } } as never }),
        },
      ),
    );

  it('must be right on a create, and on an update that spoils them', async () => {
    expect((await label({ enforce: 'strict', 'warn-version': '1.25' })).refusal).toMatchObject({
      code: 422,
      message:
        'Namespace "ns" is invalid: [metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "strict": must be one of privileged, baseline, restricted, metadata.labels[pod-security.kubernetes.io/warn-version]: Invalid value: "1.25": must be "latest" or "v1.x"]',
      details: { name: 'ns', kind: 'Namespace' },
    });
    expect((await label({ enforce: 'strict' }, {})).refusal?.code).toBe(422);
    expect((await label({ enforce: 'strict' }, { enforce: 'wrong' })).refusal?.code).toBe(422);
    expect((await label({ enforce: 'strict', warn: 'baseline' }, { enforce: 'strict' })).refusal).toBeUndefined();
    expect((await label({ enforce: 'baseline', 'enforce-version': 'v1.0' })).refusal).toBeUndefined();
  });

  const podNamed = (name: string, spec: object) =>
    world.put('pods', { ...pod(spec), metadata: { name, namespace: 'ns' } });

  it('warn of pods that break a stricter level', async () => {
    for (const name of ['b', 'a', 'd']) await podNamed(name, privileged);
    await podNamed('c', { ...plain, hostPID: true });
    await podNamed('fine', plain);
    expect((await label({ enforce: 'baseline' }, {})).warnings).toEqual([
      'existing pods in namespace "ns" violate the new PodSecurity enforce level "baseline:latest"',
      'a (and 2 other pods): privileged',
      'c: host namespaces',
    ]);
  });

  it('look at three thousand pods, and say so where there are more', async () => {
    for (let n = 0; n < 3002; n++)
      await podNamed(`p-${String(n).padStart(4, '0')}`, n > 1 && n < 3000 ? plain : privileged);
    expect((await label({ enforce: 'baseline' }, {})).warnings).toEqual([
      'new PodSecurity enforce level only checked against the first 3000 of 3002 existing pods',
      'existing pods in namespace "ns" violate the new PodSecurity enforce level "baseline:latest"',
      'p-0000 (and 1 other pod): privileged',
    ]);
  });

  it.each<[string, Record<string, string>, Record<string, string>]>([
    ['the level stays', { enforce: 'baseline' }, { enforce: 'baseline' }],
    ['it is relaxed', { enforce: 'baseline' }, { enforce: 'restricted' }],
    ['it is lifted', { enforce: 'privileged', 'enforce-version': 'v1.24' }, { enforce: 'restricted' }],
    ['another mode changes', { warn: 'restricted' }, {}],
  ])('do not warn when %s', async (_, next, old) => {
    await podNamed('a', privileged);
    expect((await label(next, old)).warnings).toEqual([]);
  });

  const vain = (what: string) => [`namespace "ns" is exempt from Pod Security: ${what} counts for nothing there`];

  it.each<[string, Record<string, string>, Record<string, string> | undefined, readonly string[]]>([
    ['a level', { enforce: 'baseline' }, undefined, vain('enforce=baseline:latest')],
    [
      'several',
      { enforce: 'baseline', warn: 'restricted', 'warn-version': 'v1.24', audit: 'privileged' },
      {},
      vain('enforce=baseline:latest, warn=restricted:v1.24'),
    ],
    ['none', { enforce: 'privileged' }, undefined, []],
    ['what is so by default', { warn: 'baseline' }, undefined, []],
    ['no other level', { enforce: 'baseline' }, { enforce: 'baseline' }, []],
    ['only warnings, later', { warn: 'restricted' }, {}, []],
  ])('of an exempt namespace ask in vain for %s', async (_, labels, old, warnings) => {
    await configured({ defaults: { warn: 'baseline' }, exemptions: { namespaces: ['ns'] } });
    await podNamed('a', privileged);
    expect((await label(labels, old)).warnings).toEqual(warnings);
  });
});

describe('the configuration', () => {
  it('gives levels to namespaces without labels', async () => {
    await configured({ defaults: { enforce: 'baseline', 'enforce-version': 'v1.24' } });
    await namespace({});
    expect((await write(privileged)).refusal?.message).toContain('violates PodSecurity "baseline:v1.24"');
  });

  it.each([
    ['namespace', { namespaces: ['ns'] }],
    ['user', { usernames: ['bob'] }],
    ['runtimeClass', { runtimeClasses: ['sandbox'] }],
  ])('exempts by %s', async (what, exemptions) => {
    await configured({ exemptions });
    await namespace({ enforce: 'restricted' });
    const { refusal, annotations } = await write({ ...privileged, runtimeClassName: 'sandbox' });
    expect(refusal).toBeUndefined();
    expect(annotations).toEqual({ [`${prefix}exempt`]: what });
  });

  it.each([
    ['another kind', { kind: 'Other' }],
    ['an unknown level', { defaults: { enforce: 'strict' } }],
    ['an unknown version', { defaults: { 'warn-version': '1' } }],
    ['an exemption of nobody', { exemptions: { usernames: [''] } }],
    ['an exemption that is no list of texts', { exemptions: { namespaces: [1] } }],
  ])('is refused with %s', async (_, configuration) => {
    await configured(configuration);
    expect(() => podSecurity(world)).toThrow('PodSecurity');
  });
});
