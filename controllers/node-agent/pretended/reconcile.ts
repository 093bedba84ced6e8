import { unlessNotFound } from '../../runtime/api-error.ts';
import { bringing, indexBy, type Loop, type Outcome, type Request } from '../../runtime/controller.ts';
import { isDeleting, keyOf, uidOf } from '../../runtime/kube-object.ts';
import { nodes, type Pod, pods } from '../../runtime/resources.ts';
import { Admission, reject } from '../admission.ts';
import { noteOf } from '../news.ts';
import { addresses, hostIp } from '../node.ts';
import { byNeed, lackOf, needed, tellLack } from './lacks.ts';
import { type Lack, type Memory, planPod } from './plan.ts';
import { newsOf, stopNewsOf } from './pod-news.ts';
import type { PretendedRuntime } from './pretended-runtime.ts';

/** Of a pod: when its containers began, and when it was seen that it is to go. */
interface PodMemory {
  readonly starts: Map<string, number>;
  stopSince?: number;
}

/** What one agent remembers of the pods on its nodes, by uid. */
class Recollection {
  readonly #pods = new Map<string, PodMemory>();
  #addresses = 0;

  of(pod: Pod): PodMemory {
    const memory = this.#pods.get(uidOf(pod)) ?? { starts: new Map<string, number>() };
    this.#pods.set(uidOf(pod), memory);
    return memory;
  }

  forget(pod: Pod): void {
    this.#pods.delete(uidOf(pod));
  }

  /** An address for a new pod that no other has. */
  nextAddress(isTaken: (address: string) => boolean): string {
    let address: string;
    do {
      this.#addresses = (this.#addresses % addresses.count) + 1;
      address = addresses.at(this.#addresses);
    } while (isTaken(address));
    return address;
  }
}

/** The index of pods by their address. */
const byAddress = 'address';

/** The loop that takes the pods of these nodes through their life without running anything. */
export function pretendedPods(isOurs: (pod: Pod) => boolean, runtime: PretendedRuntime): Loop {
  const recollection = new Recollection();
  const admission = new Admission();
  return {
    name: 'node-agent',
    watches: [bringing(pods, (pod) => (isOurs(pod) ? [keyOf(pod)] : [])), ...needed],
    reads: [nodes],
    indexes: [indexBy(pods, byAddress, ({ status }) => (status?.podIP ? [status.podIP] : [])), byNeed(isOurs)],
    concurrency: 16,
    async reconcile(request) {
      const pod = request.read(pods).find(request.key);
      // Another may have the name by now of one that has gone, and be for no node yet or for another.
      if (!pod || !isOurs(pod)) return undefined;
      const rejection = admission.judge(pod, request.read);
      return rejection ? reject(request, pod, rejection) : runPod(request, pod, recollection, runtime);
    },
  };
}

async function runPod(
  request: Request,
  pod: Pod,
  recollection: Recollection,
  runtime: PretendedRuntime,
): Promise<Outcome> {
  runtime.seen(pod);
  const memory = recollection.of(pod);
  if (isDeleting(pod)) beginToStop(request, pod, memory);
  const lack = await lackOf(request, pod);
  const plan = planPod(pod, sightOf(request, pod, recollection, lack));
  if (plan.do === 'wait') return plan.milliseconds;
  if (plan.do === 'report') await report(request, pod, { status: plan.status, lack, memory });
  if (plan.do === 'remove') {
    await request.write(pods).delete(pod, { gracePeriodSeconds: 0 });
    recollection.forget(pod);
    runtime.gone(uidOf(pod));
  }
  return undefined;
}

function beginToStop({ events, clock }: Request, pod: Pod, memory: PodMemory): void {
  if (memory.stopSince !== undefined) return;
  memory.stopSince = clock.now();
  for (const news of stopNewsOf(pod)) events.record(pod, noteOf(news, pod));
}

/** What the plan for a pod goes by, beside the pod. */
function sightOf({ read, clock }: Request, pod: Pod, recollection: Recollection, lack: Lack | undefined): Memory {
  const { starts, stopSince = clock.now() } = recollection.of(pod);
  const isTaken = (ip: string) => read(pods).indexed(byAddress, ip).length > 0;
  const podIp = pod.status?.podIP ?? recollection.nextAddress(isTaken);
  return { now: clock.now(), lack, startOf: (container) => starts.get(container), stopSince, podIp, hostIp };
}

interface Report {
  readonly status: NonNullable<Pod['status']>;
  readonly lack: Lack | undefined;
  readonly memory: PodMemory;
}

async function report(request: Request, pod: Pod, { status, lack, memory }: Report): Promise<void> {
  if (lack) tellLack(request, pod, lack);
  const reported = await unlessNotFound(request.write(pods).replace(pod, { ...pod, status }, 'status'));
  if (!reported) return;
  for (const news of newsOf(pod, status)) request.events.record(pod, noteOf(news, pod));
  for (const { name, state } of reported.status?.containerStatuses ?? []) {
    if (!state?.running) memory.starts.delete(name);
    else if (!memory.starts.has(name)) memory.starts.set(name, request.clock.now());
  }
}
