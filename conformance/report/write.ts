import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { reasonOf } from '../../file-trouble.ts';
import { makeFolder } from '../../make-folder.ts';
import { UsageError } from '../../mistyped.ts';
import { badge } from './badge.ts';
import { htmlReport } from './html.ts';
import { jsonReport } from './json.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';
import type { PartyReport } from './summary.ts';
import { mustBeWritable } from './writable.ts';

/** Every form in which a report is written, by the ending of its file. */
const forms: Readonly<Record<string, (report: PartyReport) => string>> = {
  html: (report) => htmlReport([{ report }]),
  json: jsonReport,
  xml: junitReport,
  md: markdownReport,
  svg: badge,
};

/** Makes the folder for reports, before the work whose outcome would find no place. @throws UsageError */
export function makeOut(folder: string): void {
  try {
    makeFolder(resolve(folder), 0o777);
  } catch (error) {
    throw new UsageError(`--out: ${folder} cannot be made (${reasonOf(error)})`);
  }
  mustBeWritable('--out', folder, 'folder');
}

/** Writes the report in every form and gives the places. @param name of the files, without their endings */
export function writeReports(folder: string, report: PartyReport, name = 'conformance'): readonly string[] {
  makeFolder(resolve(folder), 0o777);
  return Object.entries(forms).map(([ending, form]) => {
    const file = join(folder, `${name}.${ending}`);
    writeFileSync(file, form(report));
    return file;
  });
}
