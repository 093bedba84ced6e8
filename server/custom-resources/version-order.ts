interface Parsed {
  readonly major: bigint;
  /** 3 stable, 2 beta, 1 alpha */
  readonly stability: number;
  readonly minor: bigint;
}

function parse(version: string): Parsed | undefined {
  const parts = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(version);
  if (!parts) return undefined;
  const stability = parts[2] === undefined ? 3 : parts[2] === 'beta' ? 2 : 1;
  return { major: BigInt(parts[1] as string), stability, minor: BigInt(parts[3] ?? 0) };
}

const descending = (one: bigint | number, other: bigint | number) => (one === other ? 0 : one > other ? -1 : 1);

/** The order in which discovery lists versions: stable, beta, alpha, the higher number first; then others by alphabet. */
export function compareVersions(one: string, other: string): number {
  const a = parse(one);
  const b = parse(other);
  if (a && b)
    return descending(a.stability, b.stability) || descending(a.major, b.major) || descending(a.minor, b.minor);
  if (a || b) return a ? -1 : 1;
  return one < other ? -1 : one > other ? 1 : 0;
}
