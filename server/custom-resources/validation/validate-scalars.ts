import type { FieldPath } from '../../base/field-path.ts';
import { canonicalJson, isInteger, shownValue } from '../../base/json-value.ts';
import type { Json } from '../../base/kube-object.ts';
import { shortCause } from '../../base/status-error.ts';
import type { Work } from '../../base/turns/work.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { compilePattern } from '../../schema/regular-expression.ts';
import { andThen, type Findings, type Validator, wrongType } from './findings.ts';
import { formatNamed } from './formats.ts';

type StringRule = (value: string, path: FieldPath, found: Findings) => Work<void> | undefined;
type NumberRule = (value: number | bigint, path: FieldPath, found: Findings) => void;

const refuse = (path: FieldPath, value: Json, complaint: string, found: Findings) =>
  found.add('FieldValueInvalid', String(path), `Invalid value: ${shownValue(value)}: ${path} in body ${complaint}`);

/** Length, then pattern (the first that fails is told), and the format. */
export function compileStringRules(schema: JsonSchema): StringRule | undefined {
  const { maxLength, minLength, pattern, format } = schema;
  const match = pattern ? compileMatch(pattern) : undefined;
  const form = format ? formatNamed(format) : undefined;
  if (maxLength === undefined && minLength === undefined && !match && !form) return undefined;
  return (value, path, found) => {
    const left = hasLength(schema, value, path, found) ? match?.(value, path, found) : undefined;
    return andThen(left, () => {
      if (form && !form(value)) wrongType(path, format as string, JSON.stringify(value), found);
    });
  };
}

function hasLength({ maxLength, minLength }: JsonSchema, value: string, path: FieldPath, found: Findings): boolean {
  if (maxLength !== undefined && longerThan(value, maxLength)) {
    found.add('FieldValueTooLong', String(path), `Too long: may not be longer than ${maxLength}`);
    return false;
  }
  if (minLength === undefined || minLength <= 0 || longerThan(value, minLength - 1)) return true;
  refuse(path, value, `should be at least ${minLength} chars long`, found);
  return false;
}

function compileMatch(pattern: string): StringRule {
  const expression = compilePattern(pattern);
  const tell = (fits: boolean, ...[value, path, found]: Parameters<StringRule>) => {
    if (!fits) refuse(path, value, `should match '${pattern}'`, found);
  };
  function* inTurns(work: Work<boolean>, ...at: Parameters<StringRule>): Work<void> {
    tell(yield* work, ...at);
  }
  return (value, ...at) => {
    const work = expression.foundInTurns(value);
    if (work) return inTurns(work, value, ...at);
    tell(expression.found(value), value, ...at);
    return undefined;
  };
}

/** Whether the text has more than `limit` characters (code points). */
function longerThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  if (text.length > 2 * limit + 1) return true;
  let pairs = 0;
  for (let i = 0; i < text.length - 1; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0xd800 && code < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) pairs++;
  }
  return text.length - pairs > limit;
}

export function compileNumberRules(schema: JsonSchema): NumberRule | undefined {
  if (schema.multipleOf === undefined && schema.maximum === undefined && schema.minimum === undefined) return undefined;
  const ofFractions = limitsOf(schema, (limit) => limit);
  const ofIntegers = limitsOf(schema, asInteger);
  return (value, path, found) => (isInteger(value) ? ofIntegers : ofFractions)(value, path, found);
}

/** A limit as integers are compared with it: without its fraction, and in 64 bits. */
const asInteger = (limit: number): number => {
  const whole = Math.trunc(limit);
  return whole >= 2 ** 63 || whole < -(2 ** 63) ? -(2 ** 63) : whole;
};

function limitsOf(schema: JsonSchema, as: (limit: number) => number): NumberRule {
  const { exclusiveMaximum, exclusiveMinimum } = schema;
  const [multipleOf, maximum, minimum] = [schema.multipleOf, schema.maximum, schema.minimum].map((limit) =>
    limit === undefined ? undefined : as(limit),
  );
  return (value, path, found) => {
    if (multipleOf !== undefined && !isMultiple(value, multipleOf)) {
      refuse(path, value, `should be a multiple of ${multipleOf}`, found);
    }
    if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum)) {
      refuse(path, value, `should be less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`, found);
    }
    if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum)) {
      refuse(path, value, `should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`, found);
    }
  };
}

/** Beyond this, the double after a whole number is not the next whole number. */
const exactly = 2 ** 53 - 1;

/** Factors at or below zero never fit, and what is too large to tell never does. */
function isMultiple(value: number | bigint, factor: number): boolean {
  if (!(factor > 0)) return false;
  if (isInteger(value) && Number.isInteger(factor)) return BigInt(value) % BigInt(factor) === 0n;
  const quotient = factor < 1 ? (1 / factor) * Number(value) : Number(value) / factor;
  if (Math.abs(quotient) > exactly) return false;
  const rounding = Math.abs(quotient - Math.round(quotient));
  return rounding === 0 || rounding / Math.abs(quotient) < 1e-9;
}

/** A null among the members never fits, not even a null value. */
export function compileEnum({ enum: members }: JsonSchema): Validator | undefined {
  if (!members || members.length === 0) return undefined;
  const allowed = new Set(members.filter((each) => each !== null).map(canonicalJson));
  const names = shortCause(members.map(shownValue).join(', '));
  const onlyScalars = members.every((each) => typeof each !== 'object');
  return (value, path, found) => {
    if (!(onlyScalars && typeof value === 'object') && allowed.has(canonicalJson(value))) return;
    found.add(
      'FieldValueNotSupported',
      String(path),
      `Unsupported value: ${shownValue(value)}: supported values: ${names}`,
    );
  };
}
