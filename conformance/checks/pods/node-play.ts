import type { Json } from '../../verbs/client.ts';
import type { RuleContext, Verbs } from '../../verbs/context.ts';
import { timeOf } from '../../verbs/moment.ts';
import { nameOf } from '../../verbs/states.ts';

/**
 * Plays the node agent of pods that no scheduler binds: it writes what an agent would report. Works with and without
 * nodes, as nobody but the rule is in charge of such pods.
 */
export const unscheduled = { schedulerName: 'touchstone-conformance' } as const;

/** Of a node: whoever cares for the machines of a cloud takes away those that it does not know, but leaves other providers'. */
export const elsewhere = { providerID: 'touchstone://nobody' } as const;

/**
 * Makes a node without an agent, and gives its name: what is on it is ended in its time, and goes only when somebody insists,
 * as the rule does at its end.
 */
export async function nodeOfNobody({ nodes, pods, later }: RuleContext, labels: Json = {}): Promise<string> {
  const node = await nodes.create({ metadata: { labels }, spec: elsewhere });
  later(() => pods.deleteAll({ query: { gracePeriodSeconds: 0 } }));
  return nameOf(node);
}

/** What the containers of a pod exit with; a number is for all of them. */
type ExitCodes = number | Readonly<Record<string, number>>;

interface Report {
  readonly exitCodes?: ExitCodes;
  /** Beside those that an agent always reports. */
  readonly conditions?: readonly Json[];
  readonly ip?: string;
  /** Default: true. */
  readonly ready?: boolean;
  /** Of each container. Default: none. */
  readonly restarts?: number;
}

const condition = (type: string, status: boolean): Json => ({
  type,
  status: status ? 'True' : 'False',
  lastTransitionTime: timeOf(),
});

const containers = (pod: Json, ready: boolean, state: (name: string) => Json, of: Json = pod.spec.containers): Json[] =>
  (of ?? []).map(({ name, image }: Json) => ({
    name,
    image,
    imageID: '',
    ready,
    started: ready,
    restartCount: 0,
    state: state(name),
  }));

const report = (verbs: Verbs, pod: Json, status: Json): Promise<Json> =>
  verbs.pods.merge(pod.metadata.name, { status }, 'status');

/** All containers of the pod run, and are ready unless it says otherwise. */
export const run = (
  verbs: Verbs,
  pod: Json,
  { ip, conditions = [], ready = true, restarts = 0 }: Report = {},
): Promise<Json> =>
  report(verbs, pod, {
    phase: 'Running',
    startTime: timeOf(),
    conditions: [condition('Ready', ready), condition('ContainersReady', ready), ...conditions],
    containerStatuses: containers(pod, ready, () => ({ running: { startedAt: timeOf() } })).map((status) => ({
      ...status,
      restartCount: Math.max(0, restarts),
    })),
    ...(ip ? { podIP: ip, podIPs: [{ ip }] } : {}),
  });

/** All containers of these pods run, and are ready, where they were not yet. */
export async function runAll(verbs: Verbs, pods: readonly Json[]): Promise<void> {
  for (const pod of pods) if (pod.status?.phase !== 'Running') await run(verbs, pod);
}

const end = (verbs: Verbs, pod: Json, phase: string, { exitCodes = 0, conditions = [] }: Report): Promise<Json> => {
  const codeOf = (name: string): number => (typeof exitCodes === 'number' ? exitCodes : (exitCodes[name] ?? 0));
  const exited = (name: string): Json => ({
    terminated: { exitCode: codeOf(name), startedAt: timeOf(), finishedAt: timeOf() },
  });
  return report(verbs, pod, {
    phase,
    conditions: [condition('Ready', false), condition('ContainersReady', false), ...conditions],
    containerStatuses: containers(pod, false, exited),
    initContainerStatuses: containers(pod, false, exited, pod.spec.initContainers),
  });
};

/** All containers of the pod have exited with 0. */
export const succeed = (verbs: Verbs, pod: Json): Promise<Json> => end(verbs, pod, 'Succeeded', {});

/** The pod has ended, and not well: by default all containers have exited with 1. */
export const fail = (verbs: Verbs, pod: Json, { exitCodes = 1, conditions }: Report = {}): Promise<Json> =>
  end(verbs, pod, 'Failed', { exitCodes, ...(conditions ? { conditions } : {}) });
