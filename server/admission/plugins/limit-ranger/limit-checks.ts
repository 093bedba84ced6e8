import { addQuantities, compareQuantities, formatQuantity, type Quantity } from '../../../base/quantity.ts';
import type { LimitRange, LimitRangeItem } from '../../../kinds/core/limit-range.ts';
import type { PodSpec, Quantities } from '../../../kinds/core/pod/shape.ts';
import { amountOf } from '../../../kinds/quantity-text.ts';

/** What something asks for and may take; an amount that is not stated is missing. */
interface Amounts {
  readonly requests: ReadonlyMap<string, Quantity>;
  readonly limits: ReadonlyMap<string, Quantity>;
}

const amounts = (given: Quantities | undefined): Map<string, Quantity> =>
  new Map(Object.entries(given ?? {}).map(([name, text]) => [name, amountOf(text)]));

const below = (left: Quantity | undefined, right: Quantity) => left !== undefined && compareQuantities(left, right) < 0;
const above = (left: Quantity | undefined, right: Quantity) => left !== undefined && compareQuantities(left, right) > 0;

/** One bound of one resource: the words for how it is broken, undefined when it is kept. */
type Rule = (bound: Quantity, request: Quantity | undefined, limit: Quantity | undefined) => string | undefined;

const atLeast: Rule = (bound, request, limit) => {
  if (!request) return '.  No request is specified';
  if (below(request, bound)) return `, but request is ${formatQuantity(request)}`;
  return limit && below(limit, bound) ? `, but limit is ${formatQuantity(limit)}` : undefined;
};

const atMost: Rule = (bound, request, limit) => {
  if (!limit) return '.  No limit is specified';
  if (above(limit, bound)) return `, but limit is ${formatQuantity(limit)}`;
  return request && above(request, bound) ? `, but request is ${formatQuantity(request)}` : undefined;
};

/** For what has no limits: only the request counts. */
const requestsAtMost: Rule = (bound, request) => {
  if (!request) return '.  No request is specified';
  return above(request, bound) ? `, but request is ${formatQuantity(request)}` : undefined;
};

const million = 1_000_000n;

/** The quotient of two positive numbers, rounded. */
function sixDecimals(dividend: bigint, divisor: bigint): string {
  const millionths = (dividend * million + divisor / 2n) / divisor;
  return `${millionths / million}.${String(millionths % million).padStart(6, '0')}`;
}

const ratioAtMost: Rule = (bound, request, limit) => {
  if (!request || request.nanos === 0n) return ', but no request is specified or request is 0';
  if (!limit || limit.nanos === 0n) return ', but no limit is specified or limit is 0';
  if (limit.nanos * 1_000_000_000n <= bound.nanos * request.nanos) return undefined;
  return `, but provided ratio is ${sixDecimals(limit.nanos, request.nanos)}`;
};

function broken(
  what: (name: string) => string,
  bounds: Quantities | undefined,
  rule: Rule,
  { requests, limits }: Amounts,
) {
  return Object.keys(bounds ?? {})
    .sort()
    .flatMap((name) => {
      const bound = amountOf(bounds?.[name]);
      const problem = rule(bound, requests.get(name), limits.get(name));
      return problem ? [`${what(name)} is ${formatQuantity(bound)}${problem}`] : [];
    });
}

const problemsOf = ({ type = '', min, max, maxLimitRequestRatio }: LimitRangeItem, given: Amounts): string[] => [
  ...broken((name) => `minimum ${name} usage per ${type}`, min, atLeast, given),
  ...broken((name) => `maximum ${name} usage per ${type}`, max, atMost, given),
  ...broken((name) => `${name} max limit to request ratio per ${type}`, maxLimitRequestRatio, ratioAtMost, given),
];

/** What all of them say together. Where one says nothing, nobody knows the sum. */
function sumOf(lists: readonly ReadonlyMap<string, Quantity>[]): Map<string, Quantity> {
  const [first = new Map<string, Quantity>(), ...others] = lists;
  const sum = new Map<string, Quantity>();
  for (const [name, amount] of first) {
    const rest = others.map((list) => list.get(name));
    if (rest.every((each) => each !== undefined)) sum.set(name, rest.reduce(addQuantities, amount));
  }
  return sum;
}

/** What the pod as a whole takes: its containers run together, its init containers one after another before them. */
function totals({ containers = [], initContainers = [] }: PodSpec): Amounts {
  const total = (part: 'requests' | 'limits') => {
    const sum = sumOf(containers.map(({ resources }) => amounts(resources?.[part])));
    for (const { resources } of initContainers)
      for (const [name, amount] of amounts(resources?.[part])) {
        const before = sum.get(name);
        if (!before || above(amount, before)) sum.set(name, amount);
      }
    return sum;
  };
  return { requests: total('requests'), limits: total('limits') };
}

/** How a pod breaks the items of a range that are about containers and pods. */
export function podProblems(range: LimitRange, pod: { spec?: PodSpec }): string[] {
  const spec = pod.spec ?? {};
  return (range.spec?.limits ?? []).flatMap((item) => {
    if (item.type === 'Pod') return problemsOf(item, totals(spec));
    if (item.type !== 'Container') return [];
    return [...(spec.containers ?? []), ...(spec.initContainers ?? [])].flatMap(({ resources }) =>
      problemsOf(item, { requests: amounts(resources?.requests), limits: amounts(resources?.limits) }),
    );
  });
}

/** How a claim breaks the items of a range that are about claims. */
export function claimProblems(
  range: LimitRange,
  claim: { spec?: { resources?: { requests?: Quantities } } },
): string[] {
  const given: Amounts = { requests: amounts(claim.spec?.resources?.requests), limits: new Map() };
  return (range.spec?.limits ?? [])
    .filter(({ type }) => type === 'PersistentVolumeClaim')
    .flatMap(({ type, min, max }) => [
      ...broken((name) => `minimum ${name} usage per ${type}`, min, atLeast, given),
      ...broken((name) => `maximum ${name} usage per ${type}`, max, requestsAtMost, given),
    ]);
}
