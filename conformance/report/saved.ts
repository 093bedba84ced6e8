import { readFileSync } from 'node:fs';
import { noSuch } from '../../mistyped.ts';
import type { RuleResult } from '../result.ts';
import { isBroken } from './causes.ts';
import { reportSchema } from './json.ts';
import type { RunReport } from './summary.ts';

/** A file that is no report, or no list of expected failures. The message is one line for the user. */
export class SavedError extends Error {}

/** What of a report and of a result the schema asks for, and their types. */
const parts = {
  ofReport: { text: ['target', 'version', 'startedAt'], list: ['profiles', 'results', 'errors', 'left'] },
  ofResult: {
    text: ['id', 'chapter', 'level', 'statement', 'source', 'verdict'],
    list: ['warnings', 'exchanges'],
  },
} as const;

/** Reads a JSON report that an earlier run has written. @throws SavedError that says what it lacks */
export function readReport(file: string): RunReport {
  const data = readJson(file) as { readonly [part: string]: unknown };
  const none = `${file} is no report of the schema ${reportSchema}`;
  if (data['schema'] !== reportSchema) throw new SavedError(none);
  const lack = lackOf(data, parts.ofReport) ?? lackOfResults(data['results'] as readonly unknown[]);
  if (lack) throw new SavedError(`${none}: ${lack} is missing`);
  return { curlOptions: [], ...data } as unknown as RunReport;
}

/** The first part that is not there, or of another type. */
function lackOf(value: unknown, { text, list }: (typeof parts)[keyof typeof parts]): string | undefined {
  const given = (value ?? {}) as { readonly [part: string]: unknown };
  return text.find((part) => typeof given[part] !== 'string') ?? list.find((part) => !Array.isArray(given[part]));
}

function lackOfResults(results: readonly unknown[]): string | undefined {
  for (const [index, result] of results.entries()) {
    const lack = lackOf(result, parts.ofResult);
    if (lack) return `results[${index}].${lack}`;
  }
  return undefined;
}

function unreadable(file: string, error: unknown): SavedError {
  if (error instanceof SyntaxError) return new SavedError(`${file} is no JSON`);
  const { code, message } = error as NodeJS.ErrnoException;
  const known = { ENOENT: `there is no ${file}`, EISDIR: `${file} is a folder` }[code ?? ''];
  return new SavedError(known ?? `cannot read ${file}: ${message}`);
}

function readJson(file: string): object {
  try {
    const data: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (data !== null && typeof data === 'object') return data;
  } catch (error) {
    throw unreadable(file, error);
  }
  throw new SavedError(`${file} holds no object`);
}

/** The rules that an earlier run found broken. */
export const brokenIds = ({ results }: RunReport): readonly string[] => results.filter(isBroken).map(({ id }) => id);

/** Broken rules that are known, each with the reason why they may be so for now. */
export type Expected = ReadonlyMap<string, string>;

/**
 * Reads known failures, one a line: the id of a rule, a blank, and the reason; `#` begins a comment. @throws SavedError
 */
export function readExpected(file: string, known: ReadonlySet<string>): Expected {
  const expected = new Map<string, string>();
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw unreadable(file, error);
  }
  for (const [index, line] of text.split('\n').entries()) {
    const [id = '', ...reason] = line.trim().split(/\s+/);
    if (id === '' || id.startsWith('#')) continue;
    if (!known.has(id)) throw new SavedError(`${file}:${index + 1}: ${noSuch('rule', id, known)}`);
    if (reason.length === 0) throw new SavedError(`${file}:${index + 1}: ${id} has no reason`);
    expected.set(id, reason.join(' '));
  }
  return expected;
}

/** What is known already and what came out otherwise. */
export interface Judgement {
  /** What is broken and was not to be expected. */
  readonly worse: readonly RuleResult[];
  /** What is broken and was known to be. */
  readonly known: readonly RuleResult[];
  /** What was expected to be broken and is not. */
  readonly stale: readonly string[];
}

/** What reports tell of it. */
export const told = ({ known, stale }: Judgement, expected?: Expected): Pick<RunReport, 'known' | 'stale'> => ({
  ...(known.length > 0 && {
    known: Object.fromEntries(known.map(({ id }) => [id, expected?.get(id) ?? 'broken in the baseline, too'])),
  }),
  ...(stale.length > 0 && { stale }),
});

/** Compares what came out with what was known: an earlier report, a list of expected failures, or both. */
export function judgement(
  results: readonly RuleResult[],
  { baseline, expected }: { readonly baseline?: RunReport; readonly expected?: Expected },
): Judgement {
  const before = new Set(baseline ? brokenIds(baseline) : []);
  const broken = results.filter(isBroken);
  const isKnown = ({ id }: RuleResult): boolean => before.has(id) || expected?.has(id) === true;
  const kept = new Set(results.filter(({ verdict }) => verdict === 'pass' || verdict === 'warn').map(({ id }) => id));
  return {
    worse: broken.filter((result) => !isKnown(result)),
    known: broken.filter(isKnown),
    stale: [...(expected?.keys() ?? [])].filter((id) => kept.has(id)),
  };
}
