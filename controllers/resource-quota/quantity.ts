/** Amounts in thousandths, exact however large. */
export type Milli = bigint;

const binary: Readonly<Record<string, bigint>> = { Ki: 10n, Mi: 20n, Gi: 30n, Ti: 40n, Pi: 50n, Ei: 60n };
const decimal: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };

/** Reads a quantity such as `1500m`, `2Gi`, `1.5` or `1e3`, rounded up to thousandths; anything else is nothing. */
export function parseQuantity(text: string | number | undefined): Milli {
  const match = /^\+?(\d{1,30})(?:\.(\d{0,30}))?(?:(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE])|[eE]([+-]?\d{1,2}))?$/.exec(
    String(text ?? ''),
  );
  if (!match) return 0n;
  const [, whole = '', fraction = '', suffix = '', exponent] = match;
  const digits = BigInt(whole + fraction);
  const shift = binary[suffix];
  const power = 3 - fraction.length + (shift === undefined ? Number(exponent ?? decimal[suffix] ?? 0) : 0);
  const value = shift === undefined ? digits : digits << shift;
  if (power >= 0) return value * 10n ** BigInt(power);
  const divisor = 10n ** BigInt(-power);
  return (value + divisor - 1n) / divisor;
}

/** The shortest way to write an amount exactly, as servers do. @param bytes whether it is told in powers of 1024 */
export function formatQuantity(value: Milli, bytes = false): string {
  if (value % 1000n !== 0n) return `${value}m`;
  const base = bytes ? 1024n : 1000n;
  let rest = value / 1000n;
  let power = 0;
  while (rest !== 0n && rest % base === 0n && power < 6) {
    rest /= base;
    power += 1;
  }
  return `${rest}${(bytes ? ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] : ['', 'k', 'M', 'G', 'T', 'P', 'E'])[power]}`;
}
