import { type Expression, ExpressionError } from './expression.ts';
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

/**
 * Finds the type of an expression.
 *
 * @throws ExpressionError a name or field that is not there, or a function that does not take what it is given
 */
export function checkExpression(expression: Expression, scope: Scope): CelType {
  return resolve(new Checker().typeOf(expression, scope));
}

class Checker {
  /** What was bound since a trial began, to be undone when the trial fails. */
  #trail: TypeVariable[] = [];

  typeOf({ exprKind }: Expression, scope: Scope): CelType {
    switch (exprKind.case) {
      case 'constExpr':
        return constantType(exprKind.value.constantKind.case);
      case 'identExpr':
        return this.#name(exprKind.value.name, scope);
      case 'selectExpr':
        return this.#select(exprKind.value, scope);
      case 'callExpr':
        return this.#call(exprKind.value, scope);
      case 'listExpr':
        return listOf(this.#common(exprKind.value.elements, scope));
      case 'structExpr':
        return this.#map(exprKind.value, scope);
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

  #call({ function: name, target, args }: KindOf<'callExpr'>, scope: Scope): CelType {
    const given = [...(target ? [target] : []), ...args].map((each) => this.typeOf(each, scope));
    const results: CelType[] = [];
    const signatures = signaturesOf(target ? `.${name}` : name);
    if (signatures.length === 0) throw new ExpressionError(`undeclared reference to '${name}'`);
    for (const signature of signatures) if (this.#fits(signature, given)) results.push(signature.result);
    const [result] = results;
    if (!result) {
      const types = given.map(nameOf).join(', ');
      throw new ExpressionError(`found no matching overload for '${name}' applied to '(${types})'`);
    }
    // Only arguments of unknown type fit several forms.
    const same = results.every((each) => nameOf(each) === nameOf(result));
    return same ? result : dyn;
  }

  #fits({ parameters }: Signature, given: readonly CelType[]): boolean {
    if (parameters.length !== given.length) return false;
    this.#trail = [];
    const fits = parameters.every((parameter, i) => this.#unify(parameter, given[i] as CelType));
    if (!fits) for (const variable of this.#trail) delete variable.bound;
    return fits;
  }

  #unify(one: CelType, other: CelType): boolean {
    const a = resolve(one);
    const b = resolve(other);
    if (a === b || a.is === 'dyn' || b.is === 'dyn') return true;
    if (a.is === 'variable') return this.#bind(a, b);
    if (b.is === 'variable') return this.#bind(b, a);
    if (a.is === 'null' || b.is === 'null') return true;
    if (a.is === 'list' && b.is === 'list') return this.#unify(a.items, b.items);
    if (a.is === 'map' && b.is === 'map') return this.#unify(a.keys, b.keys) && this.#unify(a.values, b.values);
    return a.is === b.is && a.is !== 'object';
  }

  #bind(variable: TypeVariable, type: CelType): boolean {
    if (occurs(variable, type)) return false;
    variable.bound = type;
    this.#trail.push(variable);
    return true;
  }

  /** The one type of all parts. */
  #common(parts: readonly Expression[], scope: Scope): CelType {
    const common: TypeVariable = { is: 'variable' };
    for (const part of parts) this.#demand(part, common, scope, 'parts of one list or map must be of one type');
    return common;
  }

  #demand(part: Expression | undefined, type: CelType, scope: Scope, complaint: string): void {
    const found = this.typeOf(part as Expression, scope);
    this.#trail = [];
    if (!this.#unify(type, found))
      throw new ExpressionError(`${complaint}: expected ${nameOf(type)}, found ${nameOf(found)}`);
  }

  #map({ messageName, entries }: KindOf<'structExpr'>, scope: Scope): CelType {
    if (messageName) throw new ExpressionError(`undeclared reference to '${messageName}'`);
    const keys = entries.map(({ keyKind }) => keyKind.value as Expression);
    const values = entries.map(({ value }) => value as Expression);
    return mapOf(this.#common(keys, scope), this.#common(values, scope));
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
