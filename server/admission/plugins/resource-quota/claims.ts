import type { KubeObject } from '../../../base/kube-object.ts';
import type { Quantity } from '../../../base/quantity.ts';
import { storageClassOf } from '../../../kinds/core/persistent-volume-claim.ts';
import type { Quantities } from '../../../kinds/core/pod/shape.ts';
import { amountOf } from '../../../kinds/quantity-text.ts';
import type { Evaluator } from './evaluator.ts';
import { count } from './resource-amounts.ts';

interface Claim extends KubeObject {
  spec?: { resources?: { requests?: Quantities }; storageClassName?: string };
}

const tracked: ReadonlySet<string> = new Set([
  'count/persistentvolumeclaims',
  'persistentvolumeclaims',
  'requests.storage',
]);
/** Behind the name of a storage class. */
const ofClass = '.storageclass.storage.k8s.io/';
const perClass: ReadonlySet<string> = new Set(['persistentvolumeclaims', 'requests.storage']);

/** A claim may grow, so updates count too. */
export const claims: Evaluator = {
  updatesUseMore: true,
  tracks(resource) {
    const at = resource.indexOf(ofClass);
    return at < 0 ? tracked.has(resource) : perClass.has(resource.slice(at + ofClass.length));
  },
  usage(object) {
    const claim = object as Claim;
    const storage = claim.spec?.resources?.requests?.storage;
    const usage = new Map<string, Quantity>([
      ['count/persistentvolumeclaims', count(1)],
      ['persistentvolumeclaims', count(1)],
    ]);
    if (storage !== undefined) usage.set('requests.storage', amountOf(storage));
    const storageClass = storageClassOf(claim);
    if (storageClass === '') return usage;
    for (const name of perClass) {
      const amount = usage.get(name);
      if (amount) usage.set(`${storageClass}${ofClass}${name}`, amount);
    }
    return usage;
  },
};
