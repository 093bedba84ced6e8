import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { jsonReport } from '../report/json.ts';
import { junitReport } from '../report/junit.ts';
import type { PartyReport } from '../report/summary.ts';

/** Writes the reports of a run into a folder, which is made if need be. Gives their places. */
export function writeReports(folder: string, name: string, report: PartyReport): string {
  const at = resolve(folder);
  mkdirSync(at, { recursive: true });
  const files = { [`${name}.json`]: jsonReport(report), [`${name}.xml`]: junitReport(report) };
  for (const [file, text] of Object.entries(files)) writeFileSync(join(at, file), text);
  return Object.keys(files)
    .map((file) => join(at, file))
    .join(', ');
}
