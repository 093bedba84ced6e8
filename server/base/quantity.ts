/** A fixed-point amount in units of 10^-9, with the notation it is written in. */
export interface Quantity {
  readonly nanos: bigint;
  readonly format: QuantityFormat;
}

/** `Gi`; `G` and `m`; `e9`. */
export type QuantityFormat = 'binary' | 'decimal' | 'exponent';

const form = /^([+-]?)(\d*)(?:\.(\d*))?([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$/;

const nano = 10n ** 9n;
const largest = (2n ** 63n - 1n) * nano;

const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const decimalSuffixes = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const suffixOfExponent = new Map([...decimalSuffixes].map(([suffix, exponent]) => [exponent, suffix]));

function formatOf(suffix: string): QuantityFormat {
  if (suffix.endsWith('i')) return 'binary';
  return /^[eE]./.test(suffix) ? 'exponent' : 'decimal';
}

const roundedUp = (numerator: bigint, denominator: bigint) => (numerator + denominator - 1n) / denominator;

/** `digits` with `places` of them behind the point, times 10^exponent, in nanos, rounded up. */
function scaled(digits: string, places: number, exponent: number): bigint {
  const shift = exponent - places + 9;
  const significant = digits.replace(/^0+/, '');
  if (significant === '') return 0n;
  // Far beyond what anybody has: no need to build the number.
  if (significant.length + shift > 400) return 10n ** 400n;
  if (significant.length + shift < -1) return 1n;
  return shift >= 0
    ? BigInt(significant) * 10n ** BigInt(shift)
    : roundedUp(BigInt(significant), 10n ** BigInt(-shift));
}

/** Longer text is refused: exact arithmetic on it would cost more than any real amount is worth. */
const longest = 256;

function nanosOf(whole: string, fraction: string, suffix: string, format: QuantityFormat): bigint | undefined {
  if (format === 'binary') {
    const power = 1024n ** BigInt(binarySuffixes.indexOf(suffix));
    return roundedUp(BigInt(`0${whole}${fraction}`) * power * nano, 10n ** BigInt(fraction.length));
  }
  const exponent = format === 'exponent' ? Number(suffix.slice(1)) : (decimalSuffixes.get(suffix) ?? 0);
  return Number.isSafeInteger(exponent) ? scaled(whole + fraction, fraction.length, exponent) : undefined;
}

/**
 * Reads `1`, `0.5`, `100m`, `1.5Gi`, `1e3`. Finer than a nano is rounded up (away from zero); a binary amount larger
 * than 2^63-1 is cut to that. Undefined when it is no quantity.
 */
export function parseQuantity(text: string): Quantity | undefined {
  const match = text.length > longest ? null : form.exec(text);
  if (!match) return undefined;
  const [, sign, whole = '', fraction = '', suffix = ''] = match;
  // A point alone is none of anything.
  if (whole === '' && fraction === '' && !text.includes('.')) return undefined;
  const format = formatOf(suffix);
  const exact = nanosOf(whole, fraction, suffix, format);
  if (exact === undefined) return undefined;
  const nanos = format === 'binary' && exact > largest ? largest : exact;
  return { nanos: sign === '-' ? -nanos : nanos, format };
}

/** `amount` without factors of `base`, and how many there were, at most `most`. */
function withoutFactors(amount: bigint, base: bigint, most: number): { rest: bigint; count: number } {
  let rest = amount;
  let count = 0;
  while (count < most && rest % base === 0n) {
    rest /= base;
    count++;
  }
  return { rest, count };
}

/**
 * The canonical text: no fraction, the largest suffix that needs none. Binary amounts that are below 1024 or not whole
 * are written as decimal ones.
 */
export function formatQuantity({ nanos, format }: Quantity): string {
  if (nanos === 0n) return '0';
  const sign = nanos < 0n ? '-' : '';
  const amount = nanos < 0n ? -nanos : nanos;
  if (format === 'binary' && amount % nano === 0n && amount >= 1024n * nano) {
    const { rest, count } = withoutFactors(amount / nano, 1024n, binarySuffixes.length - 1);
    return `${sign}${rest}${binarySuffixes[count]}`;
  }
  const { rest, count } = withoutFactors(amount, 1000n, format === 'exponent' ? mostFactors : 9);
  const exponent = count * 3 - 9;
  if (format === 'exponent') return `${sign}${rest}${exponent === 0 ? '' : `e${exponent}`}`;
  return `${sign}${rest}${suffixOfExponent.get(exponent)}`;
}

/** More thousands than that no amount that can be written has. */
const mostFactors = 200;

/** A number without a fraction, in front of what it counts. */
const plainForm = /^[+-]?0*(\d+)\.?((?:[KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?)$/;

/** Whether a text says in its own way what the canonical one says: as many of the same. */
function saysTheSame(text: string, canonical: string): boolean {
  const [, number, unit = ''] = plainForm.exec(text) ?? [];
  const [, other, otherUnit = ''] = plainForm.exec(canonical) ?? [];
  return number !== '0' && number === other && exponentOf(unit) === exponentOf(otherUnit);
}

/** Exponents may be spelt in more than one way; suffixes may not. */
const exponentOf = (unit: string) => (/^[eE]./.test(unit) ? Number(unit.slice(1)) : unit || 0);

// What nearly all amounts look like, and is canonical already: short, not a multiple of the next suffix.
const canonicalAlready = /^(?:0|[1-9]\d{0,2}(?:m|k|M|G|Ki|Mi|Gi)?)$/;

/**
 * The canonical text of a quantity, which is the text itself where that says as many of the same; undefined when it is
 * none. Spaces around it do not count.
 */
export function canonicalQuantity(text: string): string | undefined {
  if (canonicalAlready.test(text)) return text;
  const quantity = parseQuantity(text.trim());
  return quantity && unlessSaid(text.trim(), formatQuantity(quantity));
}

const unlessSaid = (text: string, canonical: string) => (saysTheSame(text, canonical) ? text : canonical);

const milli = nano / 1000n;

/** As `canonicalQuantity`, of an amount of a resource: finer than a thousandth is rounded up, away from zero. */
export function canonicalAmount(text: string): string | undefined {
  if (canonicalAlready.test(text)) return text;
  const quantity = parseQuantity(text.trim());
  if (!quantity) return undefined;
  const { nanos, format } = quantity;
  const rounded = roundedUp(nanos < 0n ? -nanos : nanos, milli) * milli;
  return unlessSaid(text.trim(), formatQuantity({ nanos: nanos < 0n ? -rounded : rounded, format }));
}

/** Below, equal or above: -1, 0, 1. */
export const compareQuantities = (left: Quantity, right: Quantity): number =>
  left.nanos < right.nanos ? -1 : left.nanos > right.nanos ? 1 : 0;

/** The sum, written as the left one unless that is zero. */
export const addQuantities = (left: Quantity, right: Quantity): Quantity => ({
  nanos: left.nanos + right.nanos,
  format: left.nanos === 0n ? right.format : left.format,
});

/** The difference, written as the left one unless that is zero. */
export const subtractQuantities = (left: Quantity, right: Quantity): Quantity => ({
  nanos: left.nanos - right.nanos,
  format: left.nanos === 0n ? right.format : left.format,
});
