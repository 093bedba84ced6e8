/** One figure that is promised. */
export interface Aim {
  readonly name: string;
  readonly unit: string;
  /** What it must be, on any machine: figures of time are of processors that have little else to do. */
  readonly most?: number;
  readonly least?: number;
  measure(): Promise<Measurement>;
}

export interface Measurement {
  readonly figure: number;
  /** What it comes from. */
  readonly of: string;
}

export const isReached = ({ most, least }: Aim, { figure }: Measurement): boolean =>
  figure <= (most ?? Number.POSITIVE_INFINITY) && figure >= (least ?? Number.NEGATIVE_INFINITY);

/** @param part from 0 to 1 */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);
