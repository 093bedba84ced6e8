import { isNotFound } from '../../runtime/api-error.ts';
import { bringing, indexBy, type Loop, type Outcome, type Request } from '../../runtime/controller.ts';
import { isDeleting, keyOf, uidOf } from '../../runtime/kube-object.ts';
import { nodes, type Pod, pods } from '../../runtime/resources.ts';
import { Admission, reject } from '../admission.ts';
import { addresses, hostIp } from '../node.ts';
import { byNeed, lackOf, needed, tellLack } from './lacks.ts';
import { planPod } from './plan.ts';
import type { PretendedRuntime } from './pretended-runtime.ts';

/** What one agent remembers of the pods on its nodes, by uid. */
class Recollection {
  readonly #pods = new Map<string, { readonly starts: Map<string, number>; stopSince?: number }>();
  #addresses = 0;

  of(pod: Pod) {
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
  const { read, write, clock } = request;
  runtime.seen(pod);
  const memory = recollection.of(pod);
  const now = clock.now();
  if (isDeleting(pod)) memory.stopSince ??= now;
  const lack = await lackOf(request, pod);
  const plan = planPod(pod, {
    now,
    lack,
    startOf: (container) => memory.starts.get(container),
    stopSince: memory.stopSince ?? now,
    podIp: pod.status?.podIP ?? recollection.nextAddress((ip) => read(pods).indexed(byAddress, ip).length > 0),
    hostIp,
  });
  if (plan.do === 'wait') return plan.milliseconds;
  try {
    if (plan.do === 'remove') {
      await write(pods).delete(pod, { gracePeriodSeconds: 0 });
      recollection.forget(pod);
      runtime.gone(uidOf(pod));
    }
    if (plan.do === 'report') {
      if (lack) tellLack(request, pod, lack);
      const reported = await write(pods).replace(pod, { ...pod, status: plan.status }, 'status');
      for (const { name, state } of reported.status?.containerStatuses ?? []) {
        if (state?.running && !memory.starts.has(name)) memory.starts.set(name, now);
        if (!state?.running) memory.starts.delete(name);
      }
    }
  } catch (error) {
    // Gone: a change brings the key back here.
    if (!isNotFound(error)) throw error;
  }
  return undefined;
}
