import { formatTime } from '../../runtime/clock.ts';
import type { Pod } from '../../runtime/resources.ts';
import type { Container } from './fields.ts';
import type { State, Terminated } from './state.ts';

type PodStatus = NonNullable<Pod['status']>;
type ContainerStatus = NonNullable<PodStatus['containerStatuses']>[number];

/** What is known of one container. */
export interface ContainerView {
  readonly container: Pick<Container, 'name' | 'image'>;
  readonly state: State;
  readonly last?: Terminated | undefined;
  readonly restarts: number;
  readonly isStarted: boolean;
  readonly isReady: boolean;
}

/** What is known of a pod that runs here. Times are milliseconds. */
export interface PodView {
  readonly init: readonly ContainerView[];
  readonly main: readonly ContainerView[];
  readonly ephemeral: readonly ContainerView[];
  readonly startedAt: number;
  readonly hostIp: string;
  readonly podIp: string;
  /** Whether a container of `main` that ended so begins again; without it none does. */
  readonly restarts?: (exitCode: number) => boolean;
  /** Why it was ended, where it was: `DeadlineExceeded`. */
  readonly failure?: { readonly reason: string; readonly message: string };
}

/** The status of a pod. What others have written there stays. */
export function statusOf(pod: Pod, view: PodView, now: number): PodStatus {
  const { init, main, ephemeral, hostIp, podIp, failure } = view;
  const before = pod.status ?? {};
  const phase = phaseOf(pod, view);
  return {
    ...before,
    phase,
    ...(failure && { ...failure }),
    startTime: before.startTime ?? formatTime(view.startedAt),
    hostIP: hostIp,
    podIP: podIp,
    podIPs: [{ ip: podIp }],
    conditions: conditionsOf(pod, view, phase, now),
    ...(init.length > 0 && { initContainerStatuses: init.map(initStatus) }),
    containerStatuses: main.map(containerStatus),
    ...(ephemeral.length > 0 && { ephemeralContainerStatuses: ephemeral.map(containerStatus) }),
  };
}

const exitOf = ({ state }: ContainerView): number | undefined =>
  state.type === 'terminated' ? state.exitCode : undefined;

/** Pending until the first container has begun; over once none will begin again: nobody takes that back. */
function phaseOf({ spec }: Pod, { init, main, failure, restarts }: PodView): string {
  if (failure) return 'Failed';
  const never = spec?.restartPolicy === 'Never';
  if (never && init.some((each) => (exitOf(each) ?? 0) !== 0)) return 'Failed';
  const exits = main.map(exitOf);
  if (exits.every((code) => code !== undefined && !restarts?.(code)))
    return exits.every((code) => code === 0) ? 'Succeeded' : 'Failed';
  return main.some(({ state, last }) => state.type !== 'waiting' || last !== undefined) ? 'Running' : 'Pending';
}

function containerStatus({ container, state, last, restarts, isStarted, isReady }: ContainerView): ContainerStatus {
  const { name, image = '' } = container;
  return {
    name,
    image,
    imageID: image && `process://${image}`,
    containerID: `process://${name}/${restarts}`,
    ready: isReady,
    started: isStarted,
    restartCount: restarts,
    state: stateStatus(state),
    lastState: last ? stateStatus(last) : {},
  };
}

/** One that has done its work is ready. */
const initStatus = (view: ContainerView): ContainerStatus => ({ ...containerStatus(view), ready: exitOf(view) === 0 });

function stateStatus(state: State): NonNullable<ContainerStatus['state']> {
  if (state.type === 'waiting') {
    const { reason, message } = state;
    return { waiting: { reason, ...(message && { message }) } };
  }
  if (state.type === 'running') return { running: { startedAt: formatTime(state.startedAt) } };
  const { exitCode, signal, reason, message, startedAt, finishedAt } = state;
  return {
    terminated: {
      exitCode,
      ...(signal !== undefined && { signal }),
      reason,
      ...(message && { message }),
      startedAt: formatTime(startedAt),
      finishedAt: formatTime(finishedAt),
    },
  };
}

type Condition = NonNullable<PodStatus['conditions']>[number];

function conditionsOf(pod: Pod, { init, main }: PodView, phase: string, now: number): Condition[] {
  const before = pod.status?.conditions ?? [];
  const isOver = phase === 'Succeeded' || phase === 'Failed';
  const initialized = init.every((each) => exitOf(each) === 0);
  const ready = !isOver && main.every(({ isReady }) => isReady);
  const gated = (pod.spec?.readinessGates ?? []).every(({ conditionType }) =>
    before.some(({ type, status }) => type === conditionType && status === 'True'),
  );
  const unready = phase === 'Succeeded' ? 'PodCompleted' : 'ContainersNotReady';
  const wanted: readonly (readonly [string, boolean, string])[] = [
    ['Initialized', initialized, 'ContainersNotInitialized'],
    ['Ready', ready && gated, ready ? 'ReadinessGatesNotReady' : unready],
    ['ContainersReady', ready, unready],
    ['PodScheduled', true, ''],
  ];
  const own = wanted.map(([type, isTrue, reason]) => {
    const status = isTrue ? 'True' : 'False';
    const old = before.find((each) => each.type === type);
    const lastTransitionTime = (old?.status === status && old.lastTransitionTime) || formatTime(now);
    return { type, status, lastTransitionTime, ...(!isTrue && { reason }) };
  });
  return [...own, ...before.filter(({ type }) => !wanted.some(([name]) => name === type))];
}
