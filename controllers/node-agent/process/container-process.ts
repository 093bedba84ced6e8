import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { constants } from 'node:os';
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

/** Groups of which something runs, by the process that led or leads each: none outlives this one. */
const running = new Set<number>();
process.on('exit', () => {
  for (const pid of running) send(pid, 'SIGKILL');
});

/** How often what a process has left unread is looked at, once it has ended, and the milliseconds between. */
const patience = { looks: 10, between: 500 };

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
      running.add(pid);
      guardGroup(pid);
      child.once('exit', () => {
        if (!send(pid, 0)) forget(pid);
      });
      resolve(child);
    });
  });
}

/** Resolves when the process has ended and, unless only its exit is waited for, all that it wrote was read. */
export const endOf = (child: ChildProcess, event: 'close' | 'exit' = 'close'): Promise<Ending> =>
  new Promise((resolve) => {
    child.once(event, (code: number | null, signal: NodeJS.Signals | null) => {
      const number = signal === null ? undefined : constants.signals[signal];
      resolve(number === undefined ? { exitCode: code ?? 0 } : { exitCode: 128 + number, signal: number });
    });
  });

/** Sends a signal to a process and to all that it started, also when it has ended before them. */
export function signalGroup({ pid = 0 }: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (!running.has(pid)) return;
  send(pid, signal);
  if (signal === 'SIGKILL') forget(pid);
}

/** Whether a process, or any that it started and that stayed in its group, still runs. */
export const hasGroup = ({ pid = 0 }: ChildProcess): boolean => running.has(pid);

function forget(pid: number): void {
  running.delete(pid);
  releaseGroup(pid);
}

/** False when there is nobody left to get it. */
function send(group: number, signal: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch {
    return false;
  }
}

/** Ends with a process all that it started; who has left its group may hold its output no longer than it takes to read. */
export function endWith(child: ChildProcess): void {
  child.once('exit', () => {
    signalGroup(child, 'SIGKILL');
    const outputs = [child.stdout, child.stderr] as (Socket | null)[];
    let [looks, before] = [0, -1];
    const timer = setInterval(() => {
      const read = outputs.reduce((sum, output) => sum + (output?.bytesRead ?? 0), 0);
      if (read === before || ++looks > patience.looks) for (const output of outputs) output?.destroy();
      before = read;
    }, patience.between).unref();
    child.once('close', () => clearInterval(timer));
  });
}

/** Tells a log what a process writes. */
export function record(child: ChildProcess, log: ContainerLog): void {
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8');
    stream?.on('data', (text: string) => log.write(text));
  }
}
