import type { Checked } from './check.ts';
import { dottedName, type Expression, partsOf } from './expression.ts';
import type { Extent } from './extent.ts';
import { callCost, type Sized } from './function-cost.ts';
import { typeNamesWithDots } from './messages.ts';

/**
 * Steps that an expression can take at most, from the limits in the schema of what it works on. Names that are not
 * among `names` are those of types.
 *
 * The measure is that of the Common Expression Language in Kubernetes 1.25: a name or a member costs 1, a list 10,
 * a map 30, most calls 1, and what reads a text one for each ten bytes. What is made in an expression, other than by
 * `+` or a condition, has no known size.
 */
export const estimatedCost = (checked: Checked, root: Extent): number =>
  new Estimator(checked, root).estimate(
    checked.expression,
    new Map([
      ['self', root],
      ['oldSelf', root],
    ]),
  ).cost;

/**
 * What part of the schema an expression stands for. Undefined: none, because it makes its value; what is taken out of
 * that counts as large as the root.
 */
type Part = Extent | undefined;
type Extents = ReadonlyMap<string, Part>;

/** What is taken out of a part that has nothing of the kind. */
const nowhere: Extent = { size: Number.NaN, least: 0 };

interface Estimate extends Sized {
  readonly cost: number;
}

const costOf = { name: 1, member: 1, list: 10, map: 30, message: 40 } as const;

/** Keys of maps are not limited, and are taken to be short. */
const key: Extent = { size: 0, least: 2 };

const fixedInSize: ReadonlySet<string> = new Set(['bool', 'double', 'int', 'uint', 'duration', 'timestamp']);

class Estimator {
  readonly #checked: Checked;
  readonly #root: Extent;
  constructor(checked: Checked, root: Extent) {
    this.#checked = checked;
    this.#root = root;
  }

  estimate(expression: Expression, names: Extents): Estimate {
    const { exprKind } = expression;
    switch (exprKind.case) {
      case 'constExpr':
        return this.#sized(expression, 0, undefined, constantSize(exprKind.value.constantKind.value));
      case 'identExpr': {
        const { name } = exprKind.value;
        return this.#sized(expression, costOf.name, names.has(name) ? names.get(name) : this.#root);
      }
      case 'selectExpr':
        return typeNamesWithDots.has(dottedName(expression) ?? '')
          ? this.#sized(expression, costOf.name, this.#root)
          : this.#select(expression, exprKind.value, names);
      case 'callExpr':
        return this.#call(expression, exprKind.value, names);
      case 'listExpr':
        return this.#collection(expression, costOf.list, exprKind.value.elements.length, names);
      case 'structExpr': {
        const { messageName, entries } = exprKind.value;
        return messageName
          ? this.#collection(expression, costOf.message, Number.POSITIVE_INFINITY, names)
          : this.#collection(expression, costOf.map, entries.length, names);
      }
      case 'comprehensionExpr':
        return this.#fold(expression, exprKind.value, names);
      default:
        return this.#sized(expression, 0, undefined);
    }
  }

  /** A part of what another expression stands for. */
  #inside(part: Part, take: (extent: Extent) => Extent | undefined): Extent {
    return part ? (take(part) ?? nowhere) : this.#root;
  }

  #sized(expression: Expression, cost: number, extent: Part, known?: number): Estimate {
    const type = this.#checked.typeOf(expression);
    const size = known ?? (extent === nowhere ? undefined : extent?.size);
    return {
      cost,
      type,
      extent,
      known: size,
      size: size ?? (fixedInSize.has(type.is) ? 1 : Number.POSITIVE_INFINITY),
    };
  }

  #select(expression: Expression, { operand, field, testOnly }: KindOf<'selectExpr'>, names: Extents): Estimate {
    if (testOnly) return this.#sized(expression, 0, undefined);
    const holder = this.estimate(operand as Expression, names);
    const own = holder.type.is === 'map' || holder.type.is === 'object' || holder.type.is === 'variable';
    return this.#sized(
      expression,
      holder.cost + (own ? costOf.member : 0),
      this.#inside(holder.extent, ({ fields }) => fields?.get(field)),
    );
  }

  #call(expression: Expression, call: KindOf<'callExpr'>, names: Extents): Estimate {
    const parts = partsOf(expression).map((part) => this.estimate(part, names));
    const forms = this.#checked.formsOf(expression);
    const { cost, size } = callCost({ name: call.function, method: call.target !== undefined, parts, forms });
    const [test, ...branches] = parts;
    const before =
      call.function === '_?_:_' ? (test?.cost ?? 0) + Math.max(...branches.map((branch) => branch.cost)) : sum(parts);
    const extent = call.function === '_[_]' ? this.#inside(parts[0]?.extent, ({ items }) => items) : undefined;
    return this.#sized(expression, before + cost, extent, size);
  }

  #collection(expression: Expression, cost: number, size: number, names: Extents): Estimate {
    const parts = partsOf(expression).map((part) => this.estimate(part, names));
    return this.#sized(expression, cost + sum(parts), undefined, size);
  }

  #fold(expression: Expression, fold: KindOf<'comprehensionExpr'>, names: Extents): Estimate {
    const range = this.estimate(fold.iterRange as Expression, names);
    const start = this.estimate(fold.accuInit as Expression, names);
    const items = ({ items }: Extent) => (range.type.is === 'map' ? key : items);
    const item = range.type.is === 'dyn' ? undefined : this.#inside(range.extent, items);
    const after = new Map(names).set(fold.accuVar, undefined);
    const inside = new Map(after).set(fold.iterVar, item);
    const round =
      this.estimate(fold.loopCondition as Expression, inside).cost +
      this.estimate(fold.loopStep as Expression, inside).cost;
    const end = this.estimate(fold.result as Expression, after);
    // A list without an end may still be empty, and a round may cost nothing.
    const rounds = range.size === 0 || round === 0 ? 0 : range.size * round;
    return this.#sized(expression, range.cost + start.cost + end.cost + rounds, undefined);
  }
}

type KindOf<C> = Extract<Expression['exprKind'], { case: C }>['value'];

const sum = (parts: readonly Estimate[]): number => parts.reduce((total, { cost }) => total + cost, 0);

function constantSize(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  return value instanceof Uint8Array ? value.length : 1;
}
