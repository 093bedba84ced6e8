import { annotationOf, nameOf } from '../runtime/kube-object.ts';
import type { Ingress, IngressClass } from '../runtime/resources.ts';

/** What an IngressClass has as its controller to mean this one. */
export const controllerName = 'touchstone.example/ingress';

/** How classes were named before `ingressClassName`; still honoured. */
const classAnnotation = 'kubernetes.io/ingress.class';

/** The names by which Ingresses ask for this controller: every class that names it, and its own name. */
export const ownClasses = (classes: readonly IngressClass[], own: string): ReadonlySet<string> =>
  new Set([own, ...classes.filter(({ spec }) => spec?.controller === controllerName).map(nameOf)]);

/** Whether an Ingress is this controller's. One that names no class at all is, too: nobody else has asked for it. */
export function isOurs(ingress: Ingress, own: ReadonlySet<string>): boolean {
  const asked = ingress.spec?.ingressClassName || annotationOf(ingress, classAnnotation);
  return !asked || own.has(asked);
}

/** The class that the controller makes for itself where there is none of that name. */
export const classFor = (name: string): IngressClass => ({
  metadata: { name },
  spec: { controller: controllerName },
});
