import { type ChildProcess, spawn } from 'node:child_process';
import type { ContainerLog } from '../container-log.ts';
import { guardGroup, releaseGroup } from './guard.ts';

/** What is run, and where. */
export interface ProcessSpec {
  /** Not empty. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** How a process ended. */
export interface Ending {
  readonly exitCode: number;
  readonly signal?: number;
}

const signalNumbers: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGABRT: 6,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGPIPE: 13,
  SIGTERM: 15,
};

/** Processes that run now: none outlives this one. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) signalGroup(child, 'SIGKILL');
});

/** Starts a process that leads a group of its own. @throws Error when there is no such command */
export function start({ argv: [command = '', ...args], env, cwd }: ProcessSpec): Promise<ChildProcess> {
  const child = spawn(command, args, { env, cwd, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  // Who stops reading says so to the process, not to us.
  child.stdin?.on('error', () => {});
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', () => {
      child.off('error', reject);
      child.on('error', () => {});
      const { pid = 0 } = child;
      running.add(child);
      guardGroup(pid);
      child.once('exit', () => {
        running.delete(child);
        releaseGroup(pid);
      });
      resolve(child);
    });
  });
}

/** Resolves when the process has ended and all that it wrote was read. */
export const endOf = (child: ChildProcess): Promise<Ending> =>
  new Promise((resolve) => {
    child.once('close', (code, signal) => {
      const number = signal === null ? undefined : (signalNumbers[signal] ?? 0);
      resolve(number === undefined ? { exitCode: code ?? 0 } : { exitCode: 128 + number, signal: number });
    });
  });

/** Sends a signal to a process and to all that it started. */
export function signalGroup({ pid, exitCode, signalCode }: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (!pid || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

/** Tells a log what a process writes. */
export function record(child: ChildProcess, log: ContainerLog): void {
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8');
    stream?.on('data', (text: string) => log.write(text));
  }
}
