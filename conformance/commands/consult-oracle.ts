import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runOracle } from '../oracle/oracle.ts';
import { oracleText } from '../oracle/report.ts';
import type { Session } from '../run-conformance.ts';
import type { Settings } from './flags.ts';
import { kept } from './kept.ts';
import { print } from './terminal.ts';

/** Generated work, beside the reference server. What differs is reported apart from the verdicts; gives the exit code. */
export async function consultOracle(settings: Settings, session: Session, signal: AbortSignal): Promise<number> {
  const report = await runOracle({
    judged: session.target,
    seed: settings.oracleSeed ?? Date.now() % 1_000_000,
    budget: settings.oracleTime,
    run: session.permit.run,
    signal,
    clusterWide: settings.target === undefined || settings.yes,
    ...(settings.webhookHost === undefined ? {} : { webhookHost: settings.webhookHost }),
  });
  const file = join(resolve(settings.out), 'oracle.json');
  print(`\n${oracleText(report)}`);
  const code = kept(`--out: ${file}`, () => {
    writeFileSync(file, `${JSON.stringify(report, undefined, 2)}\n`);
    return `Oracle: ${file}`;
  });
  // As for a target that cannot be reached at all.
  if (report.lost) return 3;
  return settings.strict && report.differs.length > 0 ? 1 : code;
}
