import { type ChildProcess, spawn } from 'node:child_process';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { targetFromKubeconfig } from '../target/kubeconfig.ts';
import { Breach, Skipped } from '../verbs/breach.ts';
import type { Start } from './launcher.ts';

/** How long a server may take until it serves, and until it has stopped, in milliseconds. */
export const startLimit = 60_000;

/** Ends what it runs when this process is no more. */
const guard = join(import.meta.dirname, `guard${extname(import.meta.filename)}`);

/** Starts servers by a command that takes flags and prints `KUBECONFIG=<file>` once it serves. */
export function byCommand([command = '', ...args]: readonly string[], limit = startLimit): Start {
  return async (flags) => {
    const child = spawn(process.execPath, [guard, command, ...args, ...flags], { stdio: ['pipe', 'pipe', 'pipe'] });
    const file = await kubeconfigOf(child, limit);
    try {
      return { target: targetFromKubeconfig(file), stop: () => stop(child) };
    } catch (error) {
      await stop(child);
      const why = (error as Error).message;
      throw new Breach('preparation', `a server with chosen flags said where it is, but ${why}`);
    }
  };
}

function kubeconfigOf(child: ChildProcess, limit: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const told = (why: string): string => `a server with chosen flags ${why}; it said: ${said.trim().slice(-1_000)}`;
    const fail = (why: string): void => reject(new Breach('preparation', told(why)));
    const timer = setTimeout(() => {
      child.kill('SIGTERM');
      // Nothing is known of it: this machine may have been too busy.
      reject(new Skipped(told(`did not serve within ${limit} ms`)));
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
    const timer = setTimeout(() => child.kill('SIGKILL'), startLimit);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill('SIGTERM');
  });
}
