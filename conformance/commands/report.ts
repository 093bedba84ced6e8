import { writeFileSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { reasonOf } from '../../file-trouble.ts';
import { UsageError } from '../../mistyped.ts';
import { htmlReport } from '../report/html.ts';
import { readReport, SavedError } from '../report/saved.ts';
import { type Flag, flagsText, readCommandLine } from './flag-table.ts';
import { print } from './terminal.ts';

const flags: readonly Flag[] = [
  { name: 'out', value: 'PAGE.html', help: 'the page to write (default report.html)' },
  { name: 'help', help: 'print this' },
];

const usage = `Usage: touchstone report FILE.json... [--out PAGE.html]

Shows the JSON reports of several runs side by side in one page, the first one in full.

${flagsText(flags)}
`;

function write(page: string, text: string): void {
  try {
    writeFileSync(page, text);
  } catch (error) {
    throw new UsageError(`--out: ${page} cannot be written (${reasonOf(error)})`);
  }
}

/** Every run names its report alike: as much of the paths as tells them apart, the file's name alone where that does. */
function namesOf(files: readonly string[]): readonly string[] {
  const paths = files.map((file) => resolve(file.replace(/\.json$/, '')).split(sep));
  const different = (depth: number) => new Set(paths.map((path) => path.slice(-depth).join('/')));
  const deepest = Math.max(...paths.map((path) => path.length));
  let depth = 1;
  while (different(depth).size < different(deepest).size) depth += 1;
  return paths.map((path) => path.slice(-depth).join('/'));
}

function wrong(text: string): number {
  process.stderr.write(text);
  return 2;
}

/** `touchstone report`. Resolves with the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    const { values, operands } = readCommandLine(flags, argv, true);
    if (values.help) return print(usage);
    if (operands.length === 0) return wrong(usage);
    const page = String(values.out ?? 'report.html');
    const names = namesOf(operands);
    write(page, htmlReport(operands.map((file, at) => ({ name: names[at] ?? file, report: readReport(file) }))));
    return print(page);
  } catch (error) {
    if (error instanceof SavedError || error instanceof UsageError)
      return wrong(`touchstone report: ${error.message}\n`);
    throw error;
  }
}
