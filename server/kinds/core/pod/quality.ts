import { addQuantities, compareQuantities, type Quantity } from '../../../base/quantity.ts';
import { amountOf } from '../../quantity-text.ts';
import type { PodSpec, Quantities } from './shape.ts';

type Totals = Map<string, Quantity>;

const counted = ['cpu', 'memory'];

/** How many of those that count there are any of. */
function add(totals: Totals, amounts: Quantities | undefined): number {
  let found = 0;
  for (const name of counted) {
    const text = amounts?.[name];
    // Most containers ask for nothing, and to work out what nothing comes to would cost more than all else.
    if (text === undefined) continue;
    const amount = amountOf(text);
    if (amount.nanos <= 0n) continue;
    found++;
    const before = totals.get(name);
    totals.set(name, before ? addQuantities(before, amount) : amount);
  }
  return found;
}

/**
 * How well a pod is served when its node runs short: Guaranteed when every container has limits of cpu and memory
 * that equal its requests, BestEffort when none asks for anything, else Burstable.
 */
export function qosClassOf({ containers = [], initContainers = [] }: PodSpec): string {
  const requests: Totals = new Map();
  const limits: Totals = new Map();
  let limited = true;
  for (const { resources } of [...containers, ...initContainers]) {
    add(requests, resources?.requests);
    if (add(limits, resources?.limits) < counted.length) limited = false;
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const equal =
    requests.size === limits.size &&
    [...requests].every(([name, amount]) => {
      const limit = limits.get(name);
      return limit !== undefined && compareQuantities(limit, amount) === 0;
    });
  return limited && equal ? 'Guaranteed' : 'Burstable';
}
