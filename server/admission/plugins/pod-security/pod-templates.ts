import type { KubeObject } from '../../../base/kube-object.ts';
import { fieldsOf } from '../../../base/untyped.ts';
import type { CheckedPod } from './checked-pod.ts';

const inSpec: readonly string[] = ['spec', 'template'];

/** Where kinds hold the pods that they make, by resource and group. */
const places: ReadonlyMap<string, readonly string[]> = new Map([
  ['podtemplates', ['template']],
  ['replicationcontrollers', inSpec],
  ['daemonsets.apps', inSpec],
  ['deployments.apps', inSpec],
  ['replicasets.apps', inSpec],
  ['statefulsets.apps', inSpec],
  ['jobs.batch', inSpec],
  ['cronjobs.batch', ['spec', 'jobTemplate', 'spec', 'template']],
]);

const nameOf = (group: string, resource: string) => (group ? `${resource}.${group}` : resource);

/** The resources whose objects make pods. */
export const makersOfPods = [...places.keys()].map((name) => {
  const [resource = '', group = ''] = name.split('.');
  return { group, resource };
});

/** The pods that an object makes; undefined when it has no template. */
export function templateOf(group: string, resource: string, object: KubeObject): CheckedPod | undefined {
  const path = places.get(nameOf(group, resource));
  const template = path?.reduce<unknown>((value, field) => fieldsOf(value)[field], object);
  return template ? (template as CheckedPod) : undefined;
}
