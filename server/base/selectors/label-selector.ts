import { labelValue, qualifiedName } from '../names.ts';
import { badRequest } from '../status-error.ts';
import { fewRequirements } from './few-requirements.ts';

export type LabelOperator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt';

/** One condition on one label. `=` is `In` with one value, `!=` is `NotIn` with one. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

/** The `LabelSelector` field type, as objects carry it. */
export interface LabelSelectorObject {
  readonly matchLabels?: Readonly<Record<string, string>> | null;
  readonly matchExpressions?:
    | readonly { readonly key?: string; readonly operator?: string; readonly values?: readonly string[] | null }[]
    | null;
}

export type Labels = Readonly<Record<string, string>> | null | undefined;

/** A compiled label selector: all of its requirements must hold. */
export interface LabelSelector {
  readonly requirements: readonly LabelRequirement[];
  /** Has no requirement, so it matches everything. */
  readonly isEmpty: boolean;
  matches(labels: Labels): boolean;
}

type Check = (labels: Labels) => boolean;

const labelOf = (labels: Labels, key: string): string | undefined =>
  labels && Object.hasOwn(labels, key) ? labels[key] : undefined;

const integerPattern = /^[-+]?[0-9]+$/;
const int64 = { least: -(2n ** 63n), most: 2n ** 63n - 1n };

/** A signed 64-bit number in decimal; undefined for any other text. Leading zeros do not count. */
function readInt64(text: string): bigint | undefined {
  // A label value has at most 63 characters; anything longer is not worth the arithmetic.
  if (text.length > 64 || !integerPattern.test(text)) return undefined;
  const number = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return number < int64.least || number > int64.most ? undefined : number;
}

function compareNumbers(key: string, limit: bigint, holds: (value: bigint, limit: bigint) => boolean): Check {
  return (labels) => {
    const text = labelOf(labels, key);
    const value = text === undefined ? undefined : readInt64(text);
    return value !== undefined && holds(value, limit);
  };
}

function compileRequirement({ key, operator, values }: LabelRequirement): Check {
  const [only = ''] = values;
  switch (operator) {
    case 'Exists':
      return (labels) => labelOf(labels, key) !== undefined;
    case 'DoesNotExist':
      return (labels) => labelOf(labels, key) === undefined;
    case 'Gt':
      return compareNumbers(key, readInt64(only) ?? 0n, (value, limit) => value > limit);
    case 'Lt':
      return compareNumbers(key, readInt64(only) ?? 0n, (value, limit) => value < limit);
    default: {
      const wanted = operator === 'In';
      if (values.length === 1) return (labels) => (labelOf(labels, key) === only) === wanted;
      const set = new Set(values);
      return (labels) => {
        const value = labelOf(labels, key);
        return (value !== undefined && set.has(value)) === wanted;
      };
    }
  }
}

function compile(requirements: readonly LabelRequirement[]): LabelSelector {
  if (requirements.length > fewRequirements)
    return { requirements, isEmpty: false, matches: matchesMany(requirements) };
  const checks = requirements.map(compileRequirement);
  const [first = () => true] = checks;
  const matches = checks.length < 2 ? first : (labels: Labels) => checks.every((check) => check(labels));
  return { requirements, isEmpty: requirements.length === 0, matches };
}

/** Asks only about labels that are there, and of each at most once in each way: an object has few, a selector may have many. */
function matchesMany(requirements: readonly LabelRequirement[]): Check {
  const checks = new Map([...Map.groupBy(requirements, ({ key }) => key)].map(([key, all]) => [key, checksOf(all)]));
  const needed = new Set([...checks].flatMap(([key, all]) => (all.every((check) => check({})) ? [] : [key])));
  return (labels) => {
    const present = Object.keys(labels ?? {});
    if (present.filter((key) => needed.has(key)).length < needed.size) return false;
    return present.every((key) => checks.get(key)?.every((check) => check(labels)) !== false);
  };
}

/** Of requirements of one label: as many checks as there are operators among them. */
const checksOf = (all: readonly LabelRequirement[]): Check[] =>
  [...Map.groupBy(all, ({ operator }) => operator).values()].map(([first, ...others]) =>
    compileRequirement({ ...(first as LabelRequirement), values: together(first as LabelRequirement, others) }),
  );

/** The values of one requirement that says what several of one operator and label say. */
function together({ operator, values }: LabelRequirement, others: readonly LabelRequirement[]): readonly string[] {
  if (operator === 'NotIn') return [...values, ...others.flatMap((each) => each.values)];
  if (operator === 'In') return others.reduce((kept, each) => bothHave(kept, each.values), values);
  if (operator !== 'Gt' && operator !== 'Lt') return values;
  const limitOf = ([text = '']: readonly string[]) => readInt64(text) ?? 0n;
  const isFurther = (one: bigint, other: bigint) => (operator === 'Gt' ? one > other : one < other);
  return others.reduce(
    (furthest, each) => (isFurther(limitOf(each.values), limitOf(furthest)) ? each.values : furthest),
    values,
  );
}

function bothHave(some: readonly string[], others: readonly string[]): readonly string[] {
  const set = new Set(others);
  return some.filter((value) => set.has(value));
}

/** Matches every object. */
const everyLabels: LabelSelector = compile([]);

/** Matches no object. */
export const noLabels: LabelSelector = { requirements: [], isEmpty: false, matches: () => false };

/** @throws badRequest when the requirement is none */
function checked(requirement: LabelRequirement): LabelRequirement {
  const { key, operator, values } = requirement;
  const problems = [
    ...qualifiedName(key).map((problem) => `key ${JSON.stringify(key)} ${problem}`),
    ...values.flatMap((value) => labelValue(value).map((problem) => `value ${JSON.stringify(value)}: ${problem}`)),
  ];
  if ((operator === 'Gt' || operator === 'Lt') && values.some((value) => readInt64(value) === undefined)) {
    problems.push(`key ${JSON.stringify(key)} must be compared with a 64-bit integer`);
  }
  const [problem] = problems;
  if (problem) throw badRequest(`invalid label selector: ${problem}`);
  return requirement;
}

/** Words, and the symbols between them. A word is whatever holds neither a symbol nor a blank. */
const tokenPattern = /[ \t\r\n]*(?:(==|!=|[=!(),<>])|([^=!(),<> \t\r\n]+)|$)/y;

interface Token {
  /** The symbol; `word`, or `end` after the last one. */
  readonly type: string;
  readonly text: string;
}

function* tokens(text: string): Generator<Token, Token> {
  let position = 0;
  for (;;) {
    tokenPattern.lastIndex = position;
    const [, symbol, word] = tokenPattern.exec(text) ?? [];
    position = tokenPattern.lastIndex;
    if (symbol) yield { type: symbol, text: symbol };
    else if (word) yield { type: 'word', text: word };
    else return { type: 'end', text: '' };
  }
}

const comparisons: ReadonlyMap<string, LabelOperator> = new Map([
  ['=', 'In'],
  ['==', 'In'],
  ['!=', 'NotIn'],
  ['>', 'Gt'],
  ['<', 'Lt'],
]);
const memberships: ReadonlyMap<string, LabelOperator> = new Map([
  ['in', 'In'],
  ['notin', 'NotIn'],
]);

class Parser {
  readonly #tokens: Generator<Token, Token>;
  #next: Token;
  constructor(text: string) {
    this.#tokens = tokens(text);
    this.#next = this.#tokens.next().value;
  }

  requirements(): LabelRequirement[] {
    const found: LabelRequirement[] = [];
    if (this.#next.type === 'end') return found;
    for (;;) {
      found.push(checked(this.#requirement()));
      if (this.#next.type === 'end') return found;
      this.#take(',');
    }
  }

  #requirement(): LabelRequirement {
    if (this.#next.type === '!') {
      this.#advance();
      return { key: this.#take('word'), operator: 'DoesNotExist', values: [] };
    }
    const key = this.#take('word');
    if (this.#atItemEnd()) return { key, operator: 'Exists', values: [] };
    const { type, text } = this.#advance();
    const membership = type === 'word' ? memberships.get(text) : undefined;
    if (membership) return { key, operator: membership, values: this.#valueSet() };
    const comparison = comparisons.get(type);
    if (!comparison) throw this.#unexpected({ type, text }, 'an operator');
    return { key, operator: comparison, values: [this.#atItemEnd() ? '' : this.#take('word')] };
  }

  /** `(a,b)`. Nothing between two separators is the empty text. */
  #valueSet(): string[] {
    const values = new Set<string>();
    this.#take('(');
    for (;;) {
      values.add(this.#next.type === 'word' ? this.#advance().text : '');
      if (this.#next.type === ')') break;
      this.#take(',');
    }
    this.#advance();
    return [...values];
  }

  #atItemEnd = () => this.#next.type === ',' || this.#next.type === 'end';

  #advance(): Token {
    const taken = this.#next;
    this.#next = this.#tokens.next().value ?? taken;
    return taken;
  }

  #take(type: string): string {
    if (this.#next.type !== type) throw this.#unexpected(this.#next, type === 'word' ? 'a name or value' : `'${type}'`);
    return this.#advance().text;
  }

  #unexpected(found: Token, wanted: string) {
    const what = found.type === 'end' ? 'the end' : `'${found.text}'`;
    return badRequest(`invalid label selector: found ${what} where ${wanted} was expected`);
  }
}

/**
 * Reads the text form (`env in (a,b),tier!=web,!old,n>3`). The empty text matches everything.
 * @throws badRequest
 */
export const parseLabelSelector = (text: string): LabelSelector =>
  text === '' ? everyLabels : compile(new Parser(text).requirements());

const objectOperators: ReadonlySet<string> = new Set(['In', 'NotIn', 'Exists', 'DoesNotExist']);

function expressionRequirement(key: string, operator: string, values: readonly string[]): LabelRequirement {
  if (!objectOperators.has(operator)) {
    throw badRequest(`invalid label selector: ${JSON.stringify(operator)} is not a valid label selector operator`);
  }
  const takesValues = operator === 'In' || operator === 'NotIn';
  if (takesValues !== values.length > 0) {
    throw badRequest(`invalid label selector: ${operator} ${takesValues ? 'needs values' : 'takes no values'}`);
  }
  return checked({ key, operator: operator as LabelOperator, values });
}

/**
 * Compiles the object form. A missing selector matches nothing, an empty one everything.
 * @throws badRequest
 */
export function compileLabelSelector(selector: LabelSelectorObject | null | undefined): LabelSelector {
  if (!selector) return noLabels;
  const equalities = Object.entries(selector.matchLabels ?? {}).map(([key, value]) =>
    checked({ key, operator: 'In', values: [value] }),
  );
  const expressions = (selector.matchExpressions ?? []).map(({ key = '', operator = '', values }) =>
    expressionRequirement(key, operator, values ?? []),
  );
  return equalities.length + expressions.length === 0 ? everyLabels : compile([...equalities, ...expressions]);
}
