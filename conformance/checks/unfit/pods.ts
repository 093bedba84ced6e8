import type { Json } from '../../verbs/json.ts';
import { kindPaths } from '../../verbs/kinds.ts';
import { image, preparePods } from '../../verbs/pods.ts';
import { type JudgedKind, judged, spec } from './judged-kind.ts';
import { fittingPlaces, fittingSystems, unfitPlaces, unfitSystems } from './placed-pods.ts';
import { fittingVolumes, unfitVolumes } from './volumes.ts';

const containers = (...all: readonly Json[]): Json =>
  spec({ containers: all.map((one, at) => ({ name: `c${at}`, image, ...one })) });
const tolerating = (toleration: Json): Json => spec({ tolerations: [{ key: 'a', ...toleration }] });
const env = (one: Json): Json => containers({ env: [{ name: 'A', ...one }] });
const fieldRef = { fieldPath: 'metadata.name' };
const httpGet = { port: 80 };
const probing = (probe: Json, which = 'livenessProbe'): Json => containers({ [which]: probe });
const mounting = (...mounts: readonly Json[]): Json => ({
  spec: {
    volumes: [{ name: 'a', emptyDir: {} }],
    containers: [
      { name: 'c0', image, volumeMounts: mounts.map((mount) => ({ name: 'a', mountPath: '/a', ...mount })) },
    ],
  },
});
const spreading = (parts: Json): Json =>
  spec({ topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'a', whenUnsatisfiable: 'DoNotSchedule', ...parts }] });
const placing = (term: Json): Json =>
  spec({
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } } },
  });
const chosen = (expression: Json): Json => placing({ matchExpressions: [{ key: 'a', ...expression }] });
const guarded = (securityContext: Json): Json => containers({ securityContext });
const port = (...all: readonly Json[]): Json => containers({ ports: all });

const refused: Readonly<Record<string, Json>> = {
  'a port without a number': port({}),
  'an unknown protocol': port({ containerPort: 80, protocol: 'OTHER' }),
  'two ports of one name': port(...['a', 'b', 'a'].map((name, at) => ({ name, containerPort: 80 + at }))),
  'a port of the host twice': port(...[80, 82, 80].map((hostPort, at) => ({ containerPort: 80 + at, hostPort }))),
  'a name of a port without a letter': port({ name: '80', containerPort: 80 }),
  'a container to begin with of the same name': {
    spec: { initContainers: [{ name: 'c0', image }], containers: [{ name: 'c0', image }] },
  },
  'a probe of nothing': probing({}),
  'a probe of two ways': probing({ httpGet, tcpSocket: { port: 80 } }),
  'a probe of no port': probing({ httpGet: {} }),
  'a probe beyond the last port': probing({ tcpSocket: { port: 65_536 } }),
  'a probe of an unknown scheme': probing({ httpGet: { port: 80, scheme: 'OTHER' } }),
  'a probe with a header that is none': probing({
    httpGet: { port: 80, httpHeaders: [{ name: 'not a name', value: 'a' }] },
  }),
  'a probe of no command': probing({ exec: { command: [] } }),
  'a probe each less than no time': probing({ httpGet, periodSeconds: -1 }),
  'a probe of life that has to succeed twice': probing({ httpGet, successThreshold: 2 }),
  'a probe of the start that has to succeed twice': probing({ httpGet, successThreshold: 2 }, 'startupProbe'),
  'a value without a name': env({ name: '' }),
  'a value with an equals sign in its name': env({ name: 'A=B' }),
  'a value from two places': env({ value: 'a', valueFrom: { fieldRef } }),
  'a value of an unknown field': env({ valueFrom: { fieldRef: { fieldPath: 'spec.other' } } }),
  'a value of a secret without its key': env({ valueFrom: { secretKeyRef: { name: 'a' } } }),
  'values from nowhere': containers({ envFrom: [{}] }),
  'values from two places': containers({ envFrom: [{ configMapRef: { name: 'a' }, secretRef: { name: 'a' } }] }),
  'a mount at no path': mounting({ mountPath: '' }),
  'two mounts at one path': mounting({}, {}),
  'a mount of what is above': mounting({ subPath: '../a' }),
  'a mount of two paths': mounting({ subPath: 'a', subPathExpr: 'b' }),
  'less than nothing asked for': containers({ resources: { requests: { cpu: '-1' } } }),
  'an unknown resource': containers({ resources: { requests: { other: '1' } } }),
  'a toleration of a value that has to be there': tolerating({ operator: 'Exists', value: 'a' }),
  'an unknown toleration': tolerating({ operator: 'Other' }),
  'a toleration of an unknown effect': tolerating({ operator: 'Exists', effect: 'Other' }),
  'a toleration for a time of what does not evict': tolerating({
    ...{ operator: 'Exists', effect: 'NoSchedule', tolerationSeconds: 1 },
  }),
  'a toleration of no key': tolerating({ key: '', operator: 'Equal' }),
  'a node of no choice': chosen({ operator: 'In', values: [] }),
  'a node of an unknown choice': chosen({ operator: 'Other' }),
  'a node that has to be there with a value': chosen({ operator: 'Exists', values: ['a'] }),
  'a node greater than two': chosen({ operator: 'Gt', values: ['1', '2'] }),
  'nodes of a bad label': spec({ nodeSelector: { a: 'not a value' } }),
  'no spread': spreading({ maxSkew: 0 }),
  'a spread over nothing': spreading({ topologyKey: '' }),
  'a spread of an unknown way': spreading({ whenUnsatisfiable: 'Other' }),
  'who gets all rights and no more': guarded({ privileged: true, allowPrivilegeEscalation: false }),
  'a user below none': guarded({ runAsUser: -1 }),
  'a group below none': spec({ securityContext: { fsGroup: -1 } }),
  'an alias at no address': spec({ hostAliases: [{ ip: 'nowhere', hostnames: ['a'] }] }),
  'names of its own and none': spec({ dnsPolicy: 'None' }),
  'a gate that is no name': spec({ readinessGates: [{ conditionType: 'not a name' }] }),
  'a hook of nothing': containers({ lifecycle: { preStop: {} } }),
  'what is sent at the end, somewhere else': containers({ terminationMessagePolicy: 'Other' }),
};

const fitting: Readonly<Record<string, Json>> = {
  'a port of two protocols': port(
    { name: 'a', containerPort: 80, protocol: 'TCP' },
    { name: 'b', containerPort: 80, protocol: 'UDP' },
  ),
  'a probe of the other scheme': probing({ httpGet: { port: 80, scheme: 'HTTPS' } }),
  'a probe of a named port': probing({ httpGet: { port: 'web' } }),
  'a probe that has to succeed twice': probing({ httpGet, successThreshold: 2 }, 'readinessProbe'),
  'a probe of a command': probing({ exec: { command: ['true'] } }),
  'a value of a field': env({ valueFrom: { fieldRef } }),
  'no value': env({}),
  'a mount of a part': mounting({ subPath: 'a/b' }, { mountPath: '/b', subPathExpr: 'b' }),
  'a toleration of everything': spec({ tolerations: [{ operator: 'Exists' }] }),
  'a toleration for a time': tolerating({ operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 0 }),
  'a node of one of two': chosen({ operator: 'In', values: ['a', 'b'] }),
  'a node greater than one': chosen({ operator: 'Gt', values: ['1'] }),
  'a spread': spreading({ whenUnsatisfiable: 'ScheduleAnyway' }),
  'a user': guarded({ runAsUser: 0, runAsGroup: 0 }),
  'an alias': spec({ hostAliases: [{ ip: '::1', hostnames: ['a', 'b.example'] }] }),
  'names of its own': spec({ dnsPolicy: 'None', dnsConfig: { nameservers: ['10.0.0.1'] } }),
};

const base = spec({ schedulerName: 'touchstone.example/nobody' });

/** As new objects alone: of a pod that is there hardly anything may change. */
export const unfitPods: readonly JudgedKind[] = [
  judged(kindPaths.pods, {
    ...{ name: 'containers of pods and where they run', needs: ['pods'], prepare: preparePods, base, fitting },
    fresh: refused,
  }),
  judged(kindPaths.pods, {
    ...{ name: 'what is around pods', needs: ['pods'], holds: { from: 22 }, prepare: preparePods, base },
    ...{ fresh: unfitPlaces, fitting: fittingPlaces },
  }),
  judged(kindPaths.pods, {
    ...{ name: 'systems of pods', needs: ['pods'], holds: { from: 24 }, prepare: preparePods, base },
    ...{ fresh: unfitSystems, fitting: fittingSystems },
  }),
  judged(kindPaths.pods, {
    ...{ name: 'volumes of pods', needs: ['pods'], holds: { from: 21 }, prepare: preparePods, base },
    ...{ fresh: unfitVolumes, fitting: fittingVolumes },
  }),
];
