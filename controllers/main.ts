import { enableCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { UsageError } from '../mistyped.ts';
import { untilTold } from '../until-told.ts';
import { checkFiles, troubleOf } from './command-line-trouble.ts';
import { type FlagValues, flagsHelp, parseFlags } from './flags.ts';
import { jsonLog, stderrLog } from './runtime/log.ts';
import { TextMetrics } from './runtime/metrics.ts';

const usage = `Usage: touchstone controllers [flags]

Runs the reference controllers against the server of a kubeconfig until it is told to stop.

Flags:
`;

/** `touchstone controllers`. Resolves with the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  let flags: Partial<FlagValues> = {};
  try {
    flags = parseFlags(args);
    if (flags.help) {
      process.stdout.write(usage + flagsHelp());
      return 0;
    }
    checkFiles(flags);
    return await run(flags as FlagValues);
  } catch (error) {
    process.stderr.write(`touchstone controllers: ${troubleOf(error, flags)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function run({ kubeconfig: kubeconfigFile, loggingFormat, ...flags }: FlagValues): Promise<number> {
  // Controllers wait most of the time: smaller is better than faster.
  setFlagsFromString('--optimize-for-size');
  // From the second start on nothing is stripped and compiled again, which is quicker and takes 20 MiB less.
  enableCompileCache();
  const { runControllers } = await import('./run.ts');
  const metrics = new TextMetrics();
  // While the server is away only waits are left, and those keep no process alive.
  const alive = setInterval(() => {}, 2 ** 30);
  const told = new AbortController();
  void untilTold().then(() => told.abort());
  const log = loggingFormat === 'json' ? jsonLog : stderrLog;
  try {
    return await runControllers({ ...flags, log, ...(kubeconfigFile && { kubeconfigFile }) }, metrics, told.signal);
  } finally {
    clearInterval(alive);
  }
}
