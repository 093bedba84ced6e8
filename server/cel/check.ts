import { dottedName, type Expression, ExpressionError } from './expression.ts';
import { typeNamesWithDots, wrappedType } from './messages.ts';
import { type Signature, signaturesOf } from './signatures.ts';
import { type CelType, dyn, listOf, mapOf, named, nameOf, resolve, type TypeVariable } from './type.ts';

/** The types of the names that an expression may use. */
export type Scope = ReadonlyMap<string, CelType>;

const bool = named('bool');

const typeNames: Scope = new Map(
  ['int', 'uint', 'double', 'bool', 'string', 'bytes', 'list', 'map', 'null_type', 'type'].map((name) => [
    name,
    named('type'),
  ]),
);

/** An expression whose parts all have a type. */
export interface Checked {
  readonly expression: Expression;
  readonly type: CelType;
  /** The type of any part. */
  typeOf(part: Expression): CelType;
  /** The forms of the called function that its arguments fit; several where their types are not known. */
  formsOf(call: Expression): readonly Signature[];
}

/**
 * Finds the type of an expression and of its parts.
 *
 * @throws ExpressionError a name or field that is not there, or a function that does not take what it is given
 */
export function checkExpression(expression: Expression, scope: Scope): Checked {
  const checker = new Checker();
  const type = resolve(checker.typeOf(expression, scope));
  return {
    expression,
    type,
    typeOf: (part) => resolve(checker.types.get(part) ?? dyn),
    formsOf: (call) => checker.forms.get(call) ?? [],
  };
}

/** What can be null. */
const nullable: ReadonlySet<CelType['is']> = new Set(['null', 'object', 'timestamp', 'duration', 'url']);

class Checker {
  readonly types = new Map<Expression, CelType>();
  readonly forms = new Map<Expression, readonly Signature[]>();
  /** What the variables that were bound since a trial began stood for, to be restored when the trial fails. */
  #trail: [variable: TypeVariable, before: CelType | undefined][] = [];

  typeOf(expression: Expression, scope: Scope): CelType {
    const type = this.#find(expression, scope);
    this.types.set(expression, type);
    return type;
  }

  #find(expression: Expression, scope: Scope): CelType {
    const { exprKind } = expression;
    switch (exprKind.case) {
      case 'constExpr':
        return constantType(exprKind.value.constantKind.case);
      case 'identExpr':
        return this.#name(exprKind.value.name, scope);
      case 'selectExpr':
        return typeNamesWithDots.has(dottedName(expression) ?? '')
          ? named('type')
          : this.#select(exprKind.value, scope);
      case 'callExpr':
        return this.#call(expression, exprKind.value, scope);
      case 'listExpr':
        return listOf(this.#common(exprKind.value.elements, scope));
      case 'structExpr':
        return exprKind.value.messageName ? this.#message(exprKind.value, scope) : this.#map(exprKind.value, scope);
      case 'comprehensionExpr':
        return this.#fold(exprKind.value, scope);
      default:
        throw new ExpressionError('not an expression');
    }
  }

  #name(name: string, scope: Scope): CelType {
    const type = scope.get(name) ?? typeNames.get(name);
    if (!type) throw new ExpressionError(`undeclared reference to '${name}'`);
    return type;
  }

  #select({ operand, field, testOnly }: KindOf<'selectExpr'>, scope: Scope): CelType {
    const type = resolve(this.typeOf(operand as Expression, scope));
    const member = memberType(type, field);
    if (!member) throw new ExpressionError(`undefined field '${field}' of ${nameOf(type)}`);
    return testOnly ? bool : member;
  }

  #call(call: Expression, { function: name, target, args }: KindOf<'callExpr'>, scope: Scope): CelType {
    const given = [...(target ? [target] : []), ...args].map((each) => this.typeOf(each, scope));
    const signatures = signaturesOf(target ? `.${name}` : name);
    if (signatures.length === 0) throw new ExpressionError(`undeclared reference to '${name}'`);
    const forms = signatures.filter((signature) => this.#fits(signature, given));
    this.forms.set(call, forms);
    const [first] = forms;
    if (!first) {
      const types = given.map(nameOf).join(', ');
      throw new ExpressionError(`found no matching overload for '${name}' applied to '(${types})'`);
    }
    // Only arguments of unknown type fit several forms.
    const same = forms.every(({ result }) => nameOf(result) === nameOf(first.result));
    return same ? first.result : dyn;
  }

  #fits({ parameters }: Signature, given: readonly CelType[]): boolean {
    return (
      parameters.length === given.length &&
      this.#tried(() => parameters.every((parameter, i) => this.#assignable(given[i] as CelType, parameter)))
    );
  }

  #tried(attempt: () => boolean): boolean {
    this.#trail = [];
    const holds = attempt();
    if (!holds) for (const [variable, before] of this.#trail.reverse()) variable.bound = before;
    return holds;
  }

  /** Whether what has one type can stand where another is wanted. Null can stand for an object, an object not for null. */
  #assignable(given: CelType, wanted: CelType): boolean {
    const [from, to] = [resolve(given), resolve(wanted)];
    if (from === to || to.is === 'dyn') return true;
    if (to.is === 'variable') return this.#bind(to, from);
    if (from.is === 'variable') return this.#bind(from, to);
    if (from.is === 'dyn') return this.#widen(wanted);
    if (from.is === 'null') return nullable.has(to.is);
    if (from.is === 'list' && to.is === 'list') return this.#assignable(from.items, to.items);
    if (from.is === 'map' && to.is === 'map')
      return this.#assignable(from.keys, to.keys) && this.#assignable(from.values, to.values);
    return from.is === to.is && from.is !== 'object';
  }

  #bind(variable: TypeVariable, type: CelType): boolean {
    if (occurs(variable, type)) return false;
    this.#trail.push([variable, variable.bound]);
    variable.bound = type;
    return true;
  }

  /** What was found to be of unknown type makes a variable stand for any type. */
  #widen(wanted: CelType): boolean {
    return wanted.is !== 'variable' || this.#bind(wanted, dyn);
  }

  /** The one type of all parts: that of the first, unless a later one is more general. */
  #common(parts: readonly Expression[], scope: Scope): CelType {
    let common: CelType | undefined;
    for (const part of parts) {
      const type = this.typeOf(part, scope);
      if (common) this.#demandAssignable(common, type, 'parts of one list or map must be of one type');
      common = !common || resolve(common).is === 'null' || resolve(type).is === 'dyn' ? type : common;
    }
    return common ?? { is: 'variable' };
  }

  #demand(part: Expression | undefined, type: CelType, scope: Scope, complaint: string): void {
    this.#demandAssignable(this.typeOf(part as Expression, scope), type, complaint);
  }

  #demandAssignable(given: CelType, wanted: CelType, complaint: string): void {
    if (!this.#tried(() => this.#assignable(given, wanted)))
      throw new ExpressionError(`${complaint}: expected ${nameOf(wanted)}, found ${nameOf(given)}`);
  }

  #map({ entries }: KindOf<'structExpr'>, scope: Scope): CelType {
    const keys = entries.map(({ keyKind }) => keyKind.value as Expression);
    const values = entries.map(({ value }) => value as Expression);
    return mapOf(this.#common(keys, scope), this.#common(values, scope));
  }

  #message({ messageName, entries }: KindOf<'structExpr'>, scope: Scope): CelType {
    const type = wrappedType(messageName);
    if (!type) throw new ExpressionError(`undeclared reference to '${messageName}'`);
    for (const { keyKind, value } of entries) {
      if (keyKind.value !== 'value') throw new ExpressionError(`undefined field '${String(keyKind.value)}'`);
      this.#demand(value, type, scope, `the value of ${messageName}`);
    }
    return type;
  }

  #fold(fold: KindOf<'comprehensionExpr'>, scope: Scope): CelType {
    const range = resolve(this.typeOf(fold.iterRange as Expression, scope));
    const item =
      range.is === 'list' ? range.items : range.is === 'map' ? range.keys : range.is === 'dyn' ? dyn : undefined;
    if (!item) throw new ExpressionError(`expression of type '${nameOf(range)}' cannot be range of a comprehension`);
    const accu = this.typeOf(fold.accuInit as Expression, scope);
    const inner = new Map([...scope, [fold.iterVar, item], [fold.accuVar, accu]]);
    this.#demand(fold.loopCondition, bool, inner, 'the condition of a loop');
    this.#demand(fold.loopStep, accu, inner, 'the step of a loop');
    return this.typeOf(fold.result as Expression, new Map([...scope, [fold.accuVar, accu]]));
  }
}

type KindOf<C> = Extract<Expression['exprKind'], { case: C }>['value'];

function memberType(type: CelType, field: string): CelType | undefined {
  if (type.is === 'object') return type.fields.get(field);
  if (type.is === 'map') return type.values;
  return type.is === 'dyn' ? dyn : undefined;
}

function occurs(variable: TypeVariable, type: CelType): boolean {
  const resolved = resolve(type);
  if (resolved === variable) return true;
  if (resolved.is === 'list') return occurs(variable, resolved.items);
  return resolved.is === 'map' && (occurs(variable, resolved.keys) || occurs(variable, resolved.values));
}

const constants: Readonly<Record<string, CelType>> = {
  boolValue: bool,
  int64Value: named('int'),
  uint64Value: named('uint'),
  doubleValue: named('double'),
  stringValue: named('string'),
  bytesValue: named('bytes'),
  nullValue: named('null'),
};

function constantType(kind: string | undefined): CelType {
  const type = kind && constants[kind];
  if (!type) throw new ExpressionError('not a constant');
  return type;
}
