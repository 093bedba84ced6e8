import { celEnv, isCelError, parse, plan } from '@bufbuild/cel';
import { allow, deny } from '../admission-review.ts';
import type { Policy } from '../policy.ts';

export interface ExpressionRule {
  readonly name: string;
  readonly rules: Policy['rules'];
  /** CEL over `object`, `oldObject` and `request`; what makes it true is refused. */
  readonly denyIf: string;
  readonly message: string;
}

/**
 * Refuses what a CEL expression picks out. A field that may be missing needs `has(...)` in front of it: an expression
 * that cannot be evaluated fails the call.
 * @throws Error the expression does not parse
 */
export function denyByExpression({ name, rules, denyIf, message }: ExpressionRule): Policy {
  const evaluate = plan(celEnv(), parse(denyIf));
  return {
    name,
    type: 'validating',
    about: `${message} (${denyIf})`,
    failurePolicy: 'Fail',
    rules,
    decide(request) {
      const { object, oldObject } = request;
      const result = evaluate({ object, oldObject, request } as unknown as Parameters<typeof evaluate>[0]);
      if (isCelError(result)) throw new Error(`${denyIf}: ${result.message}`);
      if (typeof result !== 'boolean') throw new Error(`${denyIf} is neither true nor false`);
      return result ? deny(message) : allow();
    },
  };
}
