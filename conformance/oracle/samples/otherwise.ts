import type { Json } from '../../verbs/client.ts';

/** How objects of a kind may be otherwise than its sample, as merge patches. */
export interface Otherwise {
  /** What a server may well take: each is stored, and everything is tried on it. */
  readonly states: readonly Json[];
  /** At an edge, odd, or to be refused: tried on a new object and on each that is stored. */
  readonly odd: readonly Json[];
  /** As odd, and so many that they are tried on a new object alone. */
  readonly fresh?: readonly Json[];
  /** Good and odd statuses. */
  readonly statuses?: readonly Json[];
}

export const specs = (...all: readonly Json[]): Json[] => all.map((spec) => ({ spec }));

export const statuses = (...all: readonly Json[]): Json[] => all.map((status) => ({ status }));

export const long = (length: number): string => 'x'.repeat(length);

/** So many entries, told apart by their number. */
export const many = <T>(count: number, entry: (number: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => entry(at));

export const condition = (type: string, more: Json = {}): Json => ({
  ...{ type, status: 'True', reason: 'Tried', message: 'tried' },
  ...{ lastTransitionTime: '2024-05-06T07:08:09Z', ...more },
});

/** One change for each value of a member. */
export const each = (member: string, ...values: readonly Json[]): Json[] =>
  values.map((value) => ({ [member]: value }));
