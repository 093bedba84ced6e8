import { resolve } from 'node:path';
import { isBroken } from '../report/causes.ts';
import { failuresText, resultText, shortText, summaryText } from '../report/console.ts';
import { type Judgement, judgement, told } from '../report/saved.ts';
import { exitCodeOf, type RunReport } from '../report/summary.ts';
import { makeOut, writeReports } from '../report/write.ts';
import { playRules, type Session, withSession } from '../run-conformance.ts';
import { makeProgress } from '../runner/progress.ts';
import type { NotedSection } from '../runner/survey.ts';
import type { Settings } from './flags.ts';
import { kept } from './kept.ts';
import { agreed, endedCode, print, say, untilEnded } from './terminal.ts';

/** Judges the target, shows how far it is and what came of it, and writes the reports. */
export async function judgeTarget(settings: Settings, sections: readonly NotedSection[]): Promise<number> {
  makeOut(settings.out);
  const yes = settings.yes || (await mayTouchCluster(settings));
  return untilEnded((signal) =>
    withSession({ ...settings, yes, note: say }, (session) => play({ ...settings, yes }, session, signal), sections),
  );
}

async function mayTouchCluster({ target, readOnly, disruptive }: Settings): Promise<boolean> {
  if (!target || readOnly || disruptive) return false;
  return agreed(
    `Some rules touch all of ${target.url}: they make nodes, volumes, bootstrap tokens and webhooks, and approve signing requests. Play them, too?`,
  );
}

async function play(settings: Settings, session: Session, signal: AbortSignal): Promise<number> {
  const progress = makeProgress(session.ids.length);
  const verbose = settings.rules.length > 0;
  const report = await playRules(session, {
    ...settings,
    verbose,
    signal,
    onResult: (result) => progress.step(result.verdict, isBroken(result) && !verbose ? shortText(result) : undefined),
  });
  progress.done();
  if (verbose) for (const result of report.results) print(`${resultText(result, report.curlOptions)}\n`);
  for (const error of report.errors) say(error);
  const checked = new Set(session.sections.flatMap(({ rules }) => rules.map(({ id }) => id)));
  print(summaryText(report, checked));
  const found = judged(settings, report);
  const keptCode = keepReports(settings, { ...report, ...told(found, settings.expected) });
  for (const line of report.left) say(`could not remove ${line}`);
  const isAsked = settings.oracle && !settings.readOnly && !signal.aborted;
  const oracle = isAsked ? await import('./consult-oracle.ts') : undefined;
  const oracleCode = (await oracle?.consultOracle(settings, session, signal)) ?? 0;
  if (signal.aborted) return endedCode;
  return conclude(settings, report, found) || oracleCode || keptCode;
}

const keepReports = ({ out }: Settings, report: RunReport): number =>
  kept(`--out: a report in ${out}`, () => `Reports: ${writeReports(resolve(out), report).join(', ')}`);

const judged = ({ baseline, expected }: Settings, { results }: RunReport): Judgement =>
  judgement(results, { ...(baseline ? { baseline } : {}), ...(expected ? { expected } : {}) });

/** Ends with what is broken and was not known to be. */
function conclude({ rules }: Settings, report: RunReport, found: Judgement): number {
  for (const line of knownLines(found)) print(line);
  if (rules.length === 0) print(failuresText(found.worse));
  if (found.stale.length > 0) return 1;
  const others = report.results.filter((result) => !found.known.includes(result));
  return exitCodeOf({ results: others, errors: report.errors });
}

const knownLines = ({ known, stale }: Judgement): string[] => [
  ...(known.length > 0 ? [`${known.length} broken as was known: ${known.map(({ id }) => id).join(', ')}`] : []),
  ...stale.map((id) => `STALE ${id} was expected to be broken, and is kept: take it off the list`),
];
