import type { Json } from '../../verbs/json.ts';
import { image } from '../../verbs/pods.ts';
import type { Parts } from './judged-kind.ts';
import { podsOf } from './workload-parts.ts';

/** Behind one that is sound. */
const containers = (...all: readonly Json[]): Json =>
  podsOf({ containers: [{}, ...all].map((one, at) => ({ name: `c${at}`, image, ...one })) });
const beginning = (...all: readonly Json[]): Json =>
  podsOf({ initContainers: all.map((one, at) => ({ name: `i${at}`, image, ...one })) });

const from = (valueFrom: Json): Json => containers({ env: [{ name: 'A', valueFrom }] });
const field = (fieldRef: Json): Json => from({ fieldRef: { fieldPath: 'metadata.name', ...fieldRef } });
const resource = (resourceFieldRef: Json): Json =>
  from({ resourceFieldRef: { resource: 'limits.cpu', ...resourceFieldRef } });
const allFrom = (source: Json): Json => containers({ envFrom: [source] });

/** Of a value by its key, and of all that there are, in a ConfigMap and in a Secret. */
const ofMaps = (['configMap', 'secret'] as const).flatMap((map): (readonly [string, Json])[] => [
  [`a value of a ${map} without its name`, from({ [`${map}KeyRef`]: { name: '', key: 'a' } })],
  [`a value of a ${map} by a bad name`, from({ [`${map}KeyRef`]: { name: 'Not_A_Name', key: 'a' } })],
  [`a value of a ${map} by no key`, from({ [`${map}KeyRef`]: { name: 'a', key: '' } })],
  [`a value of a ${map} by a bad key`, from({ [`${map}KeyRef`]: { name: 'a', key: 'not a key!' } })],
  [`values of a ${map} without its name`, allFrom({ [`${map}Ref`]: { name: '' } })],
  [`values of a ${map} by a bad name`, allFrom({ [`${map}Ref`]: { name: 'Not_A_Name' } })],
]);

const ofValues: Parts = {
  ...Object.fromEntries(ofMaps),
  'a field of another version': field({ apiVersion: 'v2' }),
  'no field': field({ fieldPath: '' }),
  'a field that values do not tell': field({ fieldPath: 'metadata.labels' }),
  'a label by a bad key': field({ fieldPath: "metadata.labels['Not A Key']" }),
  'no resource': resource({ resource: '' }),
  'a resource that there is not': resource({ resource: 'limits.other' }),
  'a resource of a container that is not asked for': resource({ resource: 'limits.storage' }),
  'processors by a part that is none': resource({ divisor: '2m' }),
  'memory by a part of a byte': resource({ resource: 'requests.memory', divisor: '1m' }),
  'values with an equals sign in front': allFrom({ prefix: 'A=', configMapRef: { name: 'a' } }),
};

const ports = (...all: readonly Json[]): Json => ({ ports: all.map((one) => ({ containerPort: 80, ...one })) });
const once = ports({ hostPort: 81 });

const ofPorts: Parts = {
  'a port of the host beyond the last': containers(ports({ hostPort: 65_536 })),
  'a name of a port of 16 letters': containers(ports({ name: 'a'.repeat(16) })),
  'a name of a port in capitals': containers(ports({ name: 'WEB' })),
  'a name of a port with two hyphens': containers(ports({ name: 'a--b' })),
  'a port of the host that two have': containers(once, once),
  'a port of the host twice in what begins': beginning(ports({ hostPort: 81 }, { containerPort: 82, hostPort: 81 })),
};

const asking = (requests: Json, limits: Json): Json => containers({ resources: { requests, limits } });
const device = 'touchstone.example/device';
const pages = 'hugepages-2Mi';

const ofResources: Parts = {
  'half a device': asking({}, { [device]: '500m' }),
  'a device that is asked for without a limit': asking({ [device]: '1' }, {}),
  'fewer devices asked for than given': asking({ [device]: '1' }, { [device]: '2' }),
  'a resource that containers do not have': asking({}, { storage: '1Gi' }),
  'what quotas count': asking({}, { pods: '1' }),
  'a resource by a bad name': asking({}, { 'Not A Name': '1' }),
  'a device of a bad name': asking({}, { 'touchstone.example/Not A Name': '1' }),
  'a limit below nothing': asking({}, { memory: '-1' }),
  'part of a huge page': asking({}, { [pages]: '3Mi', memory: '1Gi' }),
  'huge pages without memory': asking({}, { [pages]: '2Mi' }),
  'huge pages that are asked for without a limit': asking({ [pages]: '2Mi', memory: '1Gi' }, {}),
  'fewer huge pages asked for than given': asking({ [pages]: '2Mi' }, { [pages]: '4Mi', memory: '1Gi' }),
  'huge pages of no size': asking({}, { 'hugepages-0': '2Mi', memory: '1Gi' }),
};

const httpGet = { port: 80 };
const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;
const counts = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];
const hooks = ['postStart', 'preStop'] as const;
const hook = (name: string, handler: Json): Json => containers({ lifecycle: { [name]: handler } });

const ofProbes: Parts = {
  ...Object.fromEntries(probes.map((probe) => [`a ${probe} of nothing`, containers({ [probe]: {} })])),
  ...Object.fromEntries(
    counts.map((count) => [`${count} below none`, containers({ readinessProbe: { httpGet, [count]: -1 } })]),
  ),
  'a probe of a port by a bad name': containers({ readinessProbe: { httpGet: { port: 'Not A Port' } } }),
  'a probe of a port by no letter': containers({ startupProbe: { tcpSocket: { port: '80' } } }),
  'a probe of no port of the network': containers({ startupProbe: { tcpSocket: { port: 0 } } }),
};

const ofHooks: Parts = Object.fromEntries(
  hooks.flatMap((name) => [
    [`nothing at ${name}`, hook(name, {})],
    [`two things at ${name}`, hook(name, { httpGet, tcpSocket: httpGet })],
    [`no command at ${name}`, hook(name, { exec: { command: [] } })],
    [`a port beyond the last at ${name}`, hook(name, { tcpSocket: { port: 65_536 } })],
  ]),
);

/** Who begins is not asked for its health, and tells nobody that it begins or ends. */
const ofBeginnings: Parts = {
  ...Object.fromEntries(probes.map((probe) => [`a ${probe} of what begins`, beginning({ [probe]: { httpGet } })])),
  'a hook of what begins': beginning({ lifecycle: { preStop: { httpGet } } }),
  'two that begin by one name': beginning({ name: 'i' }, {}, { name: 'i' }),
  'one that begins without a name': beginning({ name: '' }),
  'one that begins without an image': beginning({ image: '' }),
  'one that begins with a mount of what is not there': beginning({ volumeMounts: [{ name: 'none', mountPath: '/a' }] }),
};

const inside = (mounts: Json, devices: Json = []): Json =>
  podsOf({
    volumes: ['a', 'b'].map((name) => ({ name, persistentVolumeClaim: { claimName: name } })),
    containers: [{ name: 'c', image, volumeMounts: mounts, volumeDevices: devices }],
  });
const mount = (parts: Json): Json => inside([{ name: 'a', mountPath: '/a', ...parts }]);

const ofMounts: Parts = {
  'a mount of no volume': mount({ name: '' }),
  'a mount of what is anywhere': mount({ subPath: '/a' }),
  'a mount of what may be anywhere': mount({ subPathExpr: '/a' }),
  'a mount of what may be above': mount({ subPathExpr: 'a/../b' }),
  'a mount at the path of a device': inside([{ name: 'a', mountPath: '/a' }], [{ name: 'b', devicePath: '/a' }]),
  'two devices at one path': inside(
    [],
    ['a', 'b'].map((name) => ({ name, devicePath: '/a' })),
  ),
};

/** What containers of a template may not have, and those that begin. */
export const unfitContainers: Parts = {
  ...{ ...ofValues, ...ofPorts, ...ofResources, ...ofProbes },
  ...{ ...ofHooks, ...ofBeginnings, ...ofMounts },
};

const told = [
  ...['metadata.name', 'metadata.namespace', 'metadata.uid', "metadata.labels['a.b/c']", "metadata.annotations['a']"],
  ...['spec.nodeName', 'spec.serviceAccountName', 'status.hostIP', 'status.podIP', 'status.podIPs'],
];
const amounts = ['cpu', 'memory', 'ephemeral-storage'].flatMap((name) => [`limits.${name}`, `requests.${name}`]);
const divisors = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];
const values = (all: readonly Json[]): Json =>
  containers({ env: all.map((valueFrom, at) => ({ name: `A${at}`, valueFrom })) });

export const fittingContainers: Parts = {
  'every field that a value may tell': values(told.map((fieldPath) => ({ fieldRef: { fieldPath } }))),
  'every amount that a value may tell': values(amounts.map((name) => ({ resourceFieldRef: { resource: name } }))),
  'every part by which an amount is told': values([
    ...divisors.map((divisor) => ({ resourceFieldRef: { resource: 'limits.memory', divisor } })),
    ...['1', '1m'].map((divisor) => ({ resourceFieldRef: { resource: 'limits.cpu', divisor } })),
    { resourceFieldRef: { resource: 'limits.hugepages-2Mi', divisor: '1Mi' } },
  ]),
  'values of both maps': containers({
    envFrom: [{ prefix: 'A_', configMapRef: { name: 'a' } }, { secretRef: { name: 'a', optional: true } }],
  }),
  'every protocol on one port': containers(
    ports(...['TCP', 'UDP', 'SCTP'].map((protocol) => ({ protocol, hostPort: 81 }))),
  ),
  'a port of the host at two addresses': containers(
    ports({ hostPort: 81, hostIP: '10.0.0.1' }, { hostPort: 81, hostIP: '10.0.0.2' }),
  ),
  'a port of the host that is had one after another': beginning(once, once),
  'a name of a port of 15 letters': containers(ports({ name: 'a'.repeat(15) })),
  'whole devices and pages': asking(
    { [device]: '2', [pages]: '4Mi', 'ephemeral-storage': '1Mi' },
    { [device]: '2', [pages]: '4Mi', memory: '1Gi' },
  ),
  'a resource of the system': asking({}, { 'kubernetes.io/some': '1' }),
  'nothing at all asked for': asking({ cpu: '0' }, { cpu: '0', memory: '0' }),
  'probes of no delay': containers(
    Object.fromEntries(probes.map((probe) => [probe, { httpGet, initialDelaySeconds: 0 }])),
  ),
  'both hooks': containers({ lifecycle: { postStart: { exec: { command: ['a'] } }, preStop: { tcpSocket: httpGet } } }),
  'a part of a volume by a variable': mount({ subPathExpr: '$(A)/b' }),
};
