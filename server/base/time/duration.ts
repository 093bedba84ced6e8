const units: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** Milliseconds of a text such as `1h2m3.5s`; undefined when it is none. */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0;
  const match = /^([+-]?)((?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+)$/.exec(text);
  if (!match) return undefined;
  let sum = 0;
  for (const [, amount, unit = ''] of (match[2] ?? '').matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)) {
    sum += Number(amount) * (units[unit] ?? 0);
  }
  return match[1] === '-' ? -sum : sum;
}
