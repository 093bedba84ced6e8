import { unlessNotFound } from '../runtime/api-error.ts';
import { bringing, itself, type Loop, type Reconciler, type Request } from '../runtime/controller.ts';
import { annotationOf, isDeleting, keyFor, keyOf, nameOf, uidOf } from '../runtime/kube-object.ts';
import {
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
  storageClasses,
} from '../runtime/resources.ts';
import { keep, ofClasses, unscheduledPodsOf, usedByPods } from './claims.ts';
import {
  bindCompletedAnnotation,
  boundByAnnotation,
  classOf,
  isFor,
  phaseOf,
  planClaim,
  provisionerAnnotations,
} from './plan.ts';

/** Finds a volume for a claim and ties the two together, the volume first: it is what two claims could both take. */
const reconcileClaim: Reconciler = async (request) => {
  const { key, read, events } = request;
  const claim = read(persistentVolumeClaims).find(key);
  if (!claim) return undefined;
  const storageClass = read(storageClasses).find(classOf(claim));
  const asked = { storageClass, unscheduled: unscheduledPodsOf(read, claim) };
  const plan = planClaim(claim, read(persistentVolumes).all(), asked);
  if (plan.do === 'bind') return bind(request, claim, plan.volume);
  if (plan.do === 'wait') {
    const { type, reason, note, provisioner } = plan;
    events.record(claim, { ...(type && { type }), reason, action: 'Binding', note });
    const asked = provisioner ? await ask(request, claim, provisioner) : claim;
    if (asked.status?.phase !== 'Pending') await tell(request, asked, { phase: 'Pending' });
  }
  if (plan.do === 'lose' && claim.status?.phase !== 'Lost') {
    events.record(claim, { type: 'Warning', reason: 'ClaimLost', action: 'Binding', note: plan.note });
    await tell(request, claim, { phase: 'Lost' });
  }
  return undefined;
};

/** Asks for a volume: who makes those of a class looks for its name on claims, the older ones under the older key. */
async function ask({ write }: Request, claim: PersistentVolumeClaim, provisioner: string) {
  const missing = provisionerAnnotations.filter((name) => annotationOf(claim, name) !== provisioner);
  if (missing.length === 0) return claim;
  const annotations = Object.fromEntries(missing.map((name) => [name, provisioner]));
  return write(persistentVolumeClaims).patch(claim, { metadata: { annotations } });
}

/** The four writes that tie the two together, each left out where it is done already. */
async function bind(request: Request, claim: PersistentVolumeClaim, chosen: PersistentVolume): Promise<undefined> {
  const volume = await keep(request.write, chosen, claim);
  const named = await name(request, claim, volume);
  await tellClaim(request, named, volume);
  const newest = request.read(persistentVolumes).find(keyOf(volume));
  if (newest && newest.status?.phase !== 'Bound') await tellVolume(request.write, newest, { phase: 'Bound' });
}

/** Lets the claim name the volume. */
async function name({ write }: Request, claim: PersistentVolumeClaim, volume: PersistentVolume) {
  if (annotationOf(claim, bindCompletedAnnotation) !== undefined && claim.spec?.volumeName) return claim;
  const chosenHere = claim.spec?.volumeName ? {} : { [boundByAnnotation]: 'yes' };
  return write(persistentVolumeClaims).patch(claim, {
    metadata: { annotations: { [bindCompletedAnnotation]: 'yes', ...chosenHere } },
    spec: { volumeName: nameOf(volume) },
  });
}

/** Tells of the claim what it has got. */
async function tellClaim(request: Request, claim: PersistentVolumeClaim, { spec }: PersistentVolume): Promise<void> {
  if (claim.status?.phase === 'Bound') return;
  const { accessModes, capacity } = spec ?? {};
  await tell(request, claim, { phase: 'Bound', ...(accessModes && { accessModes }), ...(capacity && { capacity }) });
}

const tell = ({ write }: Request, claim: PersistentVolumeClaim, more: PersistentVolumeClaim['status'] & object) =>
  write(persistentVolumeClaims).replace(claim, { ...claim, status: { ...claim.status, ...more } }, 'status');

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
      usedByPods,
      ofClasses,
    ],
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
