import type { PartyReport } from './summary.ts';
import { countVerdicts } from './summary.ts';

/** The report for programs: all that is known, secrets left out. */
export function jsonReport(report: PartyReport): string {
  return `${JSON.stringify({ schema: 'touchstone/conformance/v1', counts: countVerdicts(report.results), ...report }, undefined, 2)}\n`;
}
