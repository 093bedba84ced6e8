import { unlessNotFound } from '../runtime/api-error.ts';
import type { Read, Request } from '../runtime/controller.ts';
import { isDeleting, nameOf, uidOf } from '../runtime/kube-object.ts';
import { isSelected, tolerates } from '../runtime/pods/pod-placement.ts';
import { mayRun } from '../runtime/pods/pod-state.ts';
import { type Node, nodes, type Pod, pods } from '../runtime/resources.ts';
import { scarceResources } from '../scheduler/requests.ts';

/** Why a node does not take a pod that was given to it. */
export interface Rejection {
  readonly reason: string;
  /** For people. */
  readonly message: string;
}

/**
 * Whoever names a node goes round the scheduler, so a node looks for itself. @param there the pods that it has taken and
 * that have not ended
 */
export function rejectionOf(pod: Pod, node: Node, there: readonly Pod[]): Rejection | undefined {
  const name = nameOf(node);
  const [scarce] = scarceResources(pod, node, there);
  if (scarce !== undefined) return rejected(`OutOf${scarce}`, `node ${name} has not enough ${scarce} left`);
  if (!isSelected(pod.spec, node)) return rejected('NodeAffinity', `node ${name} is not what the pod selects`);
  const taken = there.flatMap(hostPortsOf);
  const port = hostPortsOf(pod).find((each) => taken.some((other) => isSame(each, other)));
  if (port) return rejected('NodePorts', `port ${port.hostPort} of node ${name} is taken`);
  const taint = node.spec?.taints?.find(
    (each) => each.effect === 'NoExecute' && !(pod.spec?.tolerations ?? []).some((one) => tolerates(one, each)),
  );
  return taint && rejected('TaintToleration', `the pod does not tolerate ${taint.key} of node ${name}`);
}

const rejected = (reason: string, message: string): Rejection => ({ reason, message });

/** Where a pod listens on its node. */
const hostPortsOf = ({ spec }: Pod) =>
  (spec?.containers ?? []).flatMap(({ ports = [] }) => ports.filter(({ hostPort }) => hostPort));

type Port = ReturnType<typeof hostPortsOf>[number];

/** Who names no address listens at all of them. */
const isSame = (one: Port, other: Port): boolean =>
  one.hostPort === other.hostPort &&
  (one.protocol ?? 'TCP') === (other.protocol ?? 'TCP') &&
  (isAny(one.hostIP) || isAny(other.hostIP) || one.hostIP === other.hostIP);

const isAny = (ip: string | undefined) => !ip || ip === '0.0.0.0' || ip === '::';

/** Which pods the nodes of an agent have taken: each is looked at once, before it begins. */
export class Admission {
  /** By uid. */
  #taken = new Set<string>();

  /** Takes a pod that has not begun, or says why not. Two that are looked at one after the other know of each other. */
  judge(pod: Pod, read: Read): Rejection | undefined {
    const uid = uidOf(pod);
    const node = read(nodes).find(pod.spec?.nodeName ?? '');
    if (this.#taken.has(uid) || !node || isDeleting(pod) || (pod.status?.phase ?? 'Pending') !== 'Pending')
      return undefined;
    const all = read(pods).all();
    const there = all.filter((each) => each.spec?.nodeName === nameOf(node) && this.#isTaken(each));
    const rejection = rejectionOf(pod, node, there);
    if (rejection) return rejection;
    this.#taken = new Set([...all.map(uidOf).filter((each) => this.#taken.has(each)), uid]);
    return undefined;
  }

  #isTaken(pod: Pod): boolean {
    return mayRun(pod) && (pod.status?.phase === 'Running' || this.#taken.has(uidOf(pod)));
  }
}

/** Says of a pod that its node does not take it, for good. */
export async function reject(request: Request, pod: Pod, { reason, message }: Rejection): Promise<undefined> {
  const { write, events } = request;
  events.record(pod, { type: 'Warning', reason, action: 'Admitting', note: message });
  const status = { ...pod.status, phase: 'Failed', reason, message: `Pod was rejected: ${message}` };
  await unlessNotFound(write(pods).replace(pod, { ...pod, status }, 'status'));
  return undefined;
}
