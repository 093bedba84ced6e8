import type { Json } from '../../verbs/json.ts';

/** One construct of schemas, and what it makes of values. */
export interface Shape {
  readonly schema: Json;
  /** Stored as they are. */
  readonly kept?: readonly Json[];
  /** Given, and what is stored of it. */
  readonly stored?: readonly (readonly [given: Json, shown: Json])[];
  readonly refused?: readonly Json[];
}
