import { resolve } from 'node:path';
import { reasonOf } from '../../file-trouble.ts';
import { type Flag, flagsText, readFlags } from '../commands/flag-table.ts';
import { makeLab } from './lab.ts';

const flags: readonly Flag[] = [
  { name: 'dir', value: 'DIR', help: 'the folder of the lab' },
  { name: 'help', help: 'print this' },
];

const usage = `Usage: touchstone lab --dir DIR

Makes the keys, certificates and tokens that rules on authentication need, unless DIR holds them already, and prints
the flags for the server to be judged, one a line:

  my-api-server $(touchstone lab --dir ./lab) ...
  touchstone conformance --server URL --lab ./lab

${flagsText(flags)}
`;

interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

const standard: Output = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
};

function readFolder(argv: readonly string[]): string | undefined {
  const values = readFlags(flags, argv);
  return values.help ? '' : (values.dir as string | undefined);
}

/** `touchstone lab`. Resolves with the exit code: 0 made, 1 not possible, 2 wrong usage. */
export async function main(argv: readonly string[], { out, err }: Output = standard): Promise<number> {
  let folder: string | undefined;
  try {
    folder = readFolder(argv);
  } catch (error) {
    err(`touchstone lab: ${(error as Error).message}\n`);
    return 2;
  }
  if (folder === '') {
    out(usage);
    return 0;
  }
  if (folder === undefined) {
    err('touchstone lab: --dir is needed\n');
    return 2;
  }
  try {
    const lab = await makeLab(resolve(folder));
    out(`${lab.flags.join('\n')}\n`);
    return 0;
  } catch (error) {
    err(`touchstone lab: ${troubleOf(error as NodeJS.ErrnoException, folder)}\n`);
    return 1;
  }
}

function troubleOf(error: NodeJS.ErrnoException, folder: string): string {
  if (error.syscall === 'mkdir') return `--dir: ${folder} cannot be made (${reasonOf(error)})`;
  return error.code === 'ENOSPC' ? `--dir: ${folder} cannot be written (${reasonOf(error)})` : error.message;
}
