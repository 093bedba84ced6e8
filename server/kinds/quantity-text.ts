import { compareQuantities, parseQuantity, type Quantity } from '../base/quantity.ts';

/** Amounts as objects carry them: canonical text, checked when it was decoded. */

const zero: Quantity = { nanos: 0n, format: 'decimal' };

export const amountOf = (text: string | undefined): Quantity => parseQuantity(text ?? '0') ?? zero;

/** Below, equal or above: -1, 0, 1. */
export const compareAmounts = (left: string, right: string) => compareQuantities(amountOf(left), amountOf(right));

/** -1, 0, 1. */
export const signOf = (text: string) => compareQuantities(amountOf(text), zero);

/** In whole numbers, rounded up. */
export function wholeOf(text: string): bigint {
  const { nanos } = amountOf(text);
  return nanos / 1_000_000_000n + (nanos > 0n && !isWhole(text) ? 1n : 0n);
}

/** Whether there is nothing behind the point. */
export const isWhole = (text: string) => amountOf(text).nanos % 1_000_000_000n === 0n;
