import type { Json } from '../../verbs/json.ts';
import { objectOf } from './schema-parts.ts';
import type { Shape } from './shape.ts';

/** Values that rules are about. */
export const text = { type: 'string', maxLength: 60 };
export const whole = { type: 'integer' };
export const number = { type: 'number' };
export const flag = { type: 'boolean' };
export const time = { ...text, format: 'date-time' };
export const span = { ...text, format: 'duration' };
/** As many are in a list at most. */
export const few = { maxItems: 6 };
/** Two of one type. */
export const pair = (values: Json): Json => objectOf({ a: values, b: values });
/** A value, and what is to become of it. */
export const into = (given: Json, result: Json): Json => objectOf({ a: given, r: result });

/** A schema, a rule for its values, values that keep it, and values that do not. */
export type Case = readonly [schema: Json, rule: string, kept: readonly Json[], refused: readonly Json[]];

export const shapesOf = (cases: readonly Case[]): readonly Shape[] =>
  cases.map(([schema, rule, kept, refused]) => ({
    schema: { ...schema, 'x-kubernetes-validations': [{ rule }] },
    kept,
    refused,
  }));
