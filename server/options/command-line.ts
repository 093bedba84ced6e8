import { meant, notTaken, UsageError } from '../../mistyped.ts';
import type { Flag } from '../base/flag.ts';
import { parseDuration } from '../base/time/duration.ts';

export type FlagValue = string | boolean | number | readonly string[];

const truths: Readonly<Record<string, boolean>> = {
  true: true,
  t: true,
  '1': true,
  false: false,
  f: false,
  '0': false,
};

/** @throws UsageError when the text does not fit the flag's type */
function parseValue({ name, type, whole }: Flag, text: string): FlagValue {
  switch (type) {
    case 'string':
      return text;
    case 'strings':
      return text === '' ? [] : whole ? [text] : text.split(',');
    case 'boolean': {
      const truth = truths[text.toLowerCase()];
      if (truth === undefined) throw new UsageError(`--${name} takes true or false, not ${JSON.stringify(text)}`);
      return truth;
    }
    case 'int': {
      if (!/^[+-]?\d{1,15}$/.test(text))
        throw new UsageError(`--${name} takes a whole number, not ${JSON.stringify(text)}`);
      return Number(text);
    }
    case 'number': {
      if (!/^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(text))
        throw new UsageError(`--${name} takes a number, not ${JSON.stringify(text)}`);
      return Number(text);
    }
    case 'duration': {
      const milliseconds = parseDuration(text);
      if (milliseconds === undefined) {
        throw new UsageError(`--${name} takes a duration such as 5m0s, not ${JSON.stringify(text)}`);
      }
      return milliseconds;
    }
  }
}

/**
 * Reads `--name=value`, `--name value` and `--name` (of a boolean) against a table of flags. Values are by name; what
 * was not given has its default. A flag of strings may be repeated.
 * @param others names of flags that are read elsewhere, and may have been meant
 * @throws UsageError
 */
export function parseFlags(
  flags: readonly Flag[],
  args: readonly string[],
  others: readonly string[] = [],
): ReadonlyMap<string, FlagValue> {
  const byName = new Map(flags.map((flag) => [flag.name, flag]));
  const given = new Map<string, FlagValue>();
  const rest = [...args];
  while (rest.length > 0) {
    // One that everybody knows by its short name.
    const arg = (rest.shift() ?? '').replace(/^-v(?==|$)/, '--v');
    if (!arg.startsWith('--')) throw new UsageError(`unexpected argument ${JSON.stringify(arg)}`);
    const equals = arg.indexOf('=');
    const name = arg.slice(2, equals < 0 ? undefined : equals);
    const flag = byName.get(name);
    if (!flag)
      throw new UsageError(
        `unknown flag --${name}${meant(name, [...byName.keys(), ...others, 'help'], '--')}; --help lists them`,
      );
    const value = parseValue(flag, textOf(flag, equals < 0 ? undefined : arg.slice(equals + 1), rest));
    const [stray] = strayValues(flag, value);
    if (stray !== undefined) throw new UsageError(stray);
    const before = given.get(name);
    given.set(name, Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value);
  }
  for (const flag of flags) if (!given.has(flag.name)) given.set(flag.name, defaultOf(flag));
  return given;
}

/** What is wrong with a value of a flag that takes but a few. */
export const strayValues = ({ name, oneOf }: Flag, value: unknown): readonly string[] =>
  oneOf === undefined
    ? []
    : [value]
        .flat()
        .filter((one) => !oneOf.includes(String(one)))
        .map((one) => notTaken(name, String(one), oneOf));

function textOf({ name, type }: Flag, text: string | undefined, rest: string[]): string {
  if (text !== undefined) return text;
  if (type === 'boolean') return 'true';
  const next = rest.shift();
  if (next === undefined) throw new UsageError(`--${name} needs a value`);
  return next;
}

function defaultOf(flag: Flag): FlagValue {
  if (flag.default !== '') return parseValue(flag, flag.default);
  return flag.type === 'boolean' ? false : flag.type === 'strings' ? [] : flag.type === 'string' ? '' : 0;
}

/** The option that a flag sets: `token-auth-file` sets `tokenAuthFile`. */
export const optionOf = (name: string) => name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** The values under the option names; empty texts are left out. */
export function optionsFrom(values: ReadonlyMap<string, FlagValue>): Record<string, FlagValue> {
  return Object.fromEntries(
    [...values].filter(([, value]) => value !== '').map(([name, value]) => [optionOf(name), value]),
  );
}

/** The table of flags for `--help`. */
export function helpText(flags: readonly Flag[]): string {
  const lines = flags.map((flag) => {
    const fallback = flag.default === '' ? '' : ` (default ${flag.default})`;
    return `  --${flag.name} ${flag.type === 'boolean' ? '' : flag.type}\n        ${flag.help}${fallback}`;
  });
  return `${lines.map((line) => line.replace(/ +\n/, '\n')).join('\n')}\n`;
}
