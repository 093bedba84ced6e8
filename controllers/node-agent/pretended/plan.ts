import { formatTime } from '../../runtime/clock.ts';
import { isDeleting, millisecondsOf } from '../../runtime/kube-object.ts';
import { orderedText } from '../../runtime/ordered-text.ts';
import type { Pod } from '../../runtime/resources.ts';
import { isRestarted, restartWait } from '../restarts.ts';
import { behaviourOf, stopFor } from './behaviour.ts';

type PodStatus = NonNullable<Pod['status']>;
type ContainerStatus = NonNullable<PodStatus['containerStatuses']>[number];

/** What the agent does with a pod next. */
export type PodPlan =
  | { readonly do: 'nothing' }
  /** Look again after so many milliseconds. */
  | { readonly do: 'wait'; readonly milliseconds: number }
  /** Store this status. */
  | { readonly do: 'report'; readonly status: PodStatus }
  /** Its containers have stopped: take the object away. */
  | { readonly do: 'remove' };

/** What the agent knows that no object says. */
export interface Memory {
  /** When a container of the pod began, in milliseconds; the status has only whole seconds. */
  startOf(container: string): number | undefined;
  /** When the agent saw that the pod is to go. */
  readonly stopSince: number;
  readonly now: number;
  readonly podIp: string;
  readonly hostIp: string;
  /** What the pod needs and is not there. */
  readonly lack?: Lack | undefined;
}

export interface Lack {
  /** What is wrong, for people. */
  readonly message: string;
  /** The container that it is about; without one, no container can begin. */
  readonly container?: string;
}

/** What a process ends with that was told to stop. */
const terminated = 143;

/** Takes a pod through its life: Pending, Running, and Succeeded or Failed; and away when it is deleted. */
export function planPod(pod: Pod, memory: Memory): PodPlan {
  if (isDeleting(pod)) return planStop(pod, memory);
  const phase = pod.status?.phase ?? 'Pending';
  if (phase === 'Pending') return planStart(pod, memory);
  return phase === 'Running' ? planRunning(pod, memory) : { do: 'nothing' };
}

function planStop(pod: Pod, { stopSince, now }: Memory): PodPlan {
  const left = stopSince + Math.min(stopFor(pod), (pod.metadata?.deletionGracePeriodSeconds ?? 0) * 1000) - now;
  if (left > 0) return { do: 'wait', milliseconds: left };
  const hasEnded = pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
  // Who holds the pod back with a finalizer wants to see how it ended; nobody else can.
  if (hasEnded || !pod.metadata?.finalizers?.length) return mayRemove(pod) ? { do: 'remove' } : { do: 'nothing' };
  const containers = containersOf(pod).map(({ name }) => ended(statusOf(pod, name), terminated, now));
  return { do: 'report', status: { ...withContainers(pod, containers, now), phase: 'Failed' } };
}

/** Once the period of grace is 0 there is nothing left to ask for: the object goes with its last finalizer. */
const mayRemove = ({ metadata }: Pod): boolean => (metadata?.deletionGracePeriodSeconds ?? 0) > 0;

function planStart(pod: Pod, memory: Memory): PodPlan {
  if (!memory.lack) return { do: 'report', status: started(pod, memory) };
  const status = held(pod, memory, memory.lack);
  return orderedText(status) === orderedText(pod.status) ? { do: 'nothing' } : { do: 'report', status };
}

/** It cannot begin yet, and its containers say why. */
function held(pod: Pod, { now, hostIp }: Memory, { container, message }: Lack): PodStatus {
  const idle = ({ name, image = '' }: { readonly name: string; readonly image?: string }): ContainerStatus => {
    const config = { reason: 'CreateContainerConfigError', message };
    const state = { waiting: name === container ? config : { reason: 'ContainerCreating' } };
    return { ...fresh(name, image), started: false, state };
  };
  const init = (pod.spec?.initContainers ?? []).map(idle);
  return {
    ...withContainers(pod, containersOf(pod).map(idle), now),
    phase: 'Pending',
    startTime: pod.status?.startTime ?? formatTime(now),
    hostIP: hostIp,
    ...(init.length > 0 && { initContainerStatuses: init }),
  };
}

function started(pod: Pod, { now, podIp, hostIp }: Memory): PodStatus {
  const time = formatTime(now);
  const init = (pod.spec?.initContainers ?? []).map(({ name, image }) => prepared(name, image, now));
  const containers = containersOf(pod).map(({ name, image }) => running(fresh(name, image), now));
  const ips = pod.spec?.hostNetwork ? hostIp : podIp;
  return {
    ...withContainers(pod, containers, now),
    phase: 'Running',
    startTime: pod.status?.startTime ?? time,
    hostIP: hostIp,
    podIP: ips,
    podIPs: [{ ip: ips }],
    ...(init.length > 0 && { initContainerStatuses: init }),
  };
}

function planRunning(pod: Pod, memory: Memory): PodPlan {
  const { now } = memory;
  const left = timeLeft(pod, now);
  if (left <= 0) return { do: 'report', status: overdue(pod, now) };
  const steps = containersOf(pod).map(({ name }) => nextOf(pod, statusOf(pod, name), memory));
  const containers = steps.map(({ status }) => status);
  const status = { ...withContainers(pod, containers, now), phase: phaseOf(containers) };
  // What others say of the pod may make it ready, or not.
  const isAdded = status.ephemeralContainerStatuses?.length !== pod.status?.ephemeralContainerStatuses?.length;
  if (steps.some(({ changed }) => changed) || isAdded || readiness(status) !== readiness(pod.status))
    return { do: 'report', status };
  const wait = Math.min(left, ...steps.flatMap((step) => step.wait ?? []));
  return Number.isFinite(wait) ? { do: 'wait', milliseconds: wait } : { do: 'nothing' };
}

const readiness = (status: Pod['status']) => status?.conditions?.find(({ type }) => type === 'Ready')?.status;

/** Milliseconds until the pod has been active for as long as it may. */
function timeLeft({ spec, status }: Pod, now: number): number {
  const start = millisecondsOf(status?.startTime);
  const seconds = spec?.activeDeadlineSeconds;
  return start === undefined || seconds === undefined ? Number.POSITIVE_INFINITY : start + seconds * 1000 - now;
}

function overdue(pod: Pod, now: number): PodStatus {
  const containers = containersOf(pod)
    .map(({ name }) => statusOf(pod, name))
    .map((status) => (status.state?.terminated ? status : ended(status, terminated, now)));
  const message = 'Pod was active on the node longer than the specified deadline';
  return { ...withContainers(pod, containers, now), phase: 'Failed', reason: 'DeadlineExceeded', message };
}

interface Step {
  readonly status: ContainerStatus;
  readonly changed?: boolean;
  readonly wait?: number;
}

/** What a container does next: goes on, ends, waits to be restarted, or begins again. */
function nextOf(pod: Pod, status: ContainerStatus, { now, startOf }: Memory): Step {
  const { runFor, exitCode } = behaviourOf(pod, status.name);
  if (status.state?.running) {
    if (runFor === undefined) return { status };
    const begin = startOf(status.name) ?? millisecondsOf(status.state.running.startedAt) ?? now;
    if (begin + runFor > now) return { status, wait: begin + runFor - now };
    const over = ended(status, exitCode, now);
    return { status: isRestarted(pod, exitCode) ? waiting(over) : over, changed: true };
  }
  if (status.state?.terminated) return { status };
  const last = millisecondsOf(status.lastState?.terminated?.finishedAt) ?? now;
  const due = last + restartWait(status.restartCount + 1);
  if (due > now) return { status, wait: due - now };
  return { status: running({ ...status, restartCount: status.restartCount + 1 }, now), changed: true };
}

function phaseOf(containers: readonly ContainerStatus[]): string {
  if (containers.some(({ state }) => !state?.terminated)) return 'Running';
  return containers.some(({ state }) => state?.terminated?.exitCode !== 0) ? 'Failed' : 'Succeeded';
}

const containersOf = (pod: Pod) => pod.spec?.containers ?? [];

const fresh = (name: string, image = ''): ContainerStatus => ({
  name,
  image,
  imageID: image,
  ready: false,
  restartCount: 0,
});

function statusOf(pod: Pod, name: string): ContainerStatus {
  const image = containersOf(pod).find((container) => container.name === name)?.image;
  return pod.status?.containerStatuses?.find((each) => each.name === name) ?? fresh(name, image);
}

const running = (status: ContainerStatus, now: number): ContainerStatus => ({
  ...status,
  containerID: `pretended://${status.name}/${status.restartCount}`,
  ready: true,
  started: true,
  state: { running: { startedAt: formatTime(now) } },
});

const ended = (status: ContainerStatus, exitCode: number, now: number): ContainerStatus => ({
  ...status,
  ready: false,
  started: false,
  state: {
    terminated: {
      exitCode,
      reason: exitCode === 0 ? 'Completed' : 'Error',
      startedAt: status.state?.running?.startedAt ?? formatTime(now),
      finishedAt: formatTime(now),
    },
  },
});

/** An init container that has done its work, and so is ready. */
const prepared = (name: string, image: string | undefined, now: number): ContainerStatus => ({
  ...ended(running(fresh(name, image), now), 0, now),
  ready: true,
});

const waiting = (status: ContainerStatus): ContainerStatus => ({
  ...status,
  lastState: { ...status.state },
  state: { waiting: { reason: 'CrashLoopBackOff', message: 'waiting to be restarted' } },
});

/** Ephemeral containers begin as they are added to a pod that runs, and run until its containers are over. */
function ephemeral({ spec, status }: Pod, containers: readonly ContainerStatus[], now: number): PodStatus {
  const added = spec?.ephemeralContainers ?? [];
  if (status?.phase !== 'Running' || added.length === 0) return {};
  const isOver = containers.every(({ state }) => state?.terminated);
  const statuses = added.map(({ name, image }) => {
    const begun: ContainerStatus = { ...fresh(name, image), state: { running: { startedAt: formatTime(now) } } };
    const known = status.ephemeralContainerStatuses?.find((each) => each.name === name) ?? begun;
    return isOver && !known.state?.terminated ? ended(known, terminated, now) : known;
  });
  return { ephemeralContainerStatuses: statuses };
}

/** The status with these containers, and the conditions that follow from them. */
function withContainers(pod: Pod, containers: readonly ContainerStatus[], now: number): PodStatus {
  const before = pod.status?.conditions ?? [];
  const isReady = containers.every(({ ready }) => ready);
  const isOpen = (pod.spec?.readinessGates ?? []).every(({ conditionType }) =>
    before.some(({ type, status }) => type === conditionType && status === 'True'),
  );
  const reason = containers.every(({ state }) => state?.terminated?.exitCode === 0)
    ? 'PodCompleted'
    : 'ContainersNotReady';
  const ready = isReady ? { status: 'True' } : { status: 'False', reason };
  const wanted = [
    { type: 'Initialized', status: 'True' },
    isReady && !isOpen
      ? { type: 'Ready', status: 'False', reason: 'ReadinessGatesNotReady' }
      : { type: 'Ready', ...ready },
    { type: 'ContainersReady', ...ready },
    { type: 'PodScheduled', status: 'True' },
  ];
  const own = wanted.map((condition) => {
    const old = before.find(({ type }) => type === condition.type);
    return {
      ...condition,
      lastTransitionTime: (old?.status === condition.status && old.lastTransitionTime) || formatTime(now),
    };
  });
  const others = before.filter(({ type }) => !wanted.some((condition) => condition.type === type));
  const beside = ephemeral(pod, containers, now);
  return { ...pod.status, ...beside, conditions: [...own, ...others], containerStatuses: [...containers] };
}
