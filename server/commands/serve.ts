import { existsSync, readFileSync, rmSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join, resolve } from 'node:path';
import { UsageError } from '../../mistyped.ts';
import { untilTold } from '../../until-told.ts';
import { writeSecretFile } from '../base/files/write-file.ts';
import { helpText, optionsFrom, parseFlags } from '../options/command-line.ts';
import { serverFlags } from '../options/flags.ts';
import type { ServerOptions } from '../options/options.ts';
import { takeStockFlags } from '../options/stock-flags.ts';
import { type LogFormat, stderrLog } from '../request/log.ts';
import { versionInfo } from '../request/version.ts';
import { type RunningServer, startServer } from '../start.ts';
import { uiPath } from '../ui/ui.ts';
import { addContext, type MergedContext, removeContext, usersKubeconfig } from './kube-context.ts';
import { sweep } from './left-behind.ts';
import { checkReplaceable } from './replaceable.ts';
import { startFailure } from './start-failure.ts';

const usage = `Usage: touchstone serve [flags]

Starts the reference API server, prints its URL and the path of a kubeconfig, and serves until it is told to stop.

Flags:
`;

/** `touchstone serve`. Resolves with the exit code once the server has stopped. */
export const main = (args: readonly string[]): Promise<number> =>
  serveUntilTold(args, { command: 'serve', usage, defaults: {}, ownFlags: [], announce });

const runsAsYou = `Warning: pods run as processes of this machine, as you, with all your rights (--node-runtime=process).
Whoever may create pods on this server can do whatever you can.
`;

/** What there is to say. */
export interface Announced {
  readonly server: RunningServer;
  readonly options: ServerOptions;
  /** The file, absolute. */
  readonly kubeconfig: string;
  /** In a kubeconfig of the user's. */
  readonly context: MergedContext | undefined;
  /** A file that opens the page, logged in. */
  readonly page: string | undefined;
  /** Whether programs will read it. */
  readonly json: boolean;
}

/** What differs between the commands that serve. */
export interface Manner {
  readonly command: string;
  /** What the help begins with. */
  readonly usage: string;
  /** Values of flags that hold unless others are given, as they would be written, by the flags' names. */
  readonly defaults: Readonly<Record<string, string>>;
  /** Names of flags that it reads itself. */
  readonly ownFlags: readonly string[];
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
  const flags = serverFlags.map((flag) => ({ ...flag, default: manner.defaults[flag.name] ?? flag.default }));
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(manner.usage + helpText(flags));
    return 0;
  }
  if (args.includes('--version')) {
    process.stdout.write(`Kubernetes ${versionInfo.gitVersion}\n`);
    return 0;
  }
  let options: Partial<ServeOptions> = {};
  try {
    const taken = takeStockFlags(args);
    for (const name of taken.passedOver) process.stderr.write(`Warning: --${name} changes nothing here.\n`);
    options = optionsFrom(parseFlags(flags, taken.args, [...manner.ownFlags, 'version'])) as unknown as ServeOptions;
    return await serveBy(options as ServeOptions, manner);
  } catch (error) {
    process.stderr.write(`touchstone ${manner.command}: ${startFailure(error, options)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function serveBy(options: ServeOptions, manner: Manner): Promise<number> {
  if (options.writeKubeconfig) checkReplaceable(options.writeKubeconfig);
  if (options.nodeRuntime === 'process') process.stderr.write(runsAsYou);
  const told = untilTold();
  await sweep(options.certDir ?? '.');
  const starting = startServer({ ...options, log: stderrLog(options.v, options.loggingFormat) });
  const started = await Promise.race([starting, told]);
  if (!started) return endAtOnce(manner);
  // Where nobody can be told where to find it, it ends.
  await using server = started;
  const end = leaveTraces(server, options, manner);
  // Now and not only at the end, which may be a sudden one.
  flushCompileCache();
  await told;
  await server.stop();
  end();
  return 0;
}

/** Told to end before it serves anybody: what it still waits for, such as an etcd, may take long. */
function endAtOnce({ command }: Manner): never {
  process.stderr.write(`touchstone ${command}: told to end before it was ready\n`);
  process.exit(1);
}

function announce({ server: { url }, kubeconfig, json, page }: Announced): undefined {
  const text = `${url}\nKUBECONFIG=${kubeconfig}\n${page ? `UI=${page}\n` : ''}`;
  process.stdout.write(json ? `${JSON.stringify({ url, kubeconfig, page })}\n` : text);
}

/** Writes where to find the server, and says it. @returns what takes all of that away again */
function leaveTraces(server: RunningServer, options: ServeOptions, manner: Manner): () => void {
  const { kubeContext: name, writeKubeconfig, certDir = '.' } = options;
  const file = writeKubeconfig ?? join(certDir, `kubeconfig-${new URL(server.url).port}`);
  writeSecretFile(file, server.kubeconfig);
  const page = options.ui ? join(certDir, `ui-${new URL(server.url).port}.html`) : undefined;
  if (page) writeSecretFile(page, entrance(server));
  const context = name ? { file: usersKubeconfig(), name } : undefined;
  if (context) addContext(context, server.kubeconfig);
  const kubeconfig = resolve(file);
  const end = manner.announce({
    server,
    options,
    kubeconfig,
    context,
    json: options.output === 'json',
    page: page && resolve(page),
  });
  return () => {
    end?.();
    if (page) rmSync(page, { force: true });
    // Where the user named it, it is the user's; somebody may have removed it, or another server have written it anew.
    if (!writeKubeconfig && existsSync(file) && readFileSync(file, 'utf8') === server.kubeconfig) rmSync(file);
    if (context) removeContext(context);
  };
}

/** A page for its owner alone that leads to the server's page with the token where no log sees it. */
const entrance = ({ url, adminToken }: RunningServer): string =>
  `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Touchstone</title>
<meta http-equiv="refresh" content="0; url=${url}${uiPath}#token=${adminToken}">
<a href="${url}${uiPath}#token=${adminToken}">${url}${uiPath}</a>
`;
