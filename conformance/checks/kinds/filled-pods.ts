import { Skipped } from '../../verbs/breach.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { kindPaths } from '../../verbs/kinds.ts';
import { image, preparePods } from '../../verbs/pods.ts';
import { elsewhere } from '../pods/node-play.ts';
import { spec } from '../unfit/judged-kind.ts';
import type { FilledKind } from './filled-kind.ts';
import { paced } from './filled-parts.ts';

type Filled = FilledKind['filled'];

const container = (parts: Json): Json => spec({ containers: [{ name: 'main', image, ...parts }] });

/** What each of several containers asks for, and what it may have. */
const served = (...all: readonly Json[]): Json =>
  spec({ containers: all.map((resources, at) => ({ name: `c${at}`, image, resources })) });
const whole = { cpu: '1', memory: '1Gi' };
const bound = { limits: whole };

/** How well a pod is served where its node runs short, by what it asks for. */
const classes: Readonly<Record<string, readonly [asked: Json, qosClass: string]>> = {
  'nothing asked for': [served({}, {}), 'BestEffort'],
  'nothing asked for in so many words': [served({ requests: { cpu: '0' }, limits: { memory: '0' } }), 'BestEffort'],
  'no more than room on a disk asked for': [served({ requests: { 'ephemeral-storage': '1Gi' } }), 'BestEffort'],
  'limits of both': [served(bound, bound), 'Guaranteed'],
  'both asked for and no more given': [
    served({ requests: { cpu: '1000m', memory: '1024Mi' }, ...bound }),
    'Guaranteed',
  ],
  'a limit of one': [served({ limits: { cpu: '1' } }), 'Burstable'],
  'less asked for than given': [served({ requests: { cpu: '500m' }, ...bound }), 'Burstable'],
  'less memory asked for than given': [served({ requests: { memory: '1Mi' }, ...bound }), 'Burstable'],
  'no limits': [served({ requests: whole }), 'Burstable'],
  'one of two without limits': [served(bound, {}), 'Burstable'],
  'one that begins without limits': [
    spec({ initContainers: [{ name: 'i', image }], containers: [{ name: 'c', image, resources: bound }] }),
    'Burstable',
  ],
  'one that begins with limits': [
    spec({ initContainers: [{ name: 'i', image, resources: bound }], containers: [{ name: 'c', image }] }),
    'Burstable',
  ],
};

const ofClasses: Filled = Object.fromEntries(
  Object.entries(classes).map(([what, [asked, qosClass]]) => [
    what,
    [asked, { status: { phase: 'Pending', qosClass } }],
  ]),
);

const taken = { requests: { cpu: '1', memory: '1Gi', 'ephemeral-storage': '2Gi' } };

const ofPods: Filled = {
  'a pod': [{}, spec({ enableServiceLinks: true, serviceAccountName: 'default', serviceAccount: 'default' })],
  'limits alone': [
    spec({
      initContainers: [{ name: 'i', image, resources: { limits: whole } }],
      containers: [{ name: 'c', image, resources: { limits: { ...whole, 'ephemeral-storage': '2Gi' } } }],
    }),
    spec({ initContainers: [{ resources: { requests: whole } }], containers: [{ resources: taken }] }),
  ],
  'a limit and something else that is asked for': [
    container({ resources: { limits: { cpu: '2' }, requests: { memory: '1Gi' } } }),
    container({ resources: { limits: { cpu: '2' }, requests: { cpu: '2', memory: '1Gi' } } }),
  ],
};

const httpGet = { port: 80 };
const asked = { httpGet: { path: '/', port: 80, scheme: 'HTTP' } };
const template = (parts: Json): Json => ({ template: spec(parts) });
const inTemplate = (parts: Json): Json => template({ containers: [{ name: 'main', image, ...parts }] });
const volumes = (...all: readonly Json[]): Json =>
  template({ volumes: all.map((one, at) => ({ name: `v${at}`, ...one })) });
const fieldRef = { fieldPath: 'metadata.name' };
const resourceFieldRef = { containerName: 'main', resource: 'limits.cpu' };
const v1 = { ...fieldRef, apiVersion: 'v1' };
const divided = { ...resourceFieldRef, divisor: '0' };

/** Images and how often they are fetched: what may be another one at any time, always. */
const fetched = {
  ...{ 'registry.example/a:1': 'IfNotPresent', 'registry.example/a': 'Always', 'registry.example/a:latest': 'Always' },
  ...{ 'registry.example:5000/a': 'Always', 'registry.example:5000/a:latest': 'Always' },
  [`registry.example/a@sha256:${'0'.repeat(64)}`]: 'IfNotPresent',
};

const ofTemplates: Filled = {
  'every sort of image': [
    template({ containers: Object.keys(fetched).map((one, at) => ({ name: `c${at}`, image: one })) }),
    template({ containers: Object.values(fetched).map((imagePullPolicy) => ({ imagePullPolicy })) }),
  ],
  'probes and hooks': [
    inTemplate({
      ...{ readinessProbe: { httpGet }, startupProbe: { tcpSocket: httpGet } },
      lifecycle: { postStart: { httpGet }, preStop: { httpGet } },
    }),
    inTemplate({
      ...{ readinessProbe: { ...asked, ...paced }, startupProbe: paced },
      lifecycle: { postStart: asked, preStop: asked },
    }),
  ],
  'values of fields and amounts': [
    inTemplate({ env: [{ fieldRef }, { resourceFieldRef }].map((valueFrom, at) => ({ name: `A${at}`, valueFrom })) }),
    inTemplate({ env: [{ valueFrom: { fieldRef: v1 } }, { valueFrom: { resourceFieldRef: divided } }] }),
  ],
  'an account': [
    template({ serviceAccountName: 'one', serviceAccount: 'other' }),
    template({ serviceAccountName: 'one', serviceAccount: 'one' }),
  ],
  'an account by its old name': [
    template({ serviceAccount: 'one' }),
    template({ serviceAccountName: 'one', serviceAccount: 'one' }),
  ],
  'volumes of files': [
    volumes(
      ...[{ configMap: { name: 'a' } }, { secret: { secretName: 'a' } }, { hostPath: { path: '/a' } }],
      {
        downwardAPI: {
          items: [
            { path: 'a', fieldRef },
            { path: 'b', resourceFieldRef },
          ],
        },
      },
      {
        projected: {
          sources: [
            { serviceAccountToken: { path: 'a' } },
            {
              downwardAPI: {
                items: [
                  { path: 'b', fieldRef },
                  { path: 'c', resourceFieldRef },
                ],
              },
            },
          ],
        },
      },
    ),
    volumes(
      ...[
        { configMap: { defaultMode: 420 } },
        { secret: { defaultMode: 420 } },
        { hostPath: { path: '/a', type: '' } },
      ],
      { downwardAPI: { defaultMode: 420, items: [{ fieldRef: v1 }, { resourceFieldRef: divided }] } },
      {
        projected: {
          defaultMode: 420,
          sources: [
            { serviceAccountToken: { path: 'a', expirationSeconds: 3600 } },
            { downwardAPI: { items: [{ fieldRef: v1 }, { resourceFieldRef: divided }] } },
          ],
        },
      },
    ),
  ],
  'volumes of disks': [
    volumes(
      { iscsi: { targetPortal: 'a:1', iqn: 'iqn.2024-05.com.example:a' } },
      { rbd: { monitors: ['a:1'], image: 'b' } },
      { azureDisk: { diskName: 'a', diskURI: 'https://a.example/b' } },
      { scaleIO: { gateway: 'a', system: 'b', volumeName: 'c', secretRef: { name: 'a' } } },
      {
        ephemeral: {
          volumeClaimTemplate: {
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        },
      },
    ),
    volumes(
      { iscsi: { iscsiInterface: 'default' } },
      { rbd: { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' } },
      { azureDisk: { cachingMode: 'ReadWrite', kind: 'Shared', fsType: 'ext4', readOnly: false } },
      { scaleIO: { storageMode: 'ThinProvisioned', fsType: 'xfs' } },
      { ephemeral: { volumeClaimTemplate: { spec: { volumeMode: 'Filesystem' } } } },
    ),
  ],
};

const ofHosts: Filled = {
  'the network of the host': [
    template({ hostNetwork: true, containers: [{ name: 'main', image, ports: [{ containerPort: 80 }] }] }),
    inTemplate({ ports: [{ containerPort: 80, hostPort: 80, protocol: 'TCP' }] }),
  ],
};

/** Where every pod is given limits nobody can ask for nothing. */
async function preparePlain(context: RuleContext): Promise<void> {
  await preparePods(context);
  const { items } = await context.limitRanges.list();
  if (items.length > 0) throw new Skipped('pods of a new namespace are given limits');
}

const ofNodes: Filled = {
  'a range of addresses by its old name': [spec({ podCIDR: '192.0.2.0/25' }), spec({ podCIDRs: ['192.0.2.0/25'] })],
  'a range of addresses by its new name': [spec({ podCIDRs: ['192.0.2.0/25'] }), spec({ podCIDR: '192.0.2.0/25' })],
  'what a node has': [
    { status: { capacity: { cpu: '2', memory: '1Gi' } } },
    { status: { allocatable: { cpu: '2', memory: '1Gi' } } },
  ],
};

/** What is filled in where pods are told of, and where they run. */
export const filledPods: readonly FilledKind[] = [
  {
    ...{ name: 'what pods ask for', at: kindPaths.pods, base: spec({ schedulerName: 'touchstone.example/nobody' }) },
    ...{ needs: ['pods'], filled: { ...ofPods, ...ofClasses }, rehearsed: true, prepare: preparePlain },
  },
  {
    ...{ name: 'parts of podtemplates', at: kindPaths.podTemplates, base: {} },
    ...{ holds: { from: 23 }, filled: ofTemplates, rehearsed: true },
  },
  {
    ...{ name: 'podtemplates in the network of the host', at: kindPaths.podTemplates, base: {} },
    // Since v1.28 pods alone are given these ports, and not their templates.
    ...{ holds: { from: 23, to: 27 }, filled: ofHosts, rehearsed: true },
  },
  { name: 'nodes', at: kindPaths.nodes, base: spec(elsewhere), filled: ofNodes, rehearsed: true },
];
