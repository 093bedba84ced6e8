import { parseArgs } from 'node:util';
import { mistyped, UsageError } from '../../mistyped.ts';

/** One flag of a command. */
export interface Flag {
  readonly name: string;
  /** What stands for the value in the help; absent for a switch. */
  readonly value?: string;
  readonly many?: boolean;
  readonly help: string;
}

/** The flags of a command as its help shows them, a line each. */
export function flagsText(flags: readonly Flag[]): string {
  const heads = flags.map(({ name, value }) => `  --${name}${value ? ` ${value}` : ''}`);
  const width = Math.max(...heads.map((head) => head.length)) + 2;
  return flags
    .map(({ help, many }, index) => `${heads[index]?.padEnd(width)}${help}${many ? '; may be repeated' : ''}`)
    .join('\n');
}

/** What the command line says, by the names of flags. */
export type FlagTexts = Record<string, string | boolean | readonly (string | boolean)[] | undefined>;

/** A command line by what its flags are: one with a value, one that may be repeated, or a switch. */
export const saidIn = (values: Readonly<FlagTexts>) => ({
  text: (name: string): string | undefined => values[name] as string | undefined,
  texts: (name: string): readonly string[] => (values[name] as readonly string[] | undefined) ?? [],
  isOn: (name: string): boolean => values[name] === true,
});

/** Reads a command line that has flags alone. @throws UsageError */
export const readFlags = (flags: readonly Flag[], argv: readonly string[]): FlagTexts =>
  readCommandLine(flags, argv, false).values;

/** Reads a command line by its flags, and what may stand beside these. @throws UsageError */
export function readCommandLine(
  flags: readonly Flag[],
  argv: readonly string[],
  takesOperands: boolean,
): { readonly values: FlagTexts; readonly operands: readonly string[] } {
  const options = Object.fromEntries(
    flags.map(({ name, value, many }) => [
      name,
      {
        type: value ? ('string' as const) : ('boolean' as const),
        multiple: many ?? false,
        ...(name === 'help' && { short: 'h' }),
      },
    ]),
  );
  try {
    const read = parseArgs({ args: [...argv], options, strict: true, allowPositionals: takesOperands });
    return { values: read.values as FlagTexts, operands: read.positionals };
  } catch (error) {
    throw new UsageError(
      mistyped(
        error,
        flags.map(({ name }) => name),
      ),
    );
  }
}
