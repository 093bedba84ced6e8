import { type Expression, partsOf } from './expression.ts';
import { type Extent, single, unbounded } from './extent.ts';

/** What an expression costs at most, and how large its result can get. */
interface Estimate {
  readonly cost: number;
  readonly extent: Extent;
}

type Extents = ReadonlyMap<string, Extent>;

/** Steps that an expression can take at most, in the measure of `Meter`. A rough figure: see its users. */
export const estimatedCost = (expression: Expression, names: Extents): number => estimate(expression, names).cost;

function estimate(expression: Expression, names: Extents): Estimate {
  const { exprKind } = expression;
  switch (exprKind.case) {
    case 'constExpr': {
      const { value } = exprKind.value.constantKind;
      return {
        cost: 0,
        extent: typeof value === 'string' || value instanceof Uint8Array ? { size: value.length } : single,
      };
    }
    case 'identExpr':
      return { cost: 1, extent: names.get(exprKind.value.name) ?? single };
    case 'selectExpr': {
      const { cost, extent } = estimate(exprKind.value.operand as Expression, names);
      const { field, testOnly } = exprKind.value;
      return { cost: cost + 1, extent: testOnly ? single : (extent.fields?.get(field) ?? extent.items ?? unbounded) };
    }
    case 'callExpr':
      return call(
        exprKind.value.function,
        partsOf(expression).map((part) => estimate(part, names)),
      );
    case 'listExpr':
      return collection(partsOf(expression).map((part) => estimate(part, names)));
    case 'structExpr':
      return collection(partsOf(expression).map((part) => estimate(part, names)));
    case 'comprehensionExpr':
      return fold(exprKind.value, names);
    default:
      return { cost: 0, extent: single };
  }
}

const sum = (parts: readonly Estimate[]) => parts.reduce((total, { cost }) => total + cost, 0);

function collection(parts: readonly Estimate[]): Estimate {
  return { cost: 1 + sum(parts), extent: { size: parts.length, items: widest(parts.map(({ extent }) => extent)) } };
}

const widest = (extents: readonly Extent[]): Extent =>
  extents.reduce((most, extent) => (extent.size > most.size ? extent : most), extents[0] ?? single);

/** Calls that go over their receiver; most take a text. */
const overReceiver: ReadonlySet<string> = new Set(
  'contains startsWith endsWith charAt indexOf lastIndexOf lowerAscii upperAscii replace split substring trim find findAll join isSorted sum min max'.split(
    ' ',
  ),
);

function call(name: string, parts: readonly Estimate[]): Estimate {
  const [first = { cost: 0, extent: single }, second = first] = parts;
  const base = 1 + sum(parts);
  const { extent } = first;
  switch (name) {
    case '_&&_':
    case '_||_':
    case '!_':
    case 'has':
      return { cost: base, extent: single };
    case '_?_:_':
      return { cost: base, extent: widest(parts.slice(1).map((part) => part.extent)) };
    case '_==_':
    case '_!=_':
      return { cost: base + walk(extent.size < second.extent.size ? extent : second.extent), extent: single };
    case '_[_]':
      return { cost: base, extent: extent.items ?? unbounded };
    case '_+_':
      return {
        cost: base + walk(extent) + walk(second.extent),
        extent: joined(extent, second.extent),
      };
    case '@in':
      return { cost: base + (second.extent.fields ? 1 : second.extent.size), extent: single };
    case 'matches':
      return { cost: base + (walk(extent) * (1 + second.extent.size)) / 4, extent: single };
    default:
      return {
        cost: base + (overReceiver.has(name) ? walk(extent) : 0),
        extent: { ...extent, items: extent.items ?? extent },
      };
  }
}

function joined(one: Extent, other: Extent): Extent {
  const size = one.size + other.size;
  if (!one.items || !other.items) return { size };
  return { size, items: one.size === 0 ? other.items : widest([one.items, other.items]) };
}

/** Going over a value once: ten characters a step, or one item. */
const walk = ({ size, items, fields }: Extent): number => (items || fields ? size : size / 10);

function fold(
  parts: Extract<Expression['exprKind'], { case: 'comprehensionExpr' }>['value'],
  names: Extents,
): Estimate {
  const range = estimate(parts.iterRange as Expression, names);
  const start = estimate(parts.accuInit as Expression, names);
  const inner = new Map([...names, [parts.iterVar, range.extent.items ?? unbounded], [parts.accuVar, start.extent]]);
  const goesOn = estimate(parts.loopCondition as Expression, inner);
  const step = estimate(parts.loopStep as Expression, inner);
  const collects = parts.accuInit?.exprKind.case === 'listExpr';
  const items = step.extent.items ?? unbounded;
  return {
    cost: 1 + range.cost + range.extent.size * (1 + goesOn.cost + step.cost),
    extent: collects ? { size: range.extent.size, items } : single,
  };
}
