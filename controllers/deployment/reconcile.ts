import { isAlreadyExists, isNamespaceTerminating, messageOf } from '../runtime/api-error.ts';
import {
  bringing,
  itself,
  type Loop,
  managerOf,
  type Outcome,
  type Read,
  type Reconciler,
  type Request,
} from '../runtime/controller.ts';
import {
  annotationOf,
  controllerOf,
  isDeleting,
  type KubeObject,
  keyFor,
  keyOf,
  nameOf,
  namespaceOf,
  uidOf,
} from '../runtime/kube-object.ts';
import { claimChildren, type Family, orphansOf } from '../runtime/ownership.ts';
import { mayRun } from '../runtime/pods/pod-state.ts';
import { type Deployment, deployments, type Pod, pods, type ReplicaSet, replicaSets } from '../runtime/resources.ts';
import { revisionAnnotation, scalingAnnotations } from './annotations.ts';
import { isRecreate } from './limits.ts';
import { type DeploymentPlan, planDeployment } from './plan.ts';
import { type HasPods, saysItHasPods } from './roll.ts';
import type { Scaling } from './scale.ts';
import { statusOf } from './status.ts';

const family: Family<Deployment, ReplicaSet> = {
  owners: deployments,
  children: replicaSets,
  selector: ({ spec }) => spec?.selector,
};

/** Brings the pods of a deployment from one template to the next, set by set. */
const reconcile: Reconciler = async (request) => {
  const { key, read, write } = request;
  const deployment = read(deployments).find(key);
  if (!deployment || isDeleting(deployment)) return undefined;
  const sets = await claimChildren(request, deployment, family);
  const hasPods: HasPods = (set) => saysItHasPods(set) || read(pods).ownedBy(uidOf(set)).some(mayRun);
  const plan = planDeployment(deployment, sets, isRecreate(deployment) ? hasPods : saysItHasPods);
  if (plan.create) return create(request, deployment, plan, plan.create);
  if (plan.adjust) {
    const { set, annotations, minReadySeconds } = plan.adjust;
    const spec = minReadySeconds !== undefined && { spec: { minReadySeconds } };
    await write(replicaSets).patch(set, { metadata: { annotations }, ...spec });
    return 0;
  }
  for (const scaling of plan.scale) await scale(request, deployment, scaling);
  for (const set of plan.delete) await write(replicaSets).delete(set);
  return tell(request, deployment, plan);
};

/** The deployment of a pod on its way out, if it waits for the last of these. */
function waitingFor(pod: Pod, read: Read): readonly string[] {
  const manager = (object: KubeObject, kind: string): string => {
    const owner = controllerOf(object);
    return owner?.kind === kind ? keyFor(namespaceOf(object), owner.name) : '';
  };
  const set = isDeleting(pod) ? read(replicaSets).find(manager(pod, 'ReplicaSet')) : undefined;
  const deployment = set && read(deployments).find(manager(set, 'Deployment'));
  return deployment && isRecreate(deployment) ? [keyOf(deployment)] : [];
}

async function scale({ write, events }: Request, deployment: Deployment, { set, replicas }: Scaling): Promise<void> {
  const before = set.spec?.replicas ?? 0;
  await write(replicaSets).patch(set, {
    metadata: { annotations: scalingAnnotations(deployment) },
    spec: { replicas },
  });
  if (replicas === before) return;
  const note = `Scaled ${replicas > before ? 'up' : 'down'} replica set ${nameOf(set)} to ${replicas}`;
  events.record(deployment, { reason: 'ScalingReplicaSet', action: 'Scaling', note });
}

/** Creates the set of a new template. What keeps it from being made is told in the status and tried again. */
async function create(
  request: Request,
  deployment: Deployment,
  plan: DeploymentPlan,
  set: ReplicaSet,
): Promise<Outcome> {
  const { write, events } = request;
  try {
    await write(replicaSets).create(set);
  } catch (error) {
    if (isNamespaceTerminating(error)) return undefined;
    if (isAlreadyExists(error)) await countCollision(request, deployment);
    else await tell(request, deployment, plan, messageOf(error));
    throw error;
  }
  const replicas = set.spec?.replicas ?? 0;
  const note = `Scaled up replica set ${nameOf(set)} to ${replicas}`;
  if (replicas > 0) events.record(deployment, { reason: 'ScalingReplicaSet', action: 'Scaling', note });
  return 0;
}

/** The name belongs to a set with another template: from now on names are made differently. */
async function countCollision({ write }: Request, deployment: Deployment): Promise<void> {
  const status = { ...deployment.status, collisionCount: (deployment.status?.collisionCount ?? 0) + 1 };
  await write(deployments).replace(deployment, { ...deployment, status }, 'status');
}

/** Stores status and revision together: a write of the annotation alone would be a new generation. */
async function tell(
  { write, clock }: Request,
  deployment: Deployment,
  { sets, revision }: DeploymentPlan,
  refusal?: string,
): Promise<Outcome> {
  const { status = deployment.status ?? {}, checkAgainAfter } = statusOf(deployment, sets, clock.now(), refusal);
  const told = revision === undefined || annotationOf(deployment, revisionAnnotation) === revision;
  if (status === deployment.status && told) return checkAgainAfter;
  const annotations = { ...deployment.metadata?.annotations, ...(!told && { [revisionAnnotation]: revision }) };
  const next = { ...deployment, metadata: { ...deployment.metadata, annotations }, status };
  await write(deployments).replace(deployment, next, 'status');
  return checkAgainAfter;
}

export const deploymentLoops: readonly Loop[] = [
  {
    name: 'deployment',
    watches: [itself(deployments), managerOf(replicaSets, 'Deployment'), orphansOf(family), bringing(pods, waitingFor)],
    concurrency: 5,
    reconcile,
  },
];
