import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { freePort } from '../../free-port.ts';
import { UsageError } from '../../mistyped.ts';
import { untilTold } from '../../until-told.ts';
import { writeSecretFile } from '../base/files/write-file.ts';
import { shellWord } from '../base/shell-word.ts';
import { optionsFrom, parseFlags } from '../options/command-line.ts';
import { serverFlags } from '../options/flags.ts';
import type { ServerOptions } from '../options/options.ts';
import { ownFolder } from '../options/own-folder.ts';
import { answers, forget, lives, type Note, notesIn, runFolder, sweep } from './left-behind.ts';
import { type Announced, serveUntilTold } from './serve.ts';
import { startFailure } from './start-failure.ts';
import { openLog } from './up-log.ts';

const usage = `Usage: touchstone up [--detach] [flags]

Starts the reference server with the reference controllers and a node that pretends to run pods, and says what to do next.
With --node-runtime=process the node runs them as processes of this machine, as you.

Flags, its own and those of touchstone serve:
  --detach
        Leave it running in the background, with its log in ~/.touchstone/up.log; touchstone down ends it.
`;

/** Where servers that are up leave a note, each with its port in the name. */
const notes = ownFolder();

const detachFlag = '--detach';

/** `touchstone up`. */
export const up = (args: readonly string[]): Promise<number> =>
  args.includes(detachFlag) && !args.includes('--help')
    ? detach(args.filter((arg) => arg !== detachFlag)).catch(cannotStart)
    : serve(args);

function cannotStart(error: unknown): number {
  process.stderr.write(`touchstone up: ${startFailure(error)}\n`);
  return 1;
}

async function serve(args: readonly string[]): Promise<number> {
  const [http, https] = [await freePort(8080), await freePort(8443)];
  // Made when something is to be kept in it, and gone with the server.
  const run = join(notes, runFolder(process.pid));
  process.once('exit', () => rmSync(run, { recursive: true, force: true }));
  const { dataDir, etcdServers = [] } = storageOf(args);
  const defaults = {
    controllers: '*,ingress,directory-provisioner',
    'authorization-mode': 'Node,RBAC',
    'ingress-http-port': `${http}`,
    'ingress-https-port': `${https}`,
    // Volumes last as long as the objects that tell of them.
    'volumes-dir': join(dataDir ?? (etcdServers.length > 0 ? notes : run), 'volumes'),
    'node-certificates-dir': join(run, 'node'),
  };
  return serveUntilTold(args, { command: 'up', usage, defaults, ownFlags: ['detach'], announce });
}

type Storage = Partial<Pick<ServerOptions, 'dataDir' | 'etcdServers'>>;

/** Where objects are kept that outlive the server, if anywhere. What is wrong with the flags is told by who serves. */
function storageOf(args: readonly string[]): Storage {
  try {
    return optionsFrom(parseFlags(serverFlags, args));
  } catch (error) {
    if (error instanceof UsageError) return {};
    throw error;
  }
}

function announce({ server: { url }, kubeconfig, context, options, json, page }: Announced): () => void {
  const file = join(notes, `up-${new URL(url).port}.json`);
  writeSecretFile(file, JSON.stringify({ pid: process.pid, url, ...(context && { context }) } satisfies Note));
  const said = json
    ? JSON.stringify({ url, kubeconfig, context, page })
    : screen(url, kubeconfig, options, { context, page });
  process.stdout.write(`${said}\n`);
  // Behind all else that is done at the exit: who ends it waits for that.
  return () => process.once('exit', () => rmSync(file, { force: true }));
}

const downEnds = 'touchstone down ends it';

const lastLine = ({ dataDir, etcdServers = [] }: Storage): string =>
  dataDir || etcdServers.length > 0
    ? `${downEnds}; what was stored stays in ${dataDir ?? 'etcd'}.`
    : `${downEnds}, and with it everything that was stored.`;

/** Where Ingresses are reached; nothing when none is served, or at a port that nobody chose. */
const ingressOf = ({ controllers, ingressAddress, ingressHttpPort: port }: ServerOptions): string =>
  controllers.includes('ingress') && port > 0 ? `  Ingresses              http://${ingressAddress}:${port}\n` : '';

const nodesOf = ({ nodeNames: { length }, nodeRuntime }: ServerOptions): string => {
  const [who, pretend, run] = length === 1 ? ['a node', 'pretends', 'runs'] : [`${length} nodes`, 'pretend', 'run'];
  return `${who} that ${nodeRuntime === 'process' ? `${run} pods as processes, as you` : `${pretend} to run pods`}`;
};

const screen = (
  url: string,
  kubeconfig: string,
  options: ServerOptions,
  { context, page }: Pick<Announced, 'context' | 'page'>,
): string => `
  The reference server   ${url}
  Controllers            all that run by default, and ${nodesOf(options)}
${ingressOf(options)}  Kubeconfig             ${kubeconfig}${context ? `\n  Context                ${context.name} in ${context.file}` : ''}${page ? `\n  Page                   ${page} (open it in a browser)` : ''}

Next:

  ${context ? `kubectl config use-context ${context.name}` : `export KUBECONFIG=${shellWord(kubeconfig)}`}
  kubectl create job hello --image=busybox -- echo hello
  kubectl get jobs,pods --watch

${lastLine(options)}`;

/** Runs the command in a process of its own, and leaves it once it has said what runs. */
async function detach(args: readonly string[]): Promise<number> {
  const [, command = ''] = process.argv;
  const logFile = join(notes, 'up.log');
  const log = openLog(logFile);
  const child = spawn(process.execPath, [command, 'up', ...args], {
    detached: true,
    // It is to outlive the npx that started this one.
    env: { ...process.env, npm_command: '' },
    stdio: ['ignore', 'pipe', log],
  });
  // It has a terminal no more that could tell it.
  untilTold().then(() => child.kill());
  const stdout = child.stdout as Readable;
  const ended = once(child, 'exit').then(([code]) => Number(code ?? 1));
  const said = (async () => {
    for await (const line of createInterface({ input: stdout })) {
      process.stdout.write(`${line}\n`);
      if (line.startsWith(downEnds) || line.startsWith('{"url":')) return 0;
    }
    process.stderr.write(readFileSync(logFile, 'utf8'));
    return ended;
  })();
  const code = await said;
  closeSync(log);
  stdout.destroy();
  child.unref();
  return code;
}

/** `touchstone down`: ends every server that is up. Exit code 1 when there is none. */
export async function down(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write('Usage: touchstone down\n\nEnds every server that touchstone up has started.\n');
    return 0;
  }
  try {
    parseFlags([], args);
  } catch (error) {
    process.stderr.write(`touchstone down: ${startFailure(error)}\n`);
    return 2;
  }
  const ended = await Promise.all([...notesIn(notes)].map(([file, note]) => end(file, note)));
  const said = ended.filter((ending) => ending !== undefined);
  for (const { url, pid, isGone } of said)
    if (isGone) process.stdout.write(`${url} has ended\n`);
    else process.stderr.write(`touchstone down: ${url} has not ended yet (process ${pid})\n`);
  if (said.length === 0) process.stderr.write('touchstone down: nothing is up\n');
  await sweep(notes);
  return said.length > 0 && said.every(({ isGone }) => isGone) ? 0 : 1;
}

/** Milliseconds for a server to end, and between two looks. */
const patience = { end: 15_000, step: 20 };

/** What came of telling a server to end. */
interface Ending {
  readonly url: string;
  readonly pid: number;
  readonly isGone: boolean;
}

/**
 * Waits until it is gone and not only silent: whoever starts another one may give it the same folder, or the same context.
 * Gives nothing of a server that is gone already: its process id may be somebody else's by now.
 */
async function end(file: string, note: Note): Promise<Ending | undefined> {
  const { pid, url } = note;
  if (!(await answers(url, true))) {
    forget(file, note);
    return undefined;
  }
  process.kill(pid, 'SIGTERM');
  const isThere = () => existsSync(file) && lives(pid);
  const until = Date.now() + patience.end;
  while (isThere() && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, patience.step));
  const isGone = !isThere();
  // It takes its own note along; one that is still there is of a server that ended too suddenly for it.
  if (isGone && existsSync(file)) forget(file, note);
  return { url, pid, isGone };
}
