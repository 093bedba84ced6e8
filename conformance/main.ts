import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { entryOf } from './catalogue.ts';
import { readSettings, type Settings, UsageError, usage } from './flags.ts';
import { isBroken } from './report/causes.ts';
import { failuresText, resultText, shortText, summaryText, teethText } from './report/console.ts';
import { jsonReport } from './report/json.ts';
import { junitReport } from './report/junit.ts';
import { exitCodeOf, type RunReport } from './report/summary.ts';
import { planOf, playRules, type Session, withSession } from './run-conformance.ts';
import { makeProgress } from './runner/progress.ts';
import { runPlan } from './runner/run.ts';
import { loadSections } from './runner/sections.ts';
import { startDeadServers } from './sabotage/dead-servers.ts';
import type { TeethResult } from './sabotage/self-check.ts';
import { listText, selectedIds } from './selection.ts';
import { PluginError } from './target/credential-plugin.ts';
import { TargetFault } from './target/inspect.ts';

const say = (text: string): void => void process.stderr.write(`touchstone conformance: ${text}\n`);

function print(text: string): number {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
  return 0;
}

/** The exit codes of what ends a run before anything is judged. */
const endings: readonly (readonly [new (message: string) => Error, number])[] = [
  [UsageError, 2],
  [PluginError, 2],
  [TargetFault, 3],
];

/** `touchstone conformance`. Resolves with the exit code; `usage` tells what each means. */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    return await act(readSettings(argv));
  } catch (error) {
    const code = endings.find(([kind]) => error instanceof kind)?.[1];
    if (code === undefined) throw error;
    say((error as Error).message);
    return code;
  }
}

async function act(settings: Settings): Promise<number> {
  if (settings.help) return print(usage());
  const ids = selectedIds(await loadSections(), {
    ...settings,
    profiles: settings.profile,
    withClient: settings.selfCheck,
  });
  if (settings.list) return print(listText(ids));
  if (ids.length === 0) throw new UsageError('no rule with a check is selected');
  return withSession({ ...settings, note: say, withClient: settings.selfCheck }, (session) =>
    (settings.selfCheck ? selfCheck : conformance)(settings, session),
  );
}

async function conformance(settings: Settings, session: Session): Promise<number> {
  const progress = makeProgress(session.ids.length);
  const verbose = settings.rules.length > 0;
  const report = await playRules(session, {
    ...settings,
    verbose,
    onResult: (result) => progress.step(result.verdict, isBroken(result) && !verbose ? shortText(result) : undefined),
  });
  progress.done();
  if (verbose) for (const result of report.results) print(`${resultText(result)}\n`);
  for (const error of report.errors) say(error);
  const checked = new Set(session.sections.flatMap(({ rules }) => rules.map(({ id }) => id)));
  print(summaryText(report, checked));
  print(`Reports: ${writeReports(resolve(settings.out), report)}`);
  if (!verbose) print(failuresText(report.results));
  return exitCodeOf(report);
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

const neverTried = (id: string): TeethResult => ({
  id,
  chapter: entryOf(id).chapter,
  healthy: 'error',
  trials: [],
  dead: [],
  problems: ['was never run'],
});

async function selfCheck(settings: Settings, session: Session): Promise<number> {
  const { ids, sections } = session;
  const dead = await startDeadServers();
  const progress = makeProgress(ids.length);
  const teeth: TeethResult[] = [];
  try {
    const deadServers = dead.map(({ name, url }) => ({ name, url }));
    const { errors } = await runPlan({
      sections,
      plan: { ...planOf(session, { ...settings, verbose: settings.rules.length > 0 }, 2_000), deadServers },
      workers: settings.workers,
      failFast: settings.failFast,
      onTeeth(result) {
        teeth.push(result);
        progress.step(result.problems.length > 0 ? 'fail' : result.healthy, undefined);
      },
    });
    progress.done();
    for (const error of errors) say(error);
    for (const id of ids.filter((one) => !teeth.some((result) => result.id === one))) teeth.push(neverTried(id));
    if (settings.rules.length > 0) print(JSON.stringify(teeth, undefined, 2));
    print(teethText(teeth));
    return errors.length > 0 || teeth.some(({ problems }) => problems.length > 0) ? 1 : 0;
  } finally {
    await Promise.all(dead.map((server) => server.stop()));
  }
}
