import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { jsonReport } from '../report/json.ts';
import { passing, reportOf } from '../report/report.fixture.ts';
import { main } from './report.ts';

const folder = temporaryFolder();

/** The names under which the page shows the reports in these files. */
async function namesIn(files: readonly string[]): Promise<readonly string[]> {
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), jsonReport(reportOf([passing])));
  }
  const page = join(folder, 'page.html');
  expect(await main([...files.map((file) => join(folder, file)), '--out', page])).toBe(0);
  const [, data = ''] = /id="data">(.*?)<\/script>/.exec(readFileSync(page, 'utf8')) ?? [];
  return JSON.parse(data).reports.map(({ name }: { name: string }) => name);
}

test.each<readonly [string, readonly string[], readonly string[]]>([
  ['of one folder by their files', ['one.json', 'two.json'], ['one', 'two']],
  [
    'of several runs by their folders',
    ['before/conformance.json', 'after/conformance.json'],
    ['before/conformance', 'after/conformance'],
  ],
  [
    'of folders within others by what tells them apart',
    ['1.24/reports/conformance.json', '1.25/reports/conformance.json', 'conformance.json'],
    ['1.24/reports/conformance', '1.25/reports/conformance', expect.stringMatching(/\/conformance$/)],
  ],
  ['given twice alike', ['one.json', 'one.json'], ['one', 'one']],
])('reports %s stand side by side under names of their own', async (_, files, names) => {
  expect(await namesIn(files)).toEqual(names);
});

test('a page that finds no place is told in words', async () => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const page = join(folder, 'nowhere', 'page.html');
  expect(await main([join(folder, 'one.json'), '--out', page])).toBe(2);
  expect(said.mock.calls.join('')).toContain(`--out: ${page} cannot be written (there is no such file or folder)`);
  said.mockRestore();
});
