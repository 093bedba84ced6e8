import { dottedName, type Expression, ExpressionError } from './expression.ts';
import { type Implementation, implementations } from './functions.ts';
import { celLibrary } from './library.ts';
import { typeNamesWithDots } from './messages.ts';
import type { Meter } from './meter.ts';
import { callLibrary, Failure, isList, isMap, type Outcome, type Value } from './value.ts';

/** An expression ready to run. @throws OutOfBudget */
export type Evaluator = (names: Names, meter: Meter) => Outcome;

/** The values of names, the innermost first. */
export interface Names {
  readonly name: string;
  readonly value: Outcome;
  readonly outer: Names | undefined;
}

function lookUp(names: Names | undefined, name: string): Outcome | undefined {
  for (let scope = names; scope; scope = scope.outer) if (scope.name === name) return scope.value;
  return undefined;
}

/** Compiles an expression that was checked; what still goes wrong at run time becomes a Failure. */
export function compileExpression(expression: Expression): Evaluator {
  const { exprKind } = expression;
  switch (exprKind.case) {
    case 'constExpr':
      return constant(exprKind.value);
    case 'identExpr':
      return identifier(exprKind.value.name);
    case 'selectExpr':
      return typeName(dottedName(expression)) ?? select(exprKind.value);
    case 'callExpr':
      return call(exprKind.value);
    case 'listExpr':
      return list(exprKind.value.elements);
    case 'structExpr':
      return exprKind.value.messageName ? message(exprKind.value) : map(exprKind.value);
    case 'comprehensionExpr':
      return fold(exprKind.value);
    default:
      throw new ExpressionError('not an expression');
  }
}

type KindOf<C> = Extract<Expression['exprKind'], { case: C }>['value'];

function constant({ constantKind }: KindOf<'constExpr'>): Evaluator {
  const value: Value =
    constantKind.case === 'nullValue'
      ? null
      : constantKind.case === 'uint64Value'
        ? celLibrary().celUint(constantKind.value)
        : (constantKind.value as Value);
  return () => value;
}

const typeNames = ['int', 'uint', 'double', 'bool', 'string', 'bytes', 'list', 'map', 'null_type', 'type'];

function identifier(name: string): Evaluator {
  const missing: Outcome = typeNames.includes(name) ? { typeName: name } : new Failure(`no such name: ${name}`);
  return (names, meter) => {
    meter.charge(1);
    const value = lookUp(names, name);
    return value === undefined ? missing : value;
  };
}

/** Names of types with dots are read as members of members. */
function typeName(name = ''): Evaluator | undefined {
  if (!typeNamesWithDots.has(name)) return undefined;
  const value = { typeName: name };
  return (_, meter) => {
    meter.charge(1);
    return value;
  };
}

function select({ operand, field, testOnly }: KindOf<'selectExpr'>): Evaluator {
  const holder = compileExpression(operand as Expression);
  return (names, meter) => {
    meter.charge(1);
    const value = holder(names, meter);
    if (value instanceof Failure) return value;
    if (!isMap(value)) return new Failure(`no such field: ${field}`);
    if (testOnly) return value.has(field);
    const member = value.get(field);
    return member === undefined ? new Failure(`no such key: ${field}`) : member;
  };
}

function call({ function: name, target, args }: KindOf<'callExpr'>): Evaluator {
  const parts = args.map(compileExpression);
  if (name === '_&&_') return junction(parts, false);
  if (name === '_||_') return junction(parts, true);
  if (name === '_?_:_') return condition(parts as [Evaluator, Evaluator, Evaluator]);
  if (name === '@not_strictly_false') {
    const [part] = parts as [Evaluator];
    return (names, meter) => part(names, meter) !== false;
  }
  const all = target ? [compileExpression(target), ...parts] : parts;
  const evaluate = apply(all, implementations[target ? `.${name}` : name] ?? fromLibrary(name, target !== undefined));
  return name === '@in' && isConstantList(args[1]) ? failsAsFalse(evaluate) : evaluate;
}

/** What is not there is not among constants. */
const failsAsFalse =
  (evaluate: Evaluator): Evaluator =>
  (names, meter) => {
    const outcome = evaluate(names, meter);
    return outcome instanceof Failure ? false : outcome;
  };

const isConstantList = (expression: Expression | undefined) =>
  expression?.exprKind.case === 'listExpr' &&
  expression.exprKind.value.elements.every(({ exprKind }) => exprKind.case === 'constExpr');

const fromLibrary =
  (name: string, method: boolean): Implementation =>
  (given) =>
    callLibrary(name, method, given, given.length);

function apply(parts: readonly Evaluator[], implementation: Implementation, cost = 1): Evaluator {
  return (names, meter) => {
    meter.charge(cost);
    const given: Value[] = [];
    for (const part of parts) {
      const value = part(names, meter);
      if (value instanceof Failure) return value;
      given.push(value);
    }
    return implementation(given, meter);
  };
}

/** `&&` (decided by a false) or `||` (decided by a true): an error on one side does not matter if the other decides. */
function junction(parts: readonly Evaluator[], deciding: boolean): Evaluator {
  return (names, meter) => {
    let failed: Failure | undefined;
    for (const part of parts) {
      const value = part(names, meter);
      if (value === deciding) return deciding;
      if (value !== !deciding) failed ??= value instanceof Failure ? value : new Failure('no such overload');
    }
    return failed ?? !deciding;
  };
}

function condition([test, yes, no]: readonly [Evaluator, Evaluator, Evaluator]): Evaluator {
  return (names, meter) => {
    const value = test(names, meter);
    if (typeof value !== 'boolean') return value instanceof Failure ? value : new Failure('no such overload');
    return value ? yes(names, meter) : no(names, meter);
  };
}

const list = (elements: readonly Expression[]): Evaluator =>
  apply(elements.map(compileExpression), (items) => [...items], 10);

function map({ entries }: KindOf<'structExpr'>): Evaluator {
  const parts = entries.flatMap(({ keyKind, value }) => [
    compileExpression(keyKind.value as Expression),
    compileExpression(value as Expression),
  ]);
  return apply(
    parts,
    (given) => {
      const made = new Map<Value, Value>();
      // Of equal keys the last one counts.
      for (let i = 0; i < given.length; i += 2) made.set(given[i] as Value, given[i + 1] as Value);
      return made;
    },
    30,
  );
}

/** A message of one scalar is that scalar; without one it is what the type has as its zero. */
function message({ messageName, entries }: KindOf<'structExpr'>): Evaluator {
  const zero = zeroOf(messageName);
  const parts = entries.flatMap(({ value }) => (value ? [compileExpression(value)] : []));
  return apply(parts, ([value]) => (value === undefined ? zero : value), 40);
}

function zeroOf(message: string): Value {
  if (/UInt/.test(message)) return celLibrary().celUint(0n);
  if (/Int/.test(message)) return 0n;
  if (/Bool/.test(message)) return false;
  if (/Bytes/.test(message)) return new Uint8Array();
  return /String/.test(message) ? '' : 0;
}

function fold(parts: KindOf<'comprehensionExpr'>): Evaluator {
  const { iterVar, accuVar } = parts;
  const range = compileExpression(parts.iterRange as Expression);
  const start = compileExpression(parts.accuInit as Expression);
  const goesOn = compileExpression(parts.loopCondition as Expression);
  const collect = collecting(parts);
  const step = collect ?? compileExpression(parts.loopStep as Expression);
  const result = compileExpression(parts.result as Expression);
  return (names, meter) => {
    const items = range(names, meter);
    if (items instanceof Failure) return items;
    const over = isList(items) ? items : isMap(items) ? items.keys() : undefined;
    if (!over) return new Failure('no such overload');
    let accu = start(names, meter);
    for (const item of over) {
      const inner: Names = { name: iterVar, value: item, outer: { name: accuVar, value: accu, outer: names } };
      if (goesOn(inner, meter) !== true) break;
      accu = step(inner, meter);
      if (collect && accu instanceof Failure) return accu;
    }
    return result({ name: accuVar, value: accu, outer: names }, meter);
  };
}

/**
 * The step of `map` and `filter` adds one item to the list so far. Nobody else sees that list, so the item is put at
 * its end instead of making a new list each time.
 */
function collecting({ accuVar, loopStep }: KindOf<'comprehensionExpr'>): Evaluator | undefined {
  const step = loopStep?.exprKind;
  if (step?.case !== 'callExpr') return undefined;
  if (step.value.function === '_?_:_') {
    const [test, yes, no] = step.value.args as [Expression, Expression, Expression];
    const adds = added(yes, accuVar);
    const keeps = no.exprKind.case === 'identExpr' && no.exprKind.value.name === accuVar;
    return adds && keeps ? condition([compileExpression(test), adds, compileExpression(no)]) : undefined;
  }
  return loopStep && added(loopStep, accuVar);
}

function added({ exprKind }: Expression, accuVar: string): Evaluator | undefined {
  if (exprKind.case !== 'callExpr' || exprKind.value.function !== '_+_') return undefined;
  const [so, more] = exprKind.value.args;
  const isAccu = so?.exprKind.case === 'identExpr' && so.exprKind.value.name === accuVar;
  if (!isAccu || more?.exprKind.case !== 'listExpr' || more.exprKind.value.elements.length !== 1) return undefined;
  const item = compileExpression(more.exprKind.value.elements[0] as Expression);
  return (names, meter) => {
    const value = item(names, meter);
    if (value instanceof Failure) return value;
    const list = lookUp(names, accuVar) as Value[];
    list.push(value);
    return list;
  };
}
