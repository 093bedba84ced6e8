import { unlessNotFound } from '../../runtime/api-error.ts';
import { bringing, type Index, indexBy, type Request, type Watching } from '../../runtime/controller.ts';
import { isDeleting, type KubeObject, keyFor, keyOf, namespaceOf } from '../../runtime/kube-object.ts';
import { configMaps, type Pod, pods, type Resource, secrets } from '../../runtime/resources.ts';
import { type Need, needsOf, problemWith } from './needs.ts';
import type { Lack } from './plan.ts';

const resources: Readonly<Record<Need['kind'], Resource<KubeObject>>> = { configmap: configMaps, secret: secrets };

const isPending = (pod: Pod): boolean => !isDeleting(pod) && (pod.status?.phase ?? 'Pending') === 'Pending';

const need = 'need';
const needKey = (kind: Need['kind'], key: string): string => `${kind} ${key}`;

/** The index of pods that have not begun, by what they need to begin. */
export const byNeed = (isOurs: (pod: Pod) => boolean): Index =>
  indexBy(pods, need, (pod) => {
    const needs = isOurs(pod) && isPending(pod) ? needsOf(pod) : [];
    return needs.map(({ kind, name }) => needKey(kind, keyFor(namespaceOf(pod), name)));
  });

/** A change of what pods need brings those that have not begun. */
export const needed: readonly Watching[] = (['configmap', 'secret'] as const).map((kind) =>
  bringing(resources[kind], (object, read) =>
    read(pods)
      .indexed(need, needKey(kind, keyOf(object)))
      .map(keyOf),
  ),
);

/** What keeps a pod from beginning. A cache may be behind: that a thing is not there is believed when the server says so. */
export async function lackOf({ read, client }: Request, pod: Pod): Promise<Lack | undefined> {
  if (!isPending(pod)) return undefined;
  const namespace = namespaceOf(pod);
  for (const each of needsOf(pod)) {
    const { kind, name, by } = each;
    const known = read(resources[kind]).find(keyFor(namespace, name));
    const problem = problemWith(
      each,
      known ?? (await unlessNotFound(client.get(resources[kind], { namespace, name }))),
    );
    if (!problem) continue;
    return 'volume' in by
      ? { message: `volume "${by.volume}": ${problem}` }
      : { message: problem, container: by.container };
  }
  return undefined;
}

export const tellLack = ({ events }: Request, pod: Pod, { message, container }: Lack): void =>
  events.record(pod, {
    type: 'Warning',
    ...(container ? { reason: 'Failed', note: `Error: ${message}` } : { reason: 'FailedMount', note: message }),
    action: 'Starting',
  });
