import { certificatePem } from '../../../fixtures/certificates.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { type KindPath, kindPaths } from '../../verbs/kinds.ts';
import { approvedRequest, condition, issue, writeConditions } from '../../verbs/signing-requests.ts';
import { spec } from '../unfit/judged-kind.ts';

/** How long ago; it counts on. */
export const age = Symbol('age');

export interface Shown {
  readonly at: KindPath;
  /** What is particular about these, where a kind is shown in several ways. */
  readonly which?: string;
  readonly parts: Json;
  /** What stands in each column after the name; columns of which nothing is said may have anything. */
  readonly cells: Readonly<Record<string, unknown>>;
}

const rbac = 'rbac.authorization.k8s.io';
const subjects = [
  { kind: 'User', apiGroup: rbac, name: 'one' },
  { kind: 'User', apiGroup: rbac, name: 'two' },
  { kind: 'Group', apiGroup: rbac, name: 'some' },
  { kind: 'ServiceAccount', name: 'robot', namespace: 'default' },
];
const bound = { Age: age, Users: 'one, two', Groups: 'some', ServiceAccounts: 'default/robot' };
const container = (name: string): Json => ({ name, image: `registry.example/${name}:1` });
const template = {
  metadata: { labels: { app: 'shown' } },
  spec: { restartPolicy: 'Never', containers: [container('one'), container('two')] },
};
const containers = { Containers: 'one,two', Images: 'registry.example/one:1,registry.example/two:1' };
const backend = { service: { name: 'front', port: { number: 80 } } };
const routes = ['a.example.com', 'b.example.com'].map((host) => ({
  host,
  http: { paths: [{ path: '/', pathType: 'Prefix', backend }] },
}));
const { secrets, configMaps, services, jobs, cronJobs, ingresses, endpointSlices, leases } = kindPaths;

const ofData: readonly Shown[] = [
  { at: secrets, parts: { stringData: { a: 'a', b: 'b' } }, cells: { Type: 'Opaque', Data: 2, Age: age } },
  { at: configMaps, parts: { data: { a: 'a', b: 'b' }, binaryData: { c: '' } }, cells: { Data: 3, Age: age } },
  { at: kindPaths.namespaces, parts: {}, cells: { Status: 'Active', Age: age } },
  { at: leases, parts: spec({ holderIdentity: 'one' }), cells: { Holder: 'one', Age: age } },
  {
    at: kindPaths.roleBindings,
    parts: { roleRef: { kind: 'ClusterRole', name: 'none' }, subjects },
    cells: { Role: 'ClusterRole/none', ...bound },
  },
  {
    at: kindPaths.clusterRoleBindings,
    parts: { roleRef: { name: 'none' }, subjects },
    cells: { Role: 'ClusterRole/none', ...bound },
  },
  {
    at: kindPaths.priorityClasses,
    parts: { value: 7 },
    cells: { Value: 7, 'Global-Default': false, Age: age },
  },
];

const metrics = ['a', 'b', 'c'].map((name) => ({
  type: 'Pods',
  pods: { metric: { name }, target: { type: 'AverageValue', averageValue: '1' } },
}));

const ofWork: readonly Shown[] = [
  {
    at: jobs,
    parts: spec({ suspend: true, completions: 3, template: { spec: template.spec } }),
    cells: { Completions: '0/3', Age: age, ...containers },
  },
  {
    at: jobs,
    which: 'of which one success is enough',
    parts: spec({ suspend: true, parallelism: 3, template: { spec: template.spec } }),
    cells: { Completions: '0/1 of 3' },
  },
  {
    at: cronJobs,
    parts: spec({ schedule: '0 0 1 1 *', suspend: true, jobTemplate: { spec: { template } } }),
    cells: { Schedule: '0 0 1 1 *', Suspend: 'True', Active: 0, 'Last Schedule': '<none>', Age: age, ...containers },
  },
  {
    at: kindPaths.horizontalPodAutoscalers,
    parts: spec({
      minReplicas: 2,
      maxReplicas: 3,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'none' },
    }),
    cells: { Reference: 'Deployment/none', MinPods: '2', MaxPods: 3, Age: age },
  },
  {
    at: kindPaths.horizontalPodAutoscalers,
    which: 'of several metrics',
    parts: spec({
      maxReplicas: 3,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'none' },
      metrics,
    }),
    cells: { Targets: '<unknown>/1, <unknown>/1 + 1 more...', MinPods: '1' },
  },
  {
    at: kindPaths.events,
    parts: {
      ...{ type: 'Warning', reason: 'Shown', note: 'told', regarding: { kind: 'Pod', name: 'front' } },
      ...{ reportingController: 'example.com/teller', reportingInstance: 'teller-1' },
    },
    cells: {
      ...{ Type: 'Warning', Reason: 'Shown', Object: 'pod/front', Subobject: '', Message: 'told', Count: 1 },
      Source: 'example.com/teller, teller-1',
    },
  },
  {
    at: kindPaths.events,
    which: 'of a part of something, several times',
    parts: {
      regarding: { kind: 'Pod', name: 'front', fieldPath: 'spec.containers{a}' },
      series: { count: 7, lastObservedTime: '2024-05-06T07:08:09.000001Z' },
    },
    cells: { Object: 'pod/front', Subobject: 'spec.containers{a}', Count: 7 },
  },
];

const ofTraffic: readonly Shown[] = [
  {
    at: services,
    parts: spec({
      selector: { app: 'shown' },
      ports: [
        { name: 'a', port: 80 },
        { name: 'b', port: 53, protocol: 'UDP' },
      ],
    }),
    cells: { Type: 'ClusterIP', 'External-IP': '<none>', 'Port(s)': '80/TCP,53/UDP', Age: age, Selector: 'app=shown' },
  },
  {
    at: services,
    which: 'elsewhere',
    parts: spec({ type: 'ExternalName', externalName: 'a.example.com', selector: undefined, ports: undefined }),
    cells: { Type: 'ExternalName', 'Cluster-IP': '<none>', 'External-IP': 'a.example.com', 'Port(s)': '<none>' },
  },
  {
    at: endpointSlices,
    parts: {
      endpoints: [{ addresses: ['10.1.2.3', '10.1.2.4'] }],
      ports: [
        { name: 'a', port: 80 },
        { name: 'b', port: 81 },
      ],
    },
    cells: { AddressType: 'IPv4', Ports: '80,81', Endpoints: '10.1.2.3,10.1.2.4', Age: age },
  },
  {
    at: endpointSlices,
    which: 'of many addresses',
    parts: {
      endpoints: [{ addresses: ['10.1.2.3', '10.1.2.4'] }, { addresses: ['10.1.2.5', '10.1.2.6'] }],
      ports: [80, 81, 82, 83].map((port) => ({ name: `p${port}`, port })),
    },
    cells: { Ports: '80,81,82 + 1 more...', Endpoints: '10.1.2.3,10.1.2.4,10.1.2.5 + 1 more...' },
  },
  {
    at: endpointSlices,
    which: 'of nothing',
    parts: { endpoints: [], ports: [] },
    cells: { Ports: '<unset>', Endpoints: '<unset>' },
  },
  {
    at: ingresses,
    parts: spec({ ingressClassName: 'nobody', rules: routes }),
    cells: { Class: 'nobody', Hosts: 'a.example.com,b.example.com', Address: '', Ports: '80', Age: age },
  },
  {
    at: ingresses,
    which: 'of many hosts',
    parts: spec({ rules: ['a', 'b', 'c', 'd', 'e'].map((name) => ({ ...routes[0], host: `${name}.example.com` })) }),
    cells: { Hosts: 'a.example.com,b.example.com,c.example.com + 2 more...' },
  },
  {
    at: ingresses,
    which: 'of every host',
    parts: spec({ ingressClassName: 'nobody', rules: undefined, defaultBackend: backend }),
    cells: { Hosts: '*', Address: '', Ports: '80' },
  },
  {
    at: ingresses,
    which: 'over TLS',
    parts: spec({ rules: routes, tls: [{ secretName: 'a' }] }),
    cells: { Hosts: 'a.example.com,b.example.com', Ports: '80, 443' },
  },
  {
    at: kindPaths.networkPolicies,
    parts: spec({ podSelector: { matchLabels: { app: 'shown' } } }),
    cells: { 'Pod-Selector': 'app=shown', Age: age },
  },
  {
    at: kindPaths.ingressClasses,
    parts: spec({
      controller: 'example.com/nobody',
      parameters: { apiGroup: 'example.com', kind: 'Front', name: 'one' },
    }),
    cells: { Controller: 'example.com/nobody', Parameters: 'Front.example.com/one', Age: age },
  },
];

type Row = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;

/** The row of an object, by its columns. */
async function rowOf(objects: Collection, name: string, headers: Headers): Promise<Row> {
  const { columnDefinitions, rows } = (await objects.get(name, '', { headers })).body;
  return Object.fromEntries(columnDefinitions.map((column: Json, at: number) => [column.name, rows[0].cells[at]]));
}

/** Built-in kinds, and what users are shown of them. */
export const shownKinds: readonly Shown[] = [...ofData, ...ofWork, ...ofTraffic];

/** What users are shown of a built-in kind stands in the column that is named for it. */
export async function showsCells(context: RuleContext, { at, parts, cells }: Shown, headers: Headers): Promise<void> {
  const { expect } = context;
  const objects = context.kind(at);
  const { metadata } = await objects.create(parts);
  const row = await rowOf(objects, metadata.name, headers);
  expect(row['Name']).toBe(metadata.name);
  for (const [column, cell] of Object.entries(cells))
    if (cell === age) expect(row[column], column).toMatch(/^\d+[smh]/);
    else expect(row[column], column).toEqual(cell);
}

/** A request for a certificate shows how far it has come. */
export async function showsProgress(context: RuleContext, headers: Headers): Promise<void> {
  const { expect, signingRequests } = context;
  const signer = { spec: { signerName: 'example.com/shown', expirationSeconds: 3600 } };
  const pending = await signingRequests.create(signer);
  expect(await rowOf(signingRequests, pending.metadata.name, headers), 'a new request').toMatchObject({
    ...{ SignerName: signer.spec.signerName, RequestedDuration: '60m', Condition: 'Pending' },
  });
  const { metadata } = await approvedRequest(signingRequests, signer);
  expect((await rowOf(signingRequests, metadata.name, headers))['Condition'], 'approved').toBe('Approved');
  await issue(signingRequests, metadata.name, certificatePem);
  expect((await rowOf(signingRequests, metadata.name, headers))['Condition'], 'issued').toBe('Approved,Issued');
  await showsRefusal(context, headers);
}

async function showsRefusal({ expect, signingRequests }: RuleContext, headers: Headers): Promise<void> {
  const { metadata } = await signingRequests.create();
  await writeConditions(signingRequests, metadata.name, [condition('Denied')], 'approval');
  expect((await rowOf(signingRequests, metadata.name, headers))['Condition'], 'denied').toBe('Denied');
  const failed = (await approvedRequest(signingRequests)).metadata.name;
  await writeConditions(signingRequests, failed, [condition('Approved'), condition('Failed')], 'status');
  const { Condition, RequestedDuration } = await rowOf(signingRequests, failed, headers);
  expect([Condition, RequestedDuration], 'failed').toEqual(['Approved,Failed', '<none>']);
}
