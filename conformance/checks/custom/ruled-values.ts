import type { Json } from '../../verbs/json.ts';
import type { Shape } from './shape.ts';

/** A schema, a rule for its values, values that keep it, and values that do not. */
export type Case = readonly [schema: Json, rule: string, kept: readonly Json[], refused: readonly Json[]];

export const shapesOf = (cases: readonly Case[]): readonly Shape[] =>
  cases.map(([schema, rule, kept, refused]) => ({
    schema: { ...schema, 'x-kubernetes-validations': [{ rule }] },
    kept,
    refused,
  }));
