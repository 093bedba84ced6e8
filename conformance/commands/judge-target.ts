import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Settings } from '../flags.ts';
import { isBroken } from '../report/causes.ts';
import { failuresText, resultText, shortText, summaryText } from '../report/console.ts';
import { jsonReport } from '../report/json.ts';
import { junitReport } from '../report/junit.ts';
import { exitCodeOf, type RunReport } from '../report/summary.ts';
import { playRules, type Session, withSession } from '../run-conformance.ts';
import { makeProgress } from '../runner/progress.ts';
import { consultOracle } from './consult-oracle.ts';
import { agreed, endedCode, print, say, untilEnded } from './terminal.ts';

/** Judges the target, shows how far it is and what came of it, and writes the reports. */
export async function judgeTarget(settings: Settings): Promise<number> {
  const yes = settings.yes || (await mayTouchCluster(settings));
  return untilEnded((signal) =>
    withSession({ ...settings, yes, note: say }, (session) => play({ ...settings, yes }, session, signal)),
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
  if (verbose) for (const result of report.results) print(`${resultText(result)}\n`);
  for (const error of report.errors) say(error);
  const checked = new Set(session.sections.flatMap(({ rules }) => rules.map(({ id }) => id)));
  print(summaryText(report, checked));
  print(`Reports: ${writeReports(resolve(settings.out), report)}`);
  for (const line of report.left) say(`could not remove ${line}`);
  const isAsked = settings.oracle && !settings.readOnly && !signal.aborted;
  const differs = isAsked ? await consultOracle(settings, session) : 0;
  if (!verbose) print(failuresText(report.results));
  if (signal.aborted) return endedCode;
  return exitCodeOf(report) || (settings.strict && differs > 0 ? 1 : 0);
}

/** Gives the places of the reports. */
function writeReports(folder: string, report: RunReport): string {
  mkdirSync(folder, { recursive: true });
  const files = { 'conformance.json': jsonReport(report), 'conformance.xml': junitReport(report) };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return Object.keys(files)
    .map((name) => join(folder, name))
    .join(', ');
}
