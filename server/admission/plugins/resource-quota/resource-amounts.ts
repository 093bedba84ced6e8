import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  subtractQuantities,
} from '../../../base/quantity.ts';
import type { Quantities } from '../../../kinds/core/pod/shape.ts';

/** Amounts by the names that quotas give resources. */
export type Amounts = ReadonlyMap<string, Quantity>;

const zero: Quantity = { nanos: 0n, format: 'decimal' };

export const count = (number: number): Quantity => ({ nanos: BigInt(number) * 1_000_000_000n, format: 'decimal' });

export const readAmounts = (amounts: Quantities | undefined): Map<string, Quantity> =>
  new Map(Object.entries(amounts ?? {}).map(([name, text]) => [name, parseQuantity(text) ?? zero]));

export const writeAmounts = (amounts: Amounts): Quantities =>
  Object.fromEntries([...amounts].map(([name, amount]) => [name, formatQuantity(amount)]));

export function plus(left: Amounts, right: Amounts): Map<string, Quantity> {
  const sum = new Map(left);
  for (const [name, amount] of right) {
    const before = sum.get(name);
    sum.set(name, before ? addQuantities(before, amount) : amount);
  }
  return sum;
}

/** Never below zero. Only what the left has. */
export function minus(left: Amounts, right: Amounts): Map<string, Quantity> {
  const difference = new Map<string, Quantity>();
  for (const [name, amount] of left) {
    const less = subtractQuantities(amount, right.get(name) ?? zero);
    difference.set(name, less.nanos < 0n ? { ...less, nanos: 0n } : less);
  }
  return difference;
}

/** Of each resource the larger amount. */
export function largest(left: Amounts, right: Amounts): Map<string, Quantity> {
  const most = new Map(left);
  for (const [name, amount] of right) {
    const before = most.get(name);
    if (!before || compareQuantities(amount, before) > 0) most.set(name, amount);
  }
  return most;
}

export const only = (amounts: Amounts, wanted: (name: string, amount: Quantity) => boolean): Map<string, Quantity> =>
  new Map([...amounts].filter(([name, amount]) => wanted(name, amount)));

/** `a=1,b=2` in order of names. */
export const amountsText = (amounts: Amounts): string =>
  [...amounts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, amount]) => `${name}=${formatQuantity(amount)}`)
    .join(',');

/** The resources of which more would be used than a quota has. */
export function exceeded(used: Amounts, requested: Amounts, hard: Amounts): ReadonlySet<string> {
  const names = [...requested].filter(([name, amount]) => {
    const limit = hard.get(name);
    return limit !== undefined && compareQuantities(addQuantities(used.get(name) ?? zero, amount), limit) > 0;
  });
  return new Set(names.map(([name]) => name));
}
