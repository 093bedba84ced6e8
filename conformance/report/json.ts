import type { PartyReport } from './summary.ts';
import { countVerdicts } from './summary.ts';

/** The name of the format; `report.schema.json` beside this file describes it. */
export const reportSchema = 'touchstone/conformance/v1';

/** The report for programs: all that is known, secrets left out. */
export function jsonReport(report: PartyReport): string {
  return `${JSON.stringify({ schema: reportSchema, counts: countVerdicts(report.results), ...report }, undefined, 2)}\n`;
}
