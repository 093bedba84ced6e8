import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { badge } from './badge.ts';
import { htmlReport } from './html.ts';
import { jsonReport } from './json.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';
import type { RunReport } from './summary.ts';

/** Every form in which a report is written, by the name of its file. */
const forms: Readonly<Record<string, (report: RunReport) => string>> = {
  'conformance.html': (report) => htmlReport([{ report }]),
  'conformance.json': jsonReport,
  'conformance.xml': junitReport,
  'conformance.md': markdownReport,
  'conformance.svg': badge,
};

/** Writes the report in every form and gives the places. */
export function writeReports(folder: string, report: RunReport): readonly string[] {
  mkdirSync(folder, { recursive: true });
  return Object.entries(forms).map(([name, form]) => {
    const file = join(folder, name);
    writeFileSync(file, form(report));
    return file;
  });
}
