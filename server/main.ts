import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { helpText, optionsFrom, parseFlags, UsageError } from './command-line.ts';
import { serverFlags } from './flags.ts';
import { writeSecretFile } from './kubeconfig.ts';
import type { ServerOptions } from './options.ts';
import { stderrLog } from './request/log.ts';
import { type RunningServer, startServer } from './start.ts';

const usage = `Usage: touchstone serve [flags]

Starts the reference API server, prints its URL and the path of a kubeconfig, and serves until it is told to stop.

Flags:
`;

/** `touchstone serve`. Resolves with the exit code once the server has stopped. */
export async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(usage + helpText(serverFlags));
    return 0;
  }
  try {
    const values = parseFlags(serverFlags, args);
    const options = optionsFrom(values) as unknown as ServerOptions & { writeKubeconfig?: string };
    const told = untilTold();
    const server = await startServer({ ...options, log: stderrLog(options.v >= 4) });
    announce(server, options);
    // Now and not only at the end, which may be a sudden one.
    flushCompileCache();
    await told;
    await server.stop();
    return 0;
  } catch (error) {
    process.stderr.write(`touchstone serve: ${error instanceof Error ? error.message : error}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

function announce(
  server: RunningServer,
  { writeKubeconfig, certDir = '.' }: { writeKubeconfig?: string; certDir?: string },
): void {
  const file = writeKubeconfig ?? join(certDir, `kubeconfig-${new URL(server.url).port}`);
  writeSecretFile(file, server.kubeconfig);
  process.stdout.write(`${server.url}\nKUBECONFIG=${file}\n`);
}

/** Resolves at the first SIGTERM or SIGINT; a second one ends the process at once. */
function untilTold(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(1));
        resolve();
      });
    }
  });
}
