import { type ChildProcess, spawn } from 'node:child_process';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { targetFromKubeconfig } from '../target/kubeconfig.ts';
import type { Target } from '../target/target.ts';
import { Breach } from '../verbs/breach.ts';

/** Starts servers with chosen flags, by a command that takes them and prints `KUBECONFIG=<file>` once it serves. */
export interface Launcher {
  /** The server with these flags; one that already runs with the same is shared. */
  readonly withFlags: (flags: readonly string[]) => Promise<Target>;
  readonly stop: (flags: readonly string[]) => Promise<void>;
  readonly stopAll: () => Promise<void>;
}

interface Launched {
  readonly child: ChildProcess;
  readonly target: Promise<Target>;
}

/** How long a server may take until it serves, and until it has stopped, in milliseconds. */
const limit = 30_000;

export function makeLauncher([command = '', ...args]: readonly string[]): Launcher {
  const running = new Map<string, Launched>();
  return {
    withFlags(flags) {
      const key = flags.join('\n');
      const known = running.get(key) ?? launch(command, [...args, ...flags]);
      running.set(key, known);
      return known.target;
    },
    async stop(flags) {
      const key = flags.join('\n');
      const known = running.get(key);
      running.delete(key);
      if (known) await stop(known.child);
    },
    async stopAll() {
      const all = [...running.values()];
      running.clear();
      await Promise.all(all.map(({ child }) => stop(child)));
    },
  };
}

/** Ends what it runs when this process is no more. */
const guard = join(import.meta.dirname, `guard${extname(import.meta.filename)}`);

function launch(command: string, args: readonly string[]): Launched {
  const child = spawn(process.execPath, [guard, command, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  const target = kubeconfigOf(child).then((file) => targetFromKubeconfig(file));
  // Whoever needs the server hears of it; nobody else must.
  target.catch(() => undefined);
  return { child, target };
}

function kubeconfigOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const fail = (why: string): void =>
      reject(new Breach('preparation', `a server with chosen flags ${why}; it said: ${said.trim().slice(-1_000)}`));
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail(`did not serve within ${limit} ms`);
    }, limit);
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      createInterface({ input: stream }).on('line', (line) => {
        said = `${said}${line}\n`.slice(-4_000);
        const file = /^KUBECONFIG=(.+)$/.exec(line)?.[1];
        if (!file) return;
        clearTimeout(timer);
        resolve(file);
      });
    }
    child.on('error', (error) => fail(`could not be started: ${error.message}`));
    child.on('close', (code) => {
      clearTimeout(timer);
      fail(`ended with code ${code}`);
    });
  });
}

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), 3_000);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill('SIGTERM');
  });
}
