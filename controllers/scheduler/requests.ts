import { podAmount } from '../resource-quota/plan.ts';
import { type Milli, parseQuantity } from '../resource-quota/quantity.ts';
import type { Node, Pod } from '../runtime/resources.ts';

/** What a node has too little of for a pod, beside what the pods there have asked for. */
export function scarceResources(pod: Pod, { status }: Node, there: readonly Pod[]): readonly string[] {
  const { allocatable = {} } = status ?? {};
  const { pods } = allocatable;
  if (pods !== undefined && BigInt(there.length + 1) * 1000n > parseQuantity(pods)) return ['pods'];
  return [...requestsOf(pod)].flatMap(([resource, amount]) => {
    const taken = there.reduce((sum, each) => sum + (requestsOf(each).get(resource) ?? 0n), 0n);
    return taken + amount > parseQuantity(allocatable[resource]) ? [resource] : [];
  });
}

type Requests = ReadonlyMap<string, Milli>;

/** A pod is summed up once, and not again for each that is placed beside it. */
const known = new WeakMap<Pod, Requests>();

/** What a pod asks for of each resource; none of it is nothing. */
export function requestsOf(pod: Pod): Requests {
  const requests = known.get(pod) ?? summedUp(pod);
  known.set(pod, requests);
  return requests;
}

function summedUp(pod: Pod): Requests {
  const { containers = [], initContainers = [], overhead } = pod.spec ?? {};
  const asked = [...containers, ...initContainers].map(({ resources }) => resources?.requests);
  const names = new Set([...asked, overhead].flatMap((amounts) => Object.keys(amounts ?? {})));
  return new Map(
    [...names].map((name) => [name, podAmount(pod, 'requests', name)] as const).filter(([, amount]) => amount > 0n),
  );
}
