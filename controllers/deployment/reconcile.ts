import { isAlreadyExists } from '../runtime/api-error.ts';
import { itself, type Loop, managerOf, type Reconciler, type Request } from '../runtime/controller.ts';
import { annotationOf, isDeleting, nameOf } from '../runtime/kube-object.ts';
import { claimChildren, type Family, orphansOf } from '../runtime/ownership.ts';
import { type Deployment, deployments, type ReplicaSet, replicaSets } from '../runtime/resources.ts';
import { planDeployment, revisionAnnotation } from './plan.ts';

const family: Family<Deployment, ReplicaSet> = {
  owners: deployments,
  children: replicaSets,
  selector: ({ spec }) => spec?.selector,
};

/** Brings the pods of a deployment from one template to the next, set by set. */
const reconcile: Reconciler = async (request) => {
  const { key, read, write, clock, events } = request;
  const deployment = read(deployments).find(key);
  if (!deployment || isDeleting(deployment)) return undefined;
  const plan = planDeployment(deployment, await claimChildren(request, deployment, family), clock.now());
  if (plan.create) await create(request, deployment, plan.create);
  if (plan.revise) {
    const { set, revision } = plan.revise;
    await write(replicaSets).patch(set, { metadata: { annotations: { [revisionAnnotation]: revision } } });
    return 0;
  }
  for (const { set, replicas } of plan.scale) {
    const direction = replicas > (set.spec?.replicas ?? 0) ? 'up' : 'down';
    await write(replicaSets).patch(set, { spec: { replicas } });
    const note = `Scaled ${direction} replica set ${nameOf(set)} to ${replicas}`;
    events.record(deployment, { reason: 'ScalingReplicaSet', action: 'Scaling', note });
  }
  for (const set of plan.delete) await write(replicaSets).delete(set);
  await store(request, deployment, plan);
  return plan.checkAgainAfter;
};

async function create({ write, events }: Request, deployment: Deployment, set: ReplicaSet): Promise<void> {
  try {
    await write(replicaSets).create(set);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    // The name belongs to a set with another template: from now on names are made differently.
    const status = { ...deployment.status, collisionCount: (deployment.status?.collisionCount ?? 0) + 1 };
    await write(deployments).replace(deployment, { ...deployment, status }, 'status');
    throw error;
  }
  const note = `Scaled up replica set ${nameOf(set)} to ${set.spec?.replicas ?? 0}`;
  events.record(deployment, { reason: 'ScalingReplicaSet', action: 'Scaling', note });
}

async function store(
  { write }: Request,
  deployment: Deployment,
  { revision, status }: ReturnType<typeof planDeployment>,
): Promise<void> {
  let current = deployment;
  if (annotationOf(current, revisionAnnotation) !== revision) {
    current = await write(deployments).patch(current, {
      metadata: { annotations: { [revisionAnnotation]: revision } },
    });
  }
  if (status) await write(deployments).replace(current, { ...current, status }, 'status');
}

export const deploymentLoops: readonly Loop[] = [
  {
    name: 'deployment',
    watches: [itself(deployments), managerOf(replicaSets, 'Deployment'), orphansOf(family)],
    concurrency: 5,
    reconcile,
  },
];
