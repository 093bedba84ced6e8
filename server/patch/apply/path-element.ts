import { canonicalJson } from '../../base/json-value.ts';
import type { Json } from '../../base/kube-object.ts';
import { StatusError } from '../../base/status-error.ts';
import { decodeJsonText } from '../../schema/json.ts';

export const fieldElement = (name: string) => `f:${name}`;
export const valueElement = (value: Json) => `v:${canonicalJson(value)}`;

type Key = readonly [name: string, value: Json];

const keyText = ([name, value]: Key) => `${JSON.stringify(name)}:${canonicalJson(value)}`;

/** A list element by its keys, which may come in any order. */
export const keyElement = (keys: readonly Key[]) =>
  `k:{${[...keys]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(keyText)
    .join(',')}}`;

/** The same where there is one key. */
export const singleKeyElement = (name: string, value: Json) => `k:{${keyText([name, value])}}`;

/** Text between quotes of which every spelling is this one. */
const plainText = /^[ !#-[\]-~]*$/;
/** A number that a double holds, of which every spelling is this one. */
const wholeNumber = /^(?:0|-?[1-9][0-9]{0,14})$/;

/** What nearly all elements of lists are: one key whose value is such a text or number, or that as a value. */
const plainElement = /^(k:\{"[ !#-[\]-~]*":|v:)("[ !#-[\]-~]*"|0|-?[1-9][0-9]{0,14})(\}|)$/;

/** An element as it was sent, in the one form that is used here. `unknown`: of a sort that is not known. */
export function elementOf(text: string): string | 'unknown' | 'unreadable' {
  if (text[1] !== ':') return 'unreadable';
  const rest = text.slice(2);
  if (text[0] === 'f') return text;
  if (text[0] === 'i') return /^-?[0-9]{1,9}$/.test(rest) ? `i:${Number(rest)}` : 'unreadable';
  if (text[0] !== 'k' && text[0] !== 'v') return 'unknown';
  if (plainElement.test(text)) return text;
  const value = parse(rest);
  if (value === undefined) return 'unreadable';
  if (text[0] === 'v') return valueElement(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'unreadable';
  return `k:${canonicalJson(value)}`;
}

function parse(text: string): Json | undefined {
  try {
    return decodeJsonText(text).value;
  } catch (error) {
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}

/** The engine copies what it sorts, which for a few texts costs more than to sort them. */
const fewTexts = 12;

/** Sorts in place. */
export function sortTexts(texts: string[]): string[] {
  if (texts.length > fewTexts) return texts.sort();
  for (let i = 1; i < texts.length; i++) {
    const text = texts[i] as string;
    let at = i;
    for (; at > 0 && (texts[at - 1] as string) > text; at--) texts[at] = texts[at - 1] as string;
    texts[at] = text;
  }
  return texts;
}

const sorts = 'fkvi';

/** Elements in the order in which a server prints them: fields, keys, values, indexes; each by what it says. */
export function ordered(elements: Iterable<string>): string[] {
  const list = [...elements];
  if (list.length < 2) return list;
  if (list.every((element) => element[0] === 'f')) return sortTexts(list);
  return (
    orderedByText(list) ??
    list
      .map((element) => ({ element, sort: sorts.indexOf(element[0] ?? ''), said: saidBy(element) }))
      .sort((a, b) => a.sort - b.sort || compareLists(a.said, b.said))
      .map(({ element }) => element)
  );
}

/** Elements of one list that differ in nothing but a plain text, or a number. */
function orderedByText(list: readonly string[]): string[] | undefined {
  const [, before = '', value = '', after = ''] = plainElement.exec(list[0] ?? '') ?? [];
  if (!before) return undefined;
  // The quotes would sort among what is between them.
  const quote = value.startsWith('"') ? '"' : '';
  const [prefix, suffix] = [before + quote, quote + after];
  const said = between(list, prefix, suffix, quote ? plainText : wholeNumber);
  const sorted = quote ? said?.sort() : said?.sort((a, b) => Number(a) - Number(b));
  return sorted?.map((text) => prefix + text + suffix);
}

/** What stands between; undefined when an element has another form. */
function between(list: readonly string[], prefix: string, suffix: string, form: RegExp): string[] | undefined {
  const found: string[] = [];
  const least = prefix.length + suffix.length;
  for (const element of list) {
    const text = element.slice(prefix.length, element.length - suffix.length);
    const fits = element.length >= least && element.startsWith(prefix) && element.endsWith(suffix);
    if (!fits || !form.test(text)) return undefined;
    found.push(text);
  }
  return found;
}

/** What an element says, as a list of names and values to compare one by one. */
function saidBy(element: string): readonly Json[] {
  const rest = element.slice(2);
  if (element[0] === 'f') return [rest];
  const value = parse(rest) ?? null;
  if (element[0] === 'k' && typeof value === 'object' && value !== null) return Object.entries(value).flat();
  return [value];
}

function compareLists(a: readonly Json[], b: readonly Json[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = compareScalars(a[i] as Json, b[i] as Json);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

const numeric = (value: Json) => typeof value === 'number' || typeof value === 'bigint';

function compareScalars(a: Json, b: Json): number {
  if (numeric(a) && numeric(b)) return (a as number) < (b as number) ? -1 : (a as number) > (b as number) ? 1 : 0;
  if (numeric(a) !== numeric(b)) return numeric(a) ? -1 : 1;
  const [left, right] = typeof a === 'string' && typeof b === 'string' ? [a, b] : [canonicalJson(a), canonicalJson(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** A path as errors spell it: `.spec.containers[name="c"].image`, `.finalizers[="x"]`, `.list[0]`. */
export const spellPath = (path: readonly string[]) => path.map(spellElement).join('');

function spellElement(element: string): string {
  const rest = element.slice(2);
  if (element[0] === 'f') return `.${rest}`;
  if (element[0] === 'i') return `[${rest}]`;
  if (element[0] === 'v') return `[=${rest}]`;
  const keys = parse(rest) as { [key: string]: Json };
  return `[${Object.entries(keys)
    .map(([name, value]) => `${name}=${canonicalJson(value)}`)
    .join(',')}]`;
}
