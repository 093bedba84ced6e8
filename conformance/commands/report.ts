import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { htmlReport } from '../report/html.ts';
import { readReport, SavedError } from '../report/saved.ts';
import { print } from './terminal.ts';

const usage = `Usage: touchstone report FILE.json... [--out PAGE.html]

Shows the JSON reports of several runs side by side in one page (default report.html), the first one in full.
`;

function wrong(text: string): number {
  process.stderr.write(text);
  return 2;
}

/** `touchstone report`. Resolves with the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    const options = { out: { type: 'string' as const }, help: { type: 'boolean' as const } };
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    if (values.help) return print(usage);
    if (positionals.length === 0) return wrong(usage);
    const page = values.out ?? 'report.html';
    const named = positionals.map((file) => ({ name: basename(file, '.json'), report: readReport(file) }));
    writeFileSync(page, htmlReport(named));
    return print(page);
  } catch (error) {
    if (error instanceof SavedError || error instanceof TypeError)
      return wrong(`touchstone report: ${error.message.split('\n')[0]}\n`);
    throw error;
  }
}
