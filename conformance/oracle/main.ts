import { writeFileSync } from 'node:fs';
import { UsageError } from '../../mistyped.ts';
import { plain } from '../../plain.ts';
import { endedCode, untilEnded } from '../commands/terminal.ts';
import { mustBeWritable } from '../report/writable.ts';
import { spoken } from '../runner/time-left.ts';
import { PluginError, withCredential } from '../target/credential-plugin.ts';
import { asking, inspect, TargetFault } from '../target/inspect.ts';
import type { Target } from '../target/target.ts';
import { Breach } from '../verbs/breach.ts';
import { type CompareSettings, readSettings, usage } from './flags.ts';
import { type OracleReport, runOracle } from './oracle.ts';
import type { Scenario } from './play/scenario.ts';
import { oracleText } from './report.ts';
import type { Counts } from './run.ts';
import { loadScenarios, ScenarioFileError, saveScenarios } from './scenario-file.ts';

/** Exit code where a server does not answer, or not any more. */
const lostCode = 3;

const say = (text: string): void => void process.stderr.write(`touchstone compare: ${plain(text)}\n`);

/** `touchstone compare`. Resolves with the exit code, which the usage tells. */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    const settings = readSettings(argv, Date.now());
    if (settings.help || !settings.judged) {
      process.stdout.write(usage());
      return 0;
    }
    const { judged } = settings;
    const work = async (signal: AbortSignal) => ({
      report: await compared(settings, judged, signal),
      ended: signal.aborted,
    });
    const { report, ended } = await untilEnded(work, say);
    if (ended) return endedCode;
    if (report.lost) return lostCode;
    return settings.strict && report.differs.length > 0 ? 1 : 0;
  } catch (error) {
    const code = exitCodeOf(error);
    if (code === undefined) throw error;
    say((error as Error).message);
    return code;
  }
}

function exitCodeOf(error: unknown): number | undefined {
  if (error instanceof UsageError || error instanceof ScenarioFileError || error instanceof PluginError) return 2;
  return error instanceof Breach || error instanceof TargetFault ? lostCode : undefined;
}

async function compared(settings: CompareSettings, target: Target, signal: AbortSignal): Promise<OracleReport> {
  const { other, play, save, json, generators, ...options } = settings;
  for (const [flag, file] of Object.entries({ json, save })) if (file) mustBeWritable(`--${flag}`, file);
  const progress = makeProgress(settings.budget);
  const report = await runOracle({
    ...options,
    judged: await reached(target),
    ...(other ? { other: await reached(other) } : {}),
    ...(generators.length > 0 ? { generators } : {}),
    ...(play === undefined ? {} : { scenarios: loadScenarios(play) }),
    signal,
    onProgress: progress.show,
  });
  progress.done();
  process.stdout.write(plain(oracleText(report)));
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, undefined, 2)}\n`);
  if (save !== undefined)
    saveScenarios(
      save,
      report.differs.map(({ scenario }) => scenario).filter((one) => one !== undefined) as Scenario[],
    );
  return report;
}

/** A target with its credentials. @throws TargetFault when it is none */
async function reached(target: Target): Promise<Target> {
  const known = await withCredential(target);
  await asking(known, (send) => inspect(known, send));
  return known;
}

/** On a terminal one line that is written over. @param budget milliseconds for generated work */
function makeProgress(budget: number): { show: (counts: Counts) => void; done: () => void } {
  if (!process.stderr.isTTY) return { show: () => undefined, done: () => undefined };
  const end = performance.now() + budget;
  const left = (): string => (performance.now() < end ? `, about ${spoken(end - performance.now())} left` : '');
  return {
    show: ({ comparisons, scenarios }) =>
      void process.stderr.write(
        `\r\x1b[K${comparisons} answers of ${scenarios} scenarios and cells of rules compared${left()}`,
      ),
    done: () => void process.stderr.write('\r\x1b[K'),
  };
}
