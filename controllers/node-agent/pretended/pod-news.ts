import { isDeleting } from '../../runtime/kube-object.ts';
import type { Pod } from '../../runtime/resources.ts';
import { backsOff, begins, containerLists, findsImage, type News, stops } from '../news.ts';
import { restartWait } from '../restarts.ts';

type Status = Pod['status'];
type ContainerStatus = NonNullable<NonNullable<Status>['containerStatuses']>[number];

const containersIn = (status: Status): readonly ContainerStatus[] => [
  ...(status?.initContainerStatuses ?? []),
  ...(status?.containerStatuses ?? []),
  ...(status?.ephemeralContainerStatuses ?? []),
];

/** What is told of a pod that gets another status: which of its containers begin, and which wait to begin again. */
export function newsOf(pod: Pod, next: Status): readonly News[] {
  if (isDeleting(pod)) return [];
  const before = new Map(containersIn(pod.status).map((each) => [each.name, each]));
  return containersIn(next).flatMap((each) => newsOfContainer(before.get(each.name), each, isFetched(pod, each.name)));
}

/** The node has all images; those that are fetched for each start are fetched all the same. */
const isFetched = ({ spec }: Pod, container: string): boolean =>
  containerLists.some((list) =>
    spec?.[list]?.some(({ name, imagePullPolicy }) => name === container && imagePullPolicy === 'Always'),
  );

function newsOfContainer(
  before: ContainerStatus | undefined,
  next: ContainerStatus,
  fetched: boolean,
): readonly News[] {
  if (hasBegun(next)) {
    const isAnother = !before || !hasBegun(before) || before.restartCount !== next.restartCount;
    return isAnother ? [...findsImage(next, fetched), ...begins(next.name)] : [];
  }
  const wait = restartWait(next.restartCount + 1);
  return before && hasBegun(before) && wait > 0 ? [backsOff(next.name, wait)] : [];
}

const hasBegun = ({ state }: ContainerStatus): boolean => Boolean(state?.running ?? state?.terminated);

/** What is told of a pod that is to go: which of its containers are stopped. */
export const stopNewsOf = ({ status }: Pod): readonly News[] =>
  containersIn(status).flatMap(({ name, state }) => (state?.running ? [stops(name)] : []));
