import { type Index, indexBy, type Read } from '../controller.ts';
import { type KubeObject, nameOf } from '../kube-object.ts';
import { type Pod, pods } from '../resources.ts';

/** The index of pods by the node that they are bound to: for loops that ask for `podsOn`. */
export const byNode: Index = indexBy(pods, 'node', ({ spec }) => (spec?.nodeName ? [spec.nodeName] : []));

/** The pods that are bound to a node of this name, whether or not it is there. */
export const podsOn = (read: Read, node: string): readonly Pod[] => read(pods).indexed(byNode.name, node);

/** Where the agent of a node works that an object is about: a pod bound to it, or itself. */
export const hostOf = (object: KubeObject): string =>
  object.kind === 'Node' ? nameOf(object) : ((object as Pod).spec?.nodeName ?? '');
