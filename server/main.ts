import { readFileSync, rmSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join, resolve } from 'node:path';
import { writeSecretFile } from './base/write-file.ts';
import { helpText, optionsFrom, parseFlags, UsageError } from './command-line.ts';
import { serverFlags } from './flags.ts';
import { addContext, type MergedContext, removeContext, usersKubeconfig } from './kube-context.ts';
import { sweep } from './left-behind.ts';
import type { ServerOptions } from './options.ts';
import { type LogFormat, stderrLog } from './request/log.ts';
import { type RunningServer, startServer } from './start.ts';
import { startFailure } from './start-failure.ts';
import { untilTold } from './until-told.ts';

const usage = `Usage: touchstone serve [flags]

Starts the reference API server, prints its URL and the path of a kubeconfig, and serves until it is told to stop.

Flags:
`;

/** `touchstone serve`. Resolves with the exit code once the server has stopped. */
export const main = (args: readonly string[]): Promise<number> =>
  serveUntilTold(args, { command: 'serve', usage, defaults: [], announce });

/** What there is to say. */
export interface Announced {
  readonly server: RunningServer;
  readonly options: ServerOptions;
  /** The file, absolute. */
  readonly kubeconfig: string;
  /** In a kubeconfig of the user's. */
  readonly context: MergedContext | undefined;
  /** Whether programs will read it. */
  readonly json: boolean;
}

/** What differs between the commands that serve. */
export interface Manner {
  readonly command: string;
  /** What the help begins with. */
  readonly usage: string;
  /** Flags that hold unless others are given. */
  readonly defaults: readonly string[];
  /** Says what runs, and may give what is to be done at the end. */
  readonly announce: (running: Announced) => (() => void) | undefined;
}

/** What is only for commands. */
interface ServeOptions extends ServerOptions {
  readonly writeKubeconfig?: string;
  readonly kubeContext?: string;
  readonly loggingFormat: LogFormat;
  readonly output: 'text' | 'json';
}

/** Serves until SIGTERM or SIGINT. Resolves with the exit code. */
export async function serveUntilTold(args: readonly string[], manner: Manner): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(manner.usage + helpText(serverFlags));
    return 0;
  }
  let options: Partial<ServeOptions> = {};
  try {
    options = optionsFrom(parseFlags(serverFlags, [...manner.defaults, ...args])) as unknown as ServeOptions;
    return await serveBy(options as ServeOptions, manner);
  } catch (error) {
    process.stderr.write(`touchstone ${manner.command}: ${startFailure(error, options)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function serveBy(options: ServeOptions, manner: Manner): Promise<number> {
  const told = untilTold();
  await sweep(options.certDir ?? '.');
  const server = await startServer({ ...options, log: stderrLog(options.v, options.loggingFormat) });
  const end = leaveTraces(server, options, manner);
  // Now and not only at the end, which may be a sudden one.
  flushCompileCache();
  await told;
  await server.stop();
  end();
  return 0;
}

function announce({ server: { url }, kubeconfig, json }: Announced): undefined {
  process.stdout.write(json ? `${JSON.stringify({ url, kubeconfig })}\n` : `${url}\nKUBECONFIG=${kubeconfig}\n`);
}

/** Writes where to find the server, and says it. @returns what takes all of that away again */
function leaveTraces(server: RunningServer, options: ServeOptions, manner: Manner): () => void {
  const { kubeContext: name, writeKubeconfig, certDir = '.' } = options;
  const file = writeKubeconfig ?? join(certDir, `kubeconfig-${new URL(server.url).port}`);
  writeSecretFile(file, server.kubeconfig);
  const context = name ? { file: usersKubeconfig(), name } : undefined;
  if (context) addContext(context, server.kubeconfig);
  const kubeconfig = resolve(file);
  const end = manner.announce({ server, options, kubeconfig, context, json: options.output === 'json' });
  return () => {
    end?.();
    if (context) removeContext(context);
    // Where the user named it, it is the user's; and another server may have written it anew.
    if (!writeKubeconfig && readFileSync(file, 'utf8') === server.kubeconfig) rmSync(file);
  };
}
