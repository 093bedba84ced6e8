import { uniqueMark } from '../../verbs/workspace.ts';
import { unpacked } from '../play/unpacked.ts';
import { type Heard, sentIn } from './heard.ts';

/** The word of every play of a rule, as long as the one that rules put into their names. */
export const own = 'own'.padEnd(uniqueMark.length, '0');

/** A dash, but in names of types, and a number. */
const names = new RegExp(`${uniqueMark}(-?\\d{5})`, 'g');

/**
 * The same under names that two plays of one rule have in common: they are numbered anew. They are as long as before, so
 * that protobuf stays what it is.
 */
export function canonical(heard: readonly Heard[]): Heard[] {
  const places = placesOf(heard);
  const renamed = (text: string): string =>
    text.replace(names, (found, number: string) => (places.has(number) ? `${own}${places.get(number)}` : found));
  const rewritten = (bytes: Buffer): Buffer =>
    bytes.includes(uniqueMark) ? Buffer.from(renamed(bytes.toString('latin1')), 'latin1') : bytes;
  return heard.map((one) => ({
    ...one,
    path: renamed(one.path),
    query: renamed(one.query),
    headers: JSON.parse(renamed(JSON.stringify(one.headers))),
    body: rewritten(one.body),
    answerHeaders: JSON.parse(renamed(JSON.stringify(one.answerHeaders))),
    chunks: [rewritten(unpacked({ headers: one.answerHeaders, bytes: Buffer.concat(one.chunks) }))],
  }));
}

/** Objects in the order in which the rule named them; types, of which rules share some, in that of their first use. */
function placesOf(heard: readonly Heard[]): ReadonlyMap<string, string> {
  const found = new Set([...sentIn(heard).matchAll(names)].map(([, number = '']) => number));
  const [dashed, types] = [[...found].filter(isDashed).sort(), [...found].filter((number) => !isDashed(number))];
  const numbered = (dash: string) => (number: string, at: number) =>
    [number, `${dash}${String(at).padStart(number.length - dash.length, '0')}`] as const;
  return new Map([...dashed.map(numbered('-')), ...types.map(numbered(''))]);
}

const isDashed = (number: string): boolean => number.startsWith('-');
