import { claimsOf } from '../protection/plan.ts';
import { unlessNotFound } from '../runtime/api-error.ts';
import { bringing, itself, type Loop, type Outcome, type Reconciler, type Request } from '../runtime/controller.ts';
import { annotationOf, isDeleting, keyFor, keyOf, nameOf, namespaceOf, uidOf } from '../runtime/kube-object.ts';
import {
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  storageClasses,
} from '../runtime/resources.ts';
import { bindCompletedAnnotation, boundByAnnotation, isFor, phaseOf, planClaim } from './plan.ts';

/** Finds a volume for a claim and ties the two together, the volume first: it is what two claims could both take. */
const reconcileClaim: Reconciler = async (request) => {
  const { key, read, write, events } = request;
  const claim = read(persistentVolumeClaims).find(key);
  if (!claim) return undefined;
  const plan = planClaim(claim, read(persistentVolumes).all(), waitsForUse(request, claim));
  if (plan.do === 'bind') return bind(request, claim, plan.volume);
  if (plan.do === 'wait') {
    events.record(claim, { reason: plan.reason, action: 'Binding', note: plan.note });
    if (claim.status?.phase !== 'Pending') await tell(request, claim, { phase: 'Pending' });
  }
  if (plan.do === 'lose' && claim.status?.phase !== 'Lost') {
    events.record(claim, { type: 'Warning', reason: 'ClaimLost', action: 'Binding', note: plan.note });
    await write(persistentVolumeClaims).replace(
      claim,
      { ...claim, status: { ...claim.status, phase: 'Lost' } },
      'status',
    );
  }
  return undefined;
};

/** Some classes bind a claim only once a pod uses it. */
function waitsForUse({ read }: Request, claim: PersistentVolumeClaim): boolean {
  const storageClass = read(storageClasses).find(claim.spec?.storageClassName ?? '');
  if (storageClass?.volumeBindingMode !== 'WaitForFirstConsumer') return false;
  return !read(pods)
    .in(namespaceOf(claim))
    .some((pod) => claimsOf(pod).includes(nameOf(claim)));
}

async function bind(
  { read, write }: Request,
  claim: PersistentVolumeClaim,
  chosen: PersistentVolume,
): Promise<Outcome> {
  let volume = chosen;
  if (volume.spec?.claimRef?.uid !== uidOf(claim)) {
    const claimRef = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      namespace: namespaceOf(claim),
      name: nameOf(claim),
      uid: uidOf(claim),
    };
    const annotations = volume.spec?.claimRef ? {} : { [boundByAnnotation]: 'yes' };
    volume = await write(persistentVolumes).patch(volume, { metadata: { annotations }, spec: { claimRef } });
  }
  let bound = claim;
  if (annotationOf(bound, bindCompletedAnnotation) === undefined || !bound.spec?.volumeName) {
    const chosenHere = bound.spec?.volumeName ? {} : { [boundByAnnotation]: 'yes' };
    bound = await write(persistentVolumeClaims).patch(bound, {
      metadata: { annotations: { [bindCompletedAnnotation]: 'yes', ...chosenHere } },
      spec: { volumeName: nameOf(volume) },
    });
  }
  if (bound.status?.phase !== 'Bound') {
    const { accessModes, capacity } = volume.spec ?? {};
    await write(persistentVolumeClaims).replace(
      bound,
      {
        ...bound,
        status: { ...bound.status, phase: 'Bound', ...(accessModes && { accessModes }), ...(capacity && { capacity }) },
      },
      'status',
    );
  }
  const newest = read(persistentVolumes).find(keyOf(volume));
  if (newest && newest.status?.phase !== 'Bound') await tellVolume(write, newest, { phase: 'Bound' });
  return undefined;
}

const tell = ({ write }: Request, claim: PersistentVolumeClaim, { phase }: { readonly phase: string }) =>
  write(persistentVolumeClaims).replace(claim, { ...claim, status: { ...claim.status, phase } }, 'status');

const tellVolume = (
  write: Request['write'],
  volume: PersistentVolume,
  { phase, message }: { readonly phase: string; readonly message?: string },
) => {
  const { message: _, ...before } = volume.status ?? {};
  const status = { ...before, phase, ...(message && { message }) };
  return write(persistentVolumes).replace(volume, { ...volume, status }, 'status');
};

/** Keeps the phase of a volume. That its claim is gone is believed only after the server was asked. */
const reconcileVolume: Reconciler = async ({ key, read, write, client }) => {
  const volume = read(persistentVolumes).find(key);
  if (!volume) return undefined;
  const { namespace = '', name = '', uid } = volume.spec?.claimRef ?? {};
  let claim = name ? read(persistentVolumeClaims).find(keyFor(namespace, name)) : undefined;
  if (name && uid && (!claim || uidOf(claim) !== uid)) {
    claim = await unlessNotFound(client.get(persistentVolumeClaims, { namespace, name }));
  }
  const next = phaseOf(volume, claim);
  // One that is deleted is told to be released, since that is what its protection waits for, but not to be free.
  const moot = isDeleting(volume) && next.phase === 'Available';
  if (moot || volume.status?.phase === next.phase) return undefined;
  await tellVolume(write, volume, next);
  return undefined;
};

export const persistentVolumeBinderLoops: readonly Loop[] = [
  {
    name: 'persistentvolume-binder-claims',
    watches: [
      itself(persistentVolumeClaims),
      // A volume may be what a claim waits for, or what a claim has lost.
      bringing(persistentVolumes, (volume, read) =>
        read(persistentVolumeClaims)
          .all()
          .filter((claim) =>
            claim.spec?.volumeName
              ? claim.spec.volumeName === nameOf(volume)
              : !volume.spec?.claimRef || isFor(volume, claim),
          )
          .map(keyOf),
      ),
      bringing(pods, (pod) => claimsOf(pod).map((name) => keyFor(namespaceOf(pod), name))),
    ],
    reads: [storageClasses],
    // One at a time: two claims must not take the same volume.
    concurrency: 1,
    reconcile: reconcileClaim,
  },
  {
    name: 'persistentvolume-binder-volumes',
    watches: [
      itself(persistentVolumes),
      bringing(persistentVolumeClaims, (claim) => (claim.spec?.volumeName ? [claim.spec.volumeName] : [])),
    ],
    reconcile: reconcileVolume,
  },
];
