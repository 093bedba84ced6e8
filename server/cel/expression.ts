import type { parse } from '@bufbuild/cel';
import { celLibrary } from './library.ts';

/** The syntax tree of an expression, macros already expanded. */
export type Expression = ReturnType<typeof parse>['expr'];

/** The text is no expression that can be used; the message says why. */
export class ExpressionError extends Error {}

const longest = 20_000;
const deepest = 250;

/**
 * Parses an expression.
 *
 * @throws ExpressionError it is no expression, too long, or nested too deeply
 */
export function parseExpression(text: string): Expression {
  if (text.length > longest) throw new ExpressionError(`the expression is longer than ${longest} characters`);
  try {
    const { expr } = celLibrary().parse(text);
    if (depthOf(expr) > deepest) throw new ExpressionError(`the expression is nested deeper than ${deepest} levels`);
    return expr;
  } catch (error) {
    if (error instanceof ExpressionError) throw error;
    // A stack that overflows is the parser's way to say that the nesting is too deep.
    if (error instanceof RangeError) throw new ExpressionError('the expression is nested too deeply');
    throw new ExpressionError(`Syntax error: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The parts of an expression. */
export function partsOf({ exprKind }: Expression): Expression[] {
  switch (exprKind.case) {
    case 'selectExpr':
      return present(exprKind.value.operand);
    case 'callExpr':
      return [...present(exprKind.value.target), ...exprKind.value.args];
    case 'listExpr':
      return exprKind.value.elements;
    case 'structExpr':
      return exprKind.value.entries.flatMap(({ keyKind, value }) => [
        ...(keyKind.case === 'mapKey' ? [keyKind.value] : []),
        ...present(value),
      ]);
    case 'comprehensionExpr': {
      const { iterRange, accuInit, loopCondition, loopStep, result } = exprKind.value;
      return [iterRange, accuInit, loopCondition, loopStep, result].flatMap(present);
    }
    default:
      return [];
  }
}

const present = (expression: Expression | undefined): Expression[] => (expression ? [expression] : []);

function depthOf(root: Expression): number {
  let depth = 0;
  for (let level = [root]; level.length > 0; level = level.flatMap(partsOf)) {
    depth++;
    if (depth > deepest) break;
  }
  return depth;
}

/** An expression such as `a.b.c` as one text; undefined: it is none of the kind. */
export function dottedName({ exprKind }: Expression): string | undefined {
  if (exprKind.case === 'identExpr') return exprKind.value.name;
  if (exprKind.case !== 'selectExpr' || exprKind.value.testOnly || !exprKind.value.operand) return undefined;
  const before = dottedName(exprKind.value.operand);
  return before && `${before}.${exprKind.value.field}`;
}

/** Whether an identifier occurs anywhere; one that a macro hides by a variable of the same name counts as well. */
export function mentions(root: Expression, name: string): boolean {
  const waiting = [root];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { exprKind } = next;
    if (exprKind.case === 'identExpr' && exprKind.value.name === name) return true;
    waiting.push(...partsOf(next));
  }
  return false;
}
