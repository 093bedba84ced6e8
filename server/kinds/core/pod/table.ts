import type { KindTable, RowCondition } from '../../kind-table.ts';
import { age, ageColumn, column, nameColumn, orNone, since, wideColumn } from '../../table-cells.ts';
import type { ContainerState, ContainerStatus, Pod } from './shape.ts';

interface Summary {
  readonly reason: string;
  readonly ready: number;
  readonly restarts: number;
  /** When a container last ended before it was started again. */
  readonly lastRestart: string | undefined;
}

const ending = ({ signal, exitCode }: NonNullable<ContainerState['terminated']>) =>
  signal ? `Signal:${signal}` : `ExitCode:${exitCode ?? 0}`;

const restartsOf = (statuses: readonly ContainerStatus[]) =>
  statuses.reduce((sum, { restartCount = 0 }) => sum + restartCount, 0);

const lastRestartOf = (statuses: readonly ContainerStatus[]) =>
  statuses
    .flatMap(({ lastState }) => lastState?.terminated?.finishedAt ?? [])
    .sort()
    .at(-1);

const isDone = ({ state }: ContainerStatus) => state?.terminated !== undefined && !state.terminated.exitCode;

/** What the first init container says that is not done; there are `count`. */
function initReason({ state }: ContainerStatus, position: number, count: number): string {
  if (state?.terminated) return `Init:${state.terminated.reason || ending(state.terminated)}`;
  const waiting = state?.waiting?.reason;
  return waiting && waiting !== 'PodInitializing' ? `Init:${waiting}` : `Init:${position}/${count}`;
}

/** What a container says for itself, if it does not simply run. */
function containerReason({ state }: ContainerStatus): string | undefined {
  if (state?.waiting?.reason) return state.waiting.reason;
  return state?.terminated && (state.terminated.reason || ending(state.terminated));
}

const runs = ({ ready, state }: ContainerStatus) => ready === true && state?.running !== undefined;

function summarize({ spec, status = {} }: Pod): Summary {
  const phase = status.reason || status.phase || '';
  const init = status.initContainerStatuses ?? [];
  const at = init.findIndex((container) => !isDone(container));
  const pending = init[at];
  if (pending) {
    // Those behind it are not looked at.
    const seen = init.slice(0, at + 1);
    const reason = initReason(pending, at, spec?.initContainers?.length ?? 0);
    return { reason, ready: 0, restarts: restartsOf(seen), lastRestart: lastRestartOf(seen) };
  }
  const own = status.containerStatuses ?? [];
  const ready = own.filter((container) => !containerReason(container) && runs(container)).length;
  const reason = own.map(containerReason).find((text) => text !== undefined) ?? phase;
  const isReady = status.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True');
  const shown = reason === 'Completed' && ready > 0 ? (isReady ? 'Running' : 'NotReady') : reason;
  return { reason: shown, ready, restarts: restartsOf(own), lastRestart: lastRestartOf([...init, ...own]) };
}

function statusText(pod: Pod, reason: string): string {
  if (!pod.metadata.deletionTimestamp) return reason;
  return pod.status?.reason === 'NodeLost' ? 'Unknown' : 'Terminating';
}

/** How many of the pod's own conditions hold. */
function gatesText({ spec, status }: Pod): string {
  const gates = spec?.readinessGates ?? [];
  const holding = new Set((status?.conditions ?? []).filter((each) => each.status === 'True').map(({ type }) => type));
  const met = gates.filter(({ conditionType }) => holding.has(conditionType));
  return gates.length > 0 ? `${met.length}/${gates.length}` : '<none>';
}

const completed = (reason: string, message: string): RowCondition => ({
  type: 'Completed',
  status: 'True',
  reason,
  message,
});

export const podTable: KindTable<Pod> = {
  columns: [
    nameColumn,
    column('Ready', 'How many of its containers are ready.'),
    column('Status', 'What its containers are doing.'),
    column('Restarts', 'How often its containers were restarted, and how long ago the last of them.'),
    ageColumn,
    wideColumn('IP'),
    wideColumn('Node'),
    wideColumn('Nominated Node'),
    wideColumn('Readiness Gates'),
  ],
  cells(pod, now) {
    const { reason, ready, restarts, lastRestart } = summarize(pod);
    return [
      pod.metadata.name,
      `${ready}/${pod.spec?.containers?.length ?? 0}`,
      statusText(pod, reason),
      lastRestart ? `${restarts} (${since(lastRestart, now)} ago)` : String(restarts),
      age(pod, now),
      orNone(pod.status?.podIPs?.[0]?.ip ?? pod.status?.podIP),
      orNone(pod.spec?.nodeName),
      orNone(pod.status?.nominatedNodeName),
      gatesText(pod),
    ];
  },
  conditions({ status }) {
    if (status?.phase === 'Succeeded') return [completed('Succeeded', 'The pod has completed successfully.')];
    return status?.phase === 'Failed' ? [completed('Failed', 'The pod failed.')] : [];
  },
};
