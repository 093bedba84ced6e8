import type { Json } from '../../verbs/json.ts';
import { merged } from '../../verbs/merged.ts';
import { image } from '../../verbs/pods.ts';
import { type Parts, spec } from './judged-kind.ts';

const container = (parts: Json, more: Json = {}): Json =>
  spec({ containers: [{ name: 'c0', image, ...parts }], ...more });
const claimed = { volumes: [{ name: 'a', persistentVolumeClaim: { claimName: 'none' } }] };
const devices = (volume: Json, ...all: readonly Json[]): Json =>
  container({ volumeDevices: all.map((one) => ({ name: 'a', devicePath: '/dev/a', ...one })) }, volume);
const emptied = { volumes: [{ name: 'a', emptyDir: {} }] };
const mounted = (more: Json): Json => container({ volumeMounts: [{ name: 'a', mountPath: '/a', ...more }] }, emptied);

const ofFiles: Parts = {
  'a mount that its node is to see, of no great rights': mounted({ mountPropagation: 'Bidirectional' }),
  'a mount that others see in an unknown way': mounted({ mountPropagation: 'Other' }),
  'a device of what is none': devices(emptied, {}),
  'a device of nothing': devices(claimed, { name: 'none' }),
  'a device at no path': devices(claimed, { devicePath: '' }),
  'a device of what is above': devices(claimed, { devicePath: '/dev/../a' }),
  'one device twice': devices(claimed, {}, { devicePath: '/dev/b' }),
  'what is a device and a mount': container(
    { volumeDevices: [{ name: 'a', devicePath: '/dev/a' }], volumeMounts: [{ name: 'a', mountPath: '/a' }] },
    claimed,
  ),
};

const namedBy = (dnsConfig: Json): Json =>
  spec({ dnsPolicy: 'None', dnsConfig: { nameservers: ['10.0.0.1'], ...dnsConfig } });

const ofNames: Parts = {
  'four servers of names': namedBy({ nameservers: [1, 2, 3, 4].map((last) => `10.0.0.${last}`) }),
  'a server of names at no address': namedBy({ nameservers: ['10.0.0.1', 'nowhere'] }),
  '33 places to look for names': namedBy({ searches: Array.from({ length: 33 }, (_, at) => `a${at}.example`) }),
  'a place to look for names that is none': namedBy({ searches: ['a.example', 'not a domain!'] }),
  'a setting of names without its own': namedBy({ options: [{ name: 'ndots', value: '1' }, { value: '1' }] }),
  'an alias that is no name': spec({ hostAliases: [{ ip: '10.0.0.1', hostnames: ['a', 'Not A Name'] }] }),
  'another port of a host whose network it has': container(
    { ports: [{ containerPort: 80, hostPort: 81 }] },
    { hostNetwork: true },
  ),
};

/** Something of a pod as a whole and of a container of it. */
const guarded = (what: string, securityContext: Json): Parts => ({
  [what]: spec({ securityContext }),
  [`${what}, of a container`]: container({ securityContext }),
});
const calls = (what: string, seccompProfile: Json): Parts => guarded(what, { seccompProfile });
const settings = (...sysctls: readonly Json[]): Json =>
  spec({
    securityContext: { sysctls: sysctls.map((one) => ({ name: 'kernel.shm_rmid_forced', value: '1', ...one })) },
  });

const ofRights: Parts = {
  ...calls('bounds of calls in no file', { type: 'Localhost' }),
  ...calls('bounds of calls anywhere', { type: 'Localhost', localhostProfile: '/a' }),
  ...calls('bounds of calls above', { type: 'Localhost', localhostProfile: '../a' }),
  ...calls('a file of bounds that are the usual ones', { type: 'RuntimeDefault', localhostProfile: 'a' }),
  ...calls('unknown bounds of calls', { type: 'Other' }),
  ...guarded('a group of its processes below none', { runAsGroup: -1 }),
  'a further group below none': spec({ securityContext: { supplementalGroups: [1, -1] } }),
  'an unknown way to give files to a group': spec({ securityContext: { fsGroupChangePolicy: 'Other' } }),
  'all of the system and no more': container({
    securityContext: { allowPrivilegeEscalation: false, capabilities: { add: ['CHOWN', 'CAP_SYS_ADMIN'] } },
  }),
  'its own processes and those of its node': spec({ shareProcessNamespace: true, hostPID: true }),
  'a setting without a name': settings({}, { name: '' }),
  'a setting of no name': settings({}, { name: 'not a name' }),
  'one setting twice': settings({}, { value: '0' }),
};

const tolerating = (toleration: Json): Json => spec({ tolerations: [{ operator: 'Exists' }, toleration] });
const nodes = (nodeAffinity: Json): Json => spec({ affinity: { nodeAffinity } });
const needing = (...nodeSelectorTerms: readonly Json[]): Json =>
  nodes({ requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } });
const term = (expression: Json): Json => ({ matchExpressions: [{ key: 'a', operator: 'Exists', ...expression }] });
const field = (expression: Json): Json =>
  needing(term({}), { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a'], ...expression }] });
const preferring = (weight: number, preference: Json = term({})): Json =>
  nodes({
    preferredDuringSchedulingIgnoredDuringExecution: [1, weight].map((each, at) => ({
      weight: each,
      preference: at === 0 ? term({}) : preference,
    })),
  });

const ofNodes: Parts = {
  'a toleration of a bad key': tolerating({ key: 'Not A Key', operator: 'Exists' }),
  'a toleration of a bad value': tolerating({ key: 'a', operator: 'Equal', value: 'not a value' }),
  'nodes by no terms': needing(),
  'nodes by a bad key': needing(term({}), term({ key: 'Not A Key' })),
  'nodes by a field that they do not have': field({ key: 'metadata.other' }),
  'nodes by a field that is there': field({ operator: 'Exists', values: undefined }),
  'nodes by two names': field({ values: ['a', 'b'] }),
  'nodes by a bad name': field({ values: ['Not_A_Name'] }),
  'nodes that are preferred by nothing': preferring(0),
  'nodes that are preferred by more than all': preferring(101),
  'nodes that are preferred by no choice': preferring(1, term({ operator: 'Other' })),
  'one spread twice': spec({
    topologySpreadConstraints: [1, 2].map((maxSkew) => ({
      ...{ maxSkew, topologyKey: 'a', whenUnsatisfiable: 'DoNotSchedule' },
    })),
  }),
};

/** Of pods that a pod wants near or far, in each of the four ways to say so, behind one that is sound. */
function near(what: string, parts: Json): Parts {
  const sound = { topologyKey: 'a', labelSelector: {} };
  const terms = [sound, { ...sound, ...parts }];
  return Object.fromEntries(
    ['podAffinity', 'podAntiAffinity'].flatMap((side) => [
      [
        `${what}, of ${side}`,
        spec({ affinity: { [side]: { requiredDuringSchedulingIgnoredDuringExecution: terms } } }),
      ],
      [
        `${what}, as ${side} prefers`,
        spec({
          affinity: {
            [side]: {
              preferredDuringSchedulingIgnoredDuringExecution: terms.map((podAffinityTerm) => ({
                ...{ weight: 1, podAffinityTerm },
              })),
            },
          },
        }),
      ],
    ]),
  );
}

const ofOthers: Parts = {
  ...near('pods nowhere', { topologyKey: '' }),
  ...near('pods where nothing can be', { topologyKey: 'Not A Key' }),
  ...near('pods of no namespace', { namespaces: ['a', 'Not_A_Name'] }),
  ...near('pods by no selector', { labelSelector: { matchLabels: { 'Not A Key': 'a' } } }),
};

/** What a pod may not have around it: files, names, rights, nodes and other pods. */
export const unfitPlaces: Parts = { ...ofFiles, ...ofNames, ...ofRights, ...ofNodes, ...ofOthers };

export const fittingPlaces: Parts = {
  'a device': devices(claimed, {}),
  'a mount that sees those of its node': mounted({ mountPropagation: 'HostToContainer' }),
  'three servers of names': namedBy({
    nameservers: ['10.0.0.1', '10.0.0.2', 'fd00::1'],
    searches: ['a.example', 'b.example.'],
    options: [{ name: 'ndots', value: '1' }, { name: 'edns0' }],
  }),
  'six places to look for names': namedBy({ searches: Array.from({ length: 6 }, (_, at) => `a${at}.example`) }),
  ...calls('bounds of calls in a file', { type: 'Localhost', localhostProfile: 'a/b.json' }),
  'settings with dots and with slashes': settings({}, { name: 'net.ipv4.ip_local_port_range', value: '1 2' }),
  'a node by its name': field({}),
  'nodes that are preferred': preferring(100),
  ...near('pods of a namespace', { namespaces: ['a'] }),
};

const system = (name: string, more: Json = {}): Json => spec({ os: { name }, ...more });
const onWindows = (securityContext: Json): Json => system('windows', { securityContext });
const inWindows = (securityContext: Json): Json => merged(system('windows'), container({ securityContext }));
const windowsOptions = { runAsUserName: 'a' };

/** What is of another system than that of the pod. */
export const unfitSystems: Parts = {
  'no system': system(''),
  'an unknown system': system('other'),
  'what Windows has, on Linux': system('linux', { securityContext: { windowsOptions } }),
  'what a container of Windows has, on Linux': merged(
    system('linux'),
    container({ securityContext: { windowsOptions } }),
  ),
  ...Object.fromEntries(
    Object.entries({
      ...{ runAsUser: 1, runAsGroup: 1, fsGroup: 1, supplementalGroups: [1], seLinuxOptions: { user: 'a' } },
      ...{ seccompProfile: { type: 'RuntimeDefault' }, sysctls: [{ name: 'a.b', value: '1' }] },
      fsGroupChangePolicy: 'Always',
    }).map(([name, value]) => [`${name} on Windows`, onWindows({ [name]: value })]),
  ),
  ...Object.fromEntries(
    Object.entries({
      ...{ runAsUser: 1, runAsGroup: 1, seLinuxOptions: { user: 'a' }, seccompProfile: { type: 'RuntimeDefault' } },
      ...{ capabilities: { drop: ['ALL'] }, readOnlyRootFilesystem: true, privileged: true },
      allowPrivilegeEscalation: true,
    }).map(([name, value]) => [`${name} of a container on Windows`, inWindows({ [name]: value })]),
  ),
  ...Object.fromEntries(
    ['hostPID', 'hostIPC', 'shareProcessNamespace'].map((name) => [
      `${name} on Windows`,
      system('windows', { [name]: true }),
    ]),
  ),
};

export const fittingSystems: Parts = {
  'Linux and what it has': system('linux', { securityContext: { runAsUser: 1, seLinuxOptions: { user: 'a' } } }),
  'Windows and what it has': onWindows({ windowsOptions, runAsNonRoot: true }),
};
