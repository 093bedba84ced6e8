import type { Json } from '../base/kube-object.ts';

/** Numbers written with a fraction or exponent, such as `5.0`: the keys (or indexes) by the object that holds them. */
export type OddNumbers = ReadonlyMap<object, ReadonlySet<string>>;

/** A field that the structure does not have. `holder` is the object of the decoded value that held it under `key`. */
export interface UnknownField {
  /** Such as `spec.rules[0].bad`. */
  readonly path: string;
  readonly holder: object;
  readonly key: string;
}

/** A body that was read. */
export interface Decoded {
  /** Fresh, so that the caller may change it. */
  readonly value: Json;
  readonly oddNumbers: OddNumbers;
  /** The faults of the text itself: keys given twice, each once, in the order of the text. Whole messages. */
  readonly duplicates: readonly string[];
  /** The faults of the text together with the unknown fields found later, in the order that they are reported. */
  faults(unknown: readonly UnknownField[]): readonly string[];
}

export const noOddNumbers: OddNumbers = new Map();

export const unknownFieldMessage = (path: string) => `unknown field "${path}"`;
export const duplicateFieldMessage = (path: string) => `duplicate field "${path}"`;

/** Deeper nesting than this is refused, so that no walk over a value can exhaust the stack. */
export const maximumDepth = 1000;

/** More faults of one body than this are not listed. */
export const maximumFaults = 1000;
