import { managerLabel, serviceLabel } from '../endpoint-slice/plan.ts';
import { isAlreadyExists, isNamespaceTerminating } from '../runtime/api-error.ts';
import { bringing, itself, type Loop, type Reconciler } from '../runtime/controller.ts';
import { keyFor, labelsOf, namespaceOf } from '../runtime/kube-object.ts';
import { randomSuffix } from '../runtime/random-name.ts';
import { endpointSlices, endpoints, services } from '../runtime/resources.ts';
import { isMirrored, manager, planMirror } from './plan.ts';

/** Mirrors Endpoints that people keep by hand into slices, which is what readers look at. */
const reconcile: Reconciler = async ({ key, read, write }) => {
  const [namespace = '', name = ''] = key.split('/');
  const found = read(endpoints).find(key);
  const own = read(endpointSlices)
    .in(namespace)
    .filter((slice) => labelsOf(slice)[serviceLabel] === name && labelsOf(slice)[managerLabel] === manager);
  const mirrored = found && isMirrored(found, read(services).find(key));
  const plan = mirrored ? planMirror(found, own, randomSuffix) : { create: [], update: [], delete: own };
  for (const slice of plan.create) {
    await write(endpointSlices)
      .create(slice)
      .catch((error: unknown) => {
        if (!isAlreadyExists(error) && !isNamespaceTerminating(error)) throw error;
      });
  }
  for (const { before, after } of plan.update) await write(endpointSlices).replace(before, after);
  for (const slice of plan.delete) await write(endpointSlices).delete(slice);
  return undefined;
};

export const endpointSliceMirroringLoops: readonly Loop[] = [
  {
    name: 'endpointslicemirroring',
    watches: [
      itself(endpoints),
      itself(services),
      bringing(endpointSlices, (slice) => {
        const service = labelsOf(slice)[serviceLabel];
        return service && labelsOf(slice)[managerLabel] === manager ? [keyFor(namespaceOf(slice), service)] : [];
      }),
    ],
    concurrency: 5,
    reconcile,
  },
];
