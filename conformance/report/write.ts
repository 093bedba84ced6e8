import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { badge } from './badge.ts';
import { htmlReport } from './html.ts';
import { jsonReport } from './json.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';
import type { PartyReport, RunReport } from './summary.ts';

/** Every form in which a report is written, by the name of its file. */
const forms: Readonly<Record<string, (report: RunReport) => string>> = {
  'conformance.html': (report) => htmlReport([{ report }]),
  'conformance.json': jsonReport,
  'conformance.xml': junitReport,
  'conformance.md': markdownReport,
  'conformance.svg': badge,
};

/** Writes the report in every form and gives the places. */
export const writeReports = (folder: string, report: RunReport): readonly string[] => write(folder, forms, report);

/** Writes the report of a run that judged another party, for programs, and gives the places. */
export const writePartyReports = (folder: string, name: string, report: PartyReport): readonly string[] =>
  write(resolve(folder), { [`${name}.json`]: jsonReport, [`${name}.xml`]: junitReport }, report);

/** @param all forms by the names of files */
function write<R>(folder: string, all: Readonly<Record<string, (report: R) => string>>, report: R): readonly string[] {
  mkdirSync(folder, { recursive: true });
  return Object.entries(all).map(([name, form]) => {
    const file = join(folder, name);
    writeFileSync(file, form(report));
    return file;
  });
}
