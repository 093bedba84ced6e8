import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Capability } from './capability.ts';
import { catalogue, entryOf } from './catalogue.ts';
import { readSettings, type Settings, UsageError, usage } from './flags.ts';
import { type RuleResult, skippedResult } from './judge.ts';
import { makeLab, openLab } from './lab/lab.ts';
import { makeLauncher } from './lab/launcher.ts';
import { startLabServices } from './lab/services.ts';
import { resultText, shortText, summaryText, teethText } from './report/console.ts';
import { jsonReport } from './report/json.ts';
import { junitReport } from './report/junit.ts';
import { coverageOf, exitCodeOf, type RunReport } from './report/summary.ts';
import type { Plan } from './runner/plan.ts';
import { makeProgress } from './runner/progress.ts';
import { runPlan } from './runner/run.ts';
import { loadSections, type Section } from './runner/sections.ts';
import { startDeadServers } from './sabotage/dead-servers.ts';
import type { TeethResult } from './sabotage/self-check.ts';
import { explore, trustsLab } from './target/capabilities.ts';
import { PluginCredentials, PluginError } from './target/credential-plugin.ts';
import { startReference } from './target/reference.ts';
import type { KnownTarget, Target } from './target/target.ts';

/** `touchstone conformance`. Resolves with the exit code: 0 fine, 1 rules broken, 2 wrong usage. */
export async function main(argv: readonly string[]): Promise<number> {
  let settings: Settings;
  try {
    settings = readSettings(argv);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`touchstone conformance: ${error.message}\n`);
    return 2;
  }
  if (settings.help) return print(usage());
  const sections = await loadSections();
  const ids = selectedIds(sections, settings);
  if (settings.list) return print(listText(ids));
  if (ids.length === 0) {
    process.stderr.write('touchstone conformance: no rule with a check is selected\n');
    return 2;
  }
  const chosen = sections.flatMap(({ rules }) => rules.filter(({ id }) => ids.includes(id)));
  const needs = new Set(chosen.flatMap((rule) => rule.needs));
  try {
    return await withTarget(settings, needs, (target) => {
      if (target.unreachable)
        process.stderr.write(`touchstone conformance: the target does not answer: ${target.unreachable}\n`);
      return (settings.selfCheck ? selfCheck : conformance)(settings, sections, ids, target);
    });
  } catch (error) {
    if (!(error instanceof PluginError)) throw error;
    process.stderr.write(`touchstone conformance: ${error.message}\n`);
    return 2;
  }
}

function print(text: string): number {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
  return 0;
}

const listText = (ids: readonly string[]): string =>
  ids.map((id) => `${entryOf(id).level.padEnd(6)} ${id}  ${entryOf(id).statement}`).join('\n');

/** The rules to run, in the order of the catalogue. */
function selectedIds(sections: readonly Section[], { rules, chapters, levels, skip }: Settings): string[] {
  const checked = new Set(sections.flatMap((section) => section.rules.map(({ id }) => id)));
  const chosen = (list: readonly string[], value: string): boolean => list.length === 0 || list.includes(value);
  return catalogue
    .filter(
      ({ id, chapter, level }) =>
        checked.has(id) &&
        chosen(rules, id) &&
        chosen(chapters, chapter) &&
        chosen(levels, level) &&
        !skip.includes(id),
    )
    .map(({ id }) => id);
}

const labTrust: readonly Capability[] = ['lab'];

/** The target of the flags, or the reference server for as long as `work` lasts. */
async function withTarget(
  settings: Settings,
  needs: ReadonlySet<Capability>,
  work: (target: KnownTarget) => Promise<number>,
): Promise<number> {
  if (settings.target) {
    const { launch, lab, webhookHost } = settings;
    const declared: Capability[] = [...settings.capabilities, ...(webhookHost ? (['webhooks'] as const) : [])];
    const known = {
      ...(await explore(await withCredential(settings.target), declared)),
      ...(launch ? { launcher: launch } : {}),
      ...(webhookHost ? { webhookHost } : {}),
    };
    if (!lab && !(launch && needs.has('lab'))) return work(known);
    return withLab(lab, async (labFolder) => {
      const trusted = lab !== undefined && (await trustsLab(known, openLab(labFolder)));
      if (lab && !trusted)
        process.stderr.write(`touchstone conformance: the target was not started with the flags of the lab ${lab}\n`);
      return work({ ...known, labFolder, capabilities: [...known.capabilities, ...(trusted ? labTrust : [])] });
    });
  }
  if (!needs.has('lab')) return withReference(settings, needs, [], work);
  return withLab(undefined, (labFolder) =>
    withReference(settings, needs, openLab(labFolder).flags, (known) =>
      work({ ...known, labFolder, capabilities: [...known.capabilities, 'lab'] }),
    ),
  );
}

/** A target whose credentials come from a plugin, with what that gives; here somebody may be asked. */
async function withCredential(target: Target): Promise<Target> {
  const { plugin } = target;
  if (!plugin) return target;
  const held = await new PluginCredentials(plugin, process.stdin.isTTY === true).current();
  const { expires: _, ...credential } = held;
  return { ...target, ...credential, plugin: { ...plugin, held } };
}

async function withReference(
  { capabilities }: Settings,
  needs: ReadonlySet<Capability>,
  flags: readonly string[],
  work: (target: KnownTarget) => Promise<number>,
): Promise<number> {
  const reference = await startReference(flags);
  const launch = makeLauncher(reference.launcher);
  try {
    const { target, launcher, beside } = reference;
    const isNeeded = beside.capabilities.some((capability) => needs.has(capability));
    const started = isNeeded ? await launch.withFlags(beside.flags) : undefined;
    const known = { ...(await explore(target, capabilities)), launcher };
    return await work({ ...known, beside: { ...beside, ...(started ? { target: started } : {}) } });
  } finally {
    await launch.stopAll();
    await reference.stop();
  }
}

/** A lab and its services, for as long as `work` lasts; without a folder it is a passing one. */
async function withLab(folder: string | undefined, work: (folder: string) => Promise<number>): Promise<number> {
  const place = folder ?? mkdtempSync(join(tmpdir(), 'touchstone-lab-'));
  const services = await startLabServices(await makeLab(place));
  try {
    return await work(place);
  } finally {
    await services.stop();
    if (folder === undefined) rmSync(place, { recursive: true, force: true });
  }
}

const planOf = (settings: Settings, target: KnownTarget, ids: readonly string[], patience: number): Plan => ({
  target,
  ids,
  patience,
  timeout: settings.timeout,
  keep: settings.keep,
  verbose: settings.rules.length > 0,
});

async function conformance(
  settings: Settings,
  sections: readonly Section[],
  ids: readonly string[],
  target: KnownTarget,
): Promise<number> {
  const started = Date.now();
  const progress = makeProgress(ids.length);
  const results = new Map<string, RuleResult>();
  const { errors } = await runPlan({
    sections,
    plan: planOf(settings, target, ids, 5_000),
    workers: settings.workers,
    failFast: settings.failFast,
    onResult(result) {
      results.set(result.id, result);
      progress.step(
        result.verdict,
        result.verdict === 'pass' || settings.rules.length > 0 ? undefined : shortText(result),
      );
    },
  });
  progress.done();
  const checked = new Set(sections.flatMap((section) => section.rules.map(({ id }) => id)));
  const report: RunReport = {
    target: target.url,
    version: target.version,
    startedAt: new Date(started).toISOString(),
    milliseconds: Date.now() - started,
    results: ids.map((id) => results.get(id) ?? neverRan(id, settings.failFast)),
    errors,
    coverage: coverageOf(checked),
  };
  if (settings.rules.length > 0) for (const result of report.results) print(`${resultText(result)}\n`);
  for (const error of errors) process.stderr.write(`touchstone conformance: ${error}\n`);
  print(summaryText(report, checked));
  print(`Reports: ${writeReports(resolve(settings.out), report)}`);
  return exitCodeOf(report);
}

function neverRan(id: string, failFast: boolean): RuleResult {
  const skipped = skippedResult(entryOf(id), 'not run: an earlier rule failed');
  return failFast
    ? skipped
    : { ...skipped, verdict: 'error', finding: { kind: 'crash', message: 'the rule was never run' } };
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

async function selfCheck(
  settings: Settings,
  sections: readonly Section[],
  ids: readonly string[],
  target: KnownTarget,
): Promise<number> {
  const dead = await startDeadServers();
  const progress = makeProgress(ids.length);
  const teeth: TeethResult[] = [];
  try {
    const deadServers = dead.map(({ name, url }) => ({ name, url }));
    const { errors } = await runPlan({
      sections,
      plan: { ...planOf(settings, target, ids, 2_000), deadServers },
      workers: settings.workers,
      failFast: settings.failFast,
      onTeeth(result) {
        teeth.push(result);
        progress.step(result.problems.length > 0 ? 'fail' : result.healthy, undefined);
      },
    });
    progress.done();
    for (const error of errors) process.stderr.write(`touchstone conformance: ${error}\n`);
    for (const id of ids.filter((one) => !teeth.some((result) => result.id === one))) teeth.push(neverTried(id));
    if (settings.rules.length > 0) print(JSON.stringify(teeth, undefined, 2));
    print(teethText(teeth));
    return errors.length > 0 || teeth.some(({ problems }) => problems.length > 0) ? 1 : 0;
  } finally {
    await Promise.all(dead.map((server) => server.stop()));
  }
}
