import type { Json } from '../../../verbs/client.ts';
import { dry, dryBeside } from '../story.ts';
import { claim, cluster, inPlace, type Relations, sized } from './relation-story.ts';

/** What is counted against a quota, what is not, and what is given back. */
export function quotas(at: Relations): void {
  const path = `${inPlace(1)}/resourcequotas`;
  const ofPods = { pods: '2', 'requests.cpu': '1' };
  const ofServices = { services: '1', 'services.nodeports': '0' };
  const counts = { 'count/configmaps': '3', 'count/leases.coordination.k8s.io': '1' };
  const hard = { ...ofPods, ...ofServices, ...counts, 'requests.storage': '2Gi' };
  at.make('ResourceQuota', path, { metadata: { name: 'few' }, spec: { hard } });
  at.make('ResourceQuota', path, {
    metadata: { name: 'lasting' },
    spec: { hard: { pods: '2' }, scopes: ['NotTerminating'] },
  });
  at.make('ResourceQuota', path, {
    metadata: { name: 'brief' },
    spec: { hard: { pods: '1' }, scopes: ['Terminating'] },
  });
  for (const [name, limit] of [
    ['few', hard],
    ['brief', { pods: '1' }],
    ['lasting', { pods: '2' }],
  ] as const)
    at.patch(`${path}/${name}/status`, {
      status: { hard: limit, used: Object.fromEntries(Object.keys(limit).map((one) => [one, '0'])) },
    });
  // All quotas are known then.
  at.pod('none', {}, { ...dry, awaits: 403 });
  at.pod('brief', { ...small, activeDeadlineSeconds: 60 }, { ...dry, awaits: 201 });
  at.pod('none', {}, dry);
  overloaded(at);
  weighed(at);
  counted(at, path);
}

const small = sized({ cpu: '100m' }, { cpu: '100m' });

function counted(at: Relations, path: string): void {
  const look = (): void => {
    for (const name of ['few', 'brief', 'lasting']) at.get(`${path}/${name}`);
  };
  at.pod('p1', small, dry);
  at.pod('p1', small);
  look();
  at.pod('t1', { ...small, activeDeadlineSeconds: 60 });
  look();
  at.pod('p2', small);
  at.pod('big', sized({ cpu: '2' }, { cpu: '2' }));
  for (const name of ['m1', 'm2', 'm3', 'm4'])
    at.make('ConfigMap', `${inPlace(1)}/configmaps`, { metadata: { name } }, name === 'm1' ? dry : {});
  const leases = '/apis/coordination.k8s.io/v1/namespaces/<own>-1/leases';
  for (const name of ['l1', 'l2']) at.make('Lease', leases, { metadata: { name }, spec: {} });
  for (const storage of ['1Gi', '9Gi'])
    at.make('PersistentVolumeClaim', `${inPlace(1)}/persistentvolumeclaims`, claim(storage));
  const ports = [{ port: 80 }];
  for (const allocateLoadBalancerNodePorts of [true, false]) {
    const spec = { ports, type: 'LoadBalancer', allocateLoadBalancerNodePorts };
    at.make('Service', `${inPlace(1)}/services`, { metadata: { name: 's0' }, spec }, dry);
  }
  at.make('Service', `${inPlace(1)}/services`, { metadata: { name: 's1' }, spec: { ports, type: 'NodePort' } });
  at.make('Service', `${inPlace(1)}/services`, { metadata: { name: 's1' }, spec: { ports } });
  at.patch(`${inPlace(1)}/services/s1`, { spec: { type: 'NodePort' } });
  at.make('Service', `${inPlace(1)}/services`, { metadata: { name: 's2' }, spec: { ports } });
  look();
}

/** What the containers of a Pod ask for, those that run before it and those that run together; one cpu is left. */
const asked: readonly (readonly [before: readonly string[], together: readonly string[]])[] = [
  [['600m'], ['600m']],
  [['600m', '600m'], ['100m']],
  [['1100m'], ['100m']],
  [['100m', '1100m', '100m'], ['100m']],
  [['100m'], ['600m', '600m']],
  [['100m'], ['500m', '500m']],
  [[], ['1']],
  [[], ['1', '1m']],
];

const containersOf = (word: string, amounts: readonly string[]): Json =>
  amounts.map((cpu, at) => ({
    ...{ name: `${word}-${at}`, image: 'registry.example/pause:1' },
    resources: { requests: { cpu }, limits: { cpu: '2' } },
  }));

/** How much a Pod is counted for, which shows in whether there is room for it. */
function weighed(at: Relations): void {
  for (const [number, [before, together]] of asked.entries()) {
    const spec = { containers: containersOf('run', together), initContainers: containersOf('before', before) };
    at.pod(`weighed${number}`, spec, dryBeside);
  }
  at.pod('limited', { container: { resources: { limits: { cpu: '900m' } } } }, dryBeside);
  at.pod('limited', { container: { resources: { limits: { cpu: '1100m' } } } }, dryBeside);
}

/** What a Pod costs beside its containers is counted too. */
function overloaded(at: Relations): void {
  const heavy = { ...cluster('heavy'), handler: 'heavy', overhead: { podFixed: { cpu: '500m' } } };
  at.make('RuntimeClass', '/apis/node.k8s.io/v1/runtimeclasses', heavy);
  const runtimeClassName = '<own>-heavy';
  at.pod('light', { ...small, runtimeClassName }, { ...dry, awaits: 201 });
  at.pod('heavy', { ...sized({ cpu: '600m' }, { cpu: '600m' }), runtimeClassName }, dry);
}

const priority = (operator: string, ...values: readonly string[]): Json => ({
  ...{ scopeName: 'PriorityClass', operator },
  ...(values.length > 0 ? { values } : {}),
});

const elsewhere = { topologyKey: 'zone', namespaces: ['default'], labelSelector: {} };

/** Pods of every sort that a quota may be about. */
const sorts: Readonly<Record<string, Json>> = {
  plain: {},
  sized: small,
  brief: { activeDeadlineSeconds: 60 },
  high: { priorityClassName: '<own>-high' },
  low: { priorityClassName: '<own>-low' },
  apart: { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [elsewhere] } } },
};

/** What a quota is about, and a Pod that is of that sort. */
const scoped: readonly (readonly [spec: Json, sort: string])[] = [
  [{ scopes: ['BestEffort'] }, 'plain'],
  [{ scopes: ['NotBestEffort'] }, 'sized'],
  [{ scopes: ['Terminating', 'BestEffort'] }, 'brief'],
  [{ scopes: ['PriorityClass'] }, 'high'],
  [selecting(priority('In', '<own>-high', '<own>-none')), 'high'],
  [selecting(priority('NotIn', '<own>-high', '<own>-none')), 'plain'],
  [selecting(priority('Exists')), 'low'],
  [selecting(priority('DoesNotExist')), 'plain'],
  [selecting({ scopeName: 'CrossNamespacePodAffinity', operator: 'Exists' }), 'apart'],
  [selecting(priority('Exists'), { scopeName: 'NotTerminating', operator: 'Exists' }), 'low'],
];

function selecting(...matchExpressions: readonly Json[]): Json {
  return { scopeSelector: { matchExpressions } };
}

/** One quota after another that allows none of some Pods: which those are. */
export function scopes(at: Relations): void {
  for (const [name, value] of [
    ['high', 77],
    ['low', 7],
  ] as const)
    at.make('PriorityClass', '/apis/scheduling.k8s.io/v1/priorityclasses', { ...cluster(name), value });
  for (const name of ['high', 'low']) at.pod('some', sorts[name], { ...dry, awaits: 201 });
  const path = `${inPlace(1)}/resourcequotas`;
  for (const [number, [spec, sort]] of scoped.entries()) {
    const name = `q${number}`;
    at.make('ResourceQuota', path, { metadata: { name }, spec: { hard: { pods: '0' }, ...spec } });
    at.patch(`${path}/${name}/status`, { status: { hard: { pods: '0' }, used: { pods: '0' } } });
    at.pod('some', sorts[sort], { ...dry, awaits: 403 });
    for (const other of Object.values(sorts)) at.pod('some', other, dryBeside);
    at.remove(`${path}/${name}`);
    at.pod('some', sorts[sort], { ...dry, awaits: 201 });
  }
}
