import { renewsOwn } from '../checks/access/renewed-certificates.ts';
import { emptiesNamespace } from '../checks/life/emptied-namespace.ts';
import { countsAnew, countsEnded, gathersRules } from '../checks/life/followed-changes.ts';
import {
  collectsCustom,
  collectsDependents,
  knowsOwners,
  leavesDependents,
  waitsForDependents,
} from '../checks/life/owned-objects.ts';
import { keepsBounds } from '../checks/pods/autoscaled.ts';
import { bindsClaims, makesClaims } from '../checks/pods/bound-volumes.ts';
import { countsShares } from '../checks/pods/budget-shares.ts';
import { claimsPods } from '../checks/pods/claimed-pods.ts';
import { followsNodes } from '../checks/pods/daemon-pods.ts';
import { waitsForHands } from '../checks/pods/failed-pods.ts';
import { countsIndexes, tellsIndexes } from '../checks/pods/indexed-pods.ts';
import { countsForBudgets, keepsHistory } from '../checks/pods/kept-history.ts';
import { labelsSlices } from '../checks/pods/labelled-slices.ts';
import { leavesTainted, tellsCordoned } from '../checks/pods/left-nodes.ts';
import { mirrorsEndpoints } from '../checks/pods/mirrored-endpoints.ts';
import { keepsOrder, keepsPartition } from '../checks/pods/numbered-pods.ts';
import { beginsAsSaid, leavesOthers, overlapsAsSaid } from '../checks/pods/overlapping-jobs.ts';
import { countsAvailable, keepsRevisions, recreatesPods, rollsPods } from '../checks/pods/rolled-deployments.ts';
import { asksForAll, keepsTimes } from '../checks/pods/timed-deployments.ts';
import { tellsEndpoints } from '../checks/pods/told-endpoints.ts';
import { keepsUsed } from '../checks/pods/used-claims.ts';
import { defineRule } from '../rule.ts';
import { ignoreQuery, notFound, removeIn, replaceIn } from '../sabotage/transforms.ts';
import type { Answer, Json } from '../verbs/client.ts';
import type { RuleContext } from '../verbs/context.ts';
import { holds } from '../verbs/states.ts';
import { showsNone } from './job-sabotages.ts';

const podReads = { method: 'GET', path: /\/pods\/[^/]+$/ };

/** Or was made by an earlier try. */
const isMade = ({ status }: Answer): boolean => status === 201 || status === 409;

/** Of a pod on a node that cannot reach the place of its image. */
const lacksImage = ({ status }: Json): boolean =>
  ['ErrImagePull', 'ImagePullBackOff'].includes(status?.containerStatuses?.[0]?.state?.waiting?.reason);

/** What a new namespace gets, and what a workload makes in it. */
async function makesWhatIsMissing(context: RuleContext): Promise<void> {
  const { serviceAccounts, configMaps, replicaSets, pods, waitUntil, longPatience } = context;
  // A busy controller manager takes its time.
  const limit = longPatience;
  const isThere = async (kind: typeof configMaps, name: string): Promise<void> => {
    const look = async () => (await kind.get(name)).status;
    await waitUntil(`a new namespace has its ${name}`, look, (status) => status === 200, { limit });
  };
  await isThere(serviceAccounts, 'default');
  await isThere(configMaps, 'kube-root-ca.crt');
  await configMaps.remove('kube-root-ca.crt');
  await isThere(configMaps, 'kube-root-ca.crt');
  await replicaSets.create();
  const count = async () => (await pods.list()).items.length;
  await waitUntil('a ReplicaSet has its pod', count, (seen) => seen === 1, { limit });
}

const collector = { needs: ['garbage-collector'] } as const;

const loops = [
  { name: 'what is missing in a namespace', check: makesWhatIsMissing },
  { name: 'the content of a namespace', check: emptiesNamespace },
  { name: 'dependents in the background', ...collector, check: collectsDependents },
  { name: 'dependents in the foreground', ...collector, check: waitsForDependents },
  { name: 'dependents that stay', ...collector, check: leavesDependents },
  { name: 'owners that are not meant, or of no namespace', ...collector, check: knowsOwners },
  { name: 'custom objects', needs: ['garbage-collector', 'crd'] as const, check: collectsCustom },
  { name: 'what a quota counts', check: countsAnew },
  { name: 'roles that gather others', check: gathersRules },
  { name: 'certificates of node agents', needs: ['signer', 'second-user'] as const, check: renewsOwn },
  { name: 'pods that a quota counts', needs: ['pods'] as const, check: countsEnded },
  { name: 'what a CronJob keeps', holds: { to: 31 }, check: keepsHistory },
  { name: 'what a CronJob begins', check: beginsAsSaid },
  { name: 'what a CronJob begins beside a Job', check: overlapsAsSaid },
  { name: 'what a CronJob begins beside a Job of somebody else', check: leavesOthers },
  { name: 'what a budget knows', check: countsForBudgets },
  { name: 'endpoints that somebody tells of', needs: ['endpointslice-controller'] as const, check: mirrorsEndpoints },
  {
    ...{ name: 'what pods of a Job are told', needs: ['job-controller'] as const, holds: { from: 22, to: 27 } },
    check: tellsIndexes,
  },
  { name: 'indexes of a Job', needs: ['job-controller'] as const, holds: { from: 24 }, check: countsIndexes },
  { name: 'slices of a Service', needs: ['endpointslice-controller', 'pods'] as const, check: labelsSlices },
  // Endpoints are deprecated since, so that their controller may be left out.
  {
    ...{ name: 'Endpoints of a Service', needs: ['endpointslice-controller', 'pods'] as const, holds: { to: 32 } },
    check: tellsEndpoints,
  },
  { name: 'volumes for claims', check: bindsClaims },
  { name: 'claims that a pod uses', needs: ['pods'] as const, check: keepsUsed },
  { name: 'claims of a pod', needs: ['pods'] as const, holds: { from: 23 }, check: makesClaims },
  { name: 'what an autoscaler allows', holds: { from: 23 }, check: keepsBounds },
  { name: 'revisions of a Deployment', check: keepsRevisions },
  { name: 'pods of a Deployment', needs: ['pods'] as const, check: rollsPods },
  { name: 'time for pods of a Deployment', needs: ['pods'] as const, check: keepsTimes },
  { name: 'pods that a Deployment may not lack', needs: ['pods'] as const, check: asksForAll },
  { name: 'pods that a Deployment makes anew', needs: ['pods'] as const, check: recreatesPods },
  { name: 'pods that a ReplicaSet selects', needs: ['pods'] as const, check: claimsPods },
  { name: 'pods of a ReplicaSet', needs: ['pods'] as const, check: countsAvailable },
  { name: 'pods of a StatefulSet', needs: ['pods'] as const, check: keepsOrder },
  { name: 'pods of a StatefulSet that rolls in part', needs: ['pods'] as const, check: keepsPartition },
  { name: 'pods of a StatefulSet that nobody rolls', needs: ['pods'] as const, check: waitsForHands },
  { name: 'pods of a DaemonSet', needs: ['pods'] as const, check: followsNodes },
  { name: 'what a budget of a share knows', needs: ['pods'] as const, check: countsShares },
  { name: 'nodes that take no pods', needs: ['pods'] as const, check: tellsCordoned },
  { name: 'pods of a node that is left', needs: ['pods'] as const, check: leavesTainted },
];

export default [
  // The core control loops run in a controller manager.
  defineRule('component.controller-manager', {
    needs: ['controllers'],
    matrix: { loop: loops },
    sabotage: [
      notFound({ path: /\/serviceaccounts\/default$/ }),
      notFound({ path: /\/configmaps\/kube-root/ }),
      showsNone,
      ignoreQuery('propagationPolicy', { method: 'DELETE' }),
      replaceIn('status.conditions', { method: 'GET', path: /\/namespaces\/[^/]+$/, with: [] }),
    ],
    check: (context, { loop }) => loop.check(context),
  }),

  // A scheduler finds a node for each pod that has none.
  defineRule('component.scheduler', {
    needs: ['nodes'],
    sabotage: [removeIn('spec.nodeName', podReads), replaceIn('status.conditions', { ...podReads, with: [] })],
    async check({ pods, waitUntil, patience }) {
      await waitUntil('a pod can be made', () => pods.post(pods.sample({ metadata: { name: 'unbound' } })), isMade, {
        limit: patience * 6,
      });
      const isScheduled = (pod: Json): boolean => Boolean(pod.spec.nodeName) && holds('PodScheduled')(pod);
      const limit = patience * 6;
      await waitUntil('the pod gets a node', () => pods.read('unbound'), isScheduled, { limit });
    },
  }),

  // Every node has an agent that keeps the containers of its pods running and in good health.
  defineRule('component.node-agent', {
    needs: ['nodes'],
    sabotage: [
      replaceIn('status.phase', { ...podReads, with: 'Pending' }),
      replaceIn('status.containerStatuses.0.restartCount', { ...podReads, with: 0 }),
    ],
    async check({ pods, waitUntil, patience, skip }) {
      // Who has no containers goes by the annotation.
      const metadata = { name: 'short-lived', annotations: { 'touchstone.example/run-for': '2s' } };
      const container = { name: 'main', image: 'busybox:1.36', command: ['sh', '-c', 'sleep 2'] };
      const sample = pods.sample({ metadata, spec: { restartPolicy: 'Always', containers: [container] } });
      const limit = patience * 10;
      await waitUntil('a pod can be made', () => pods.post(sample), isMade, { limit });
      const look = () => pods.read('short-lived');
      const isRunning = ({ status }: Json): boolean => status?.phase === 'Running';
      const running = await waitUntil('its container runs', look, (pod) => isRunning(pod) || lacksImage(pod), {
        limit,
      });
      if (lacksImage(running)) skip('the node cannot get the image of its container');
      const isBack = ({ status }: Json): boolean => status?.containerStatuses?.[0]?.restartCount > 0;
      await waitUntil('its container runs again after its end', look, isBack, { limit });
    },
  }),
];
