import { isNotFound } from '../../runtime/api-error.ts';
import { bringing, type Loop, type Outcome, type Request } from '../../runtime/controller.ts';
import { isDeleting, keyOf, uidOf } from '../../runtime/kube-object.ts';
import { orderedText } from '../../runtime/ordered-text.ts';
import { nodes, type Pod, pods } from '../../runtime/resources.ts';
import { Admission, reject } from '../admission.ts';
import { noteOf } from '../news.ts';
import { addresses } from '../node.ts';
import { type Host, PodRun } from './pod-run.ts';
import type { ProcessRuntime } from './process-runtime.ts';

/** The loop that runs the pods of these nodes as processes. */
export function processPods(isOurs: (pod: Pod) => boolean, host: Host, runtime: ProcessRuntime): Loop {
  let add: (key: string) => void = () => {};
  /** Uids by key: what runs for a pod of that name. */
  const running = new Map<string, string>();
  const admission = new Admission();
  return {
    name: 'node-agent',
    watches: [bringing(pods, (pod) => (isOurs(pod) ? [keyOf(pod)] : []))],
    reads: [nodes],
    concurrency: 16,
    feed: (addKey) => {
      add = addKey;
      return () => {
        for (const run of runtime.runs.values()) void run.stop(0);
      };
    },
    reconcile: async (request) => {
      const pod = request.read(pods).find(request.key);
      const before = running.get(request.key);
      if (before && before !== (pod && uidOf(pod))) {
        await end(runtime, before);
        running.delete(request.key);
      }
      if (!pod || !isOurs(pod)) return undefined;
      const rejection = admission.judge(pod, request.read);
      if (rejection) return reject(request, pod, rejection);
      const run = runtime.runs.get(uidOf(pod)) ?? begin(request, pod, host, runtime, () => add(request.key));
      if (run) running.set(request.key, uidOf(pod));
      return tend(request, pod, run, runtime);
    },
  };
}

/** Undefined for a pod that is over. */
function begin(
  { read, events }: Request,
  pod: Pod,
  host: Host,
  runtime: ProcessRuntime,
  changed: () => void,
): PodRun | undefined {
  const { phase } = pod.status ?? {};
  if (phase === 'Succeeded' || phase === 'Failed' || isDeleting(pod)) return undefined;
  const taken = new Set(
    read(pods)
      .all()
      .map(({ status }) => status?.podIP),
  );
  let number = 1;
  while (taken.has(addresses.at(number))) number++;
  const run = new PodRun(pod, {
    ...host,
    podIp: pod.status?.podIP ?? addresses.at(number),
    changed,
    say: (...news) => events.record(pod, noteOf(news, pod)),
  });
  runtime.runs.set(uidOf(pod), run);
  return run;
}

async function tend(
  { write, clock }: Request,
  pod: Pod,
  run: PodRun | undefined,
  runtime: ProcessRuntime,
): Promise<Outcome> {
  run?.update(pod);
  const grace = pod.metadata?.deletionGracePeriodSeconds ?? 0;
  // Stopping takes its time; the run says when it has.
  if (isDeleting(pod)) void run?.stop(grace * 1000);
  try {
    if (run) await tell(write, pod, run, clock.now());
    if (!isDeleting(pod) || run?.isStopped === false) return undefined;
    await end(runtime, uidOf(pod));
    if (grace > 0) await write(pods).delete(pod, { gracePeriodSeconds: 0 });
  } catch (error) {
    // Gone: a change brings the key back here.
    if (!isNotFound(error)) throw error;
  }
  return undefined;
}

async function tell(write: Request['write'], pod: Pod, run: PodRun, now: number): Promise<void> {
  const status = run.status(now);
  if (orderedText(status) === orderedText(pod.status)) return;
  await write(pods).replace(pod, { ...pod, status }, 'status');
}

async function end(runtime: ProcessRuntime, uid: string): Promise<void> {
  const run = runtime.runs.get(uid);
  if (!run) return;
  await run.stop(0);
  run.remove();
  runtime.runs.delete(uid);
}
