import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { nameOf, uidOf } from '../../runtime/kube-object.ts';
import type { Pod } from '../../runtime/resources.ts';
import type { ContainerLog } from '../container-log.ts';
import {
  type ClientStreams,
  type ContainerRuntime,
  type ContainerUsage,
  hasNotStarted,
  Refusal,
} from '../container-runtime.ts';
import { endOf, signalGroup } from './container-process.ts';
import type { ContainerRun } from './container-run.ts';
import type { PodRun } from './pod-run.ts';
import { onTerminal, sizing } from './terminal.ts';
import { usageOf } from './usage.ts';

/** Bytes of a container's output that wait for a client who has attached to it. */
const mostWaiting = 4 * 1024 * 1024;

/** The containers of pods that run as processes of this machine. */
export class ProcessRuntime implements ContainerRuntime {
  readonly runs = new Map<string, PodRun>();

  logOf(pod: Pod, container: string, previous: boolean): ContainerLog {
    const run = this.runs.get(uidOf(pod))?.find(container);
    const log = run?.logOf(previous);
    if (previous && !log)
      throw new Refusal(400, `previous terminated container "${container}" in pod "${nameOf(pod)}" not found`);
    const waiting = run?.state.type === 'waiting' ? run.state : undefined;
    if (!run || !log || (waiting && !run.last)) throw hasNotStarted(pod, container, waiting?.reason);
    return log;
  }

  async exec(pod: Pod, container: string, command: readonly string[], streams: ClientStreams): Promise<number> {
    const run = this.#running(pod, container);
    const spec = await (this.runs.get(uidOf(pod)) as PodRun).specOf(run.container, command);
    const child = await run.startBeside(streams.tty ? onTerminal(spec) : spec).catch((error: Error) => {
      throw new Refusal(500, `cannot run ${JSON.stringify(command[0])}: ${error.message}`);
    });
    const end = () => leave(child);
    streams.signal.addEventListener('abort', end);
    // Who has gone meanwhile says so no more.
    if (streams.signal.aborted) end();
    if (streams.tty) streams.onResize(sizing(child));
    if (streams.stdin && child.stdin) streams.stdin.pipe(child.stdin);
    else child.stdin?.end();
    const { stdout, stderr = stdout } = streams;
    if (stdout) child.stdout?.pipe(stdout, { end: false });
    else child.stdout?.resume();
    if (stderr) child.stderr?.pipe(stderr, { end: false });
    else child.stderr?.resume();
    const { exitCode } = await endOf(child);
    streams.signal.removeEventListener('abort', end);
    return exitCode;
  }

  /** What comes from now on; what is sent goes to a container that takes it. */
  async attach(pod: Pod, container: string, { stdin, stdout, stderr, signal }: ClientStreams): Promise<number> {
    const run = this.#running(pod, container);
    const child = run.child;
    if (!child) throw new Refusal(500, `container not found ("${container}")`);
    // Who does not read misses some, rather than have all of it wait here.
    const toClient = (output: typeof stdout) => (text: string) => {
      if (output && output.writableLength < mostWaiting) output.write(text);
    };
    const [out, err] = [toClient(stdout), toClient(stderr ?? stdout)];
    child.stdout?.on('data', out);
    child.stderr?.on('data', err);
    if (stdin && run.container.stdin && child.stdin) stdin.pipe(child.stdin, { end: run.container.stdinOnce ?? false });
    const left = signal.aborted ? Promise.resolve() : once(signal, 'abort');
    const ended = await Promise.race([endOf(child), left]);
    child.stdout?.off('data', out);
    child.stderr?.off('data', err);
    return ended && 'exitCode' in ended ? ended.exitCode : 0;
  }

  usage(pod: Pod): readonly ContainerUsage[] {
    return (pod.spec?.containers ?? []).flatMap(({ name }) => {
      const pid = this.runs.get(uidOf(pod))?.find(name)?.child?.pid;
      const used = pid === undefined ? undefined : usageOf(pid);
      return used ? [{ name, ...used }] : [];
    });
  }

  /** All pods share this machine's loopback. */
  connect(_pod: Pod, port: number): Promise<Duplex> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(socket));
      socket.once('error', (error) => reject(new Refusal(502, error.message)));
    });
  }

  #running(pod: Pod, container: string): ContainerRun {
    const run = this.runs.get(uidOf(pod))?.find(container);
    if (run?.state.type !== 'running') throw new Refusal(500, `container not found ("${container}")`);
    return run;
  }
}

/** Ends a command that nobody waits for; what it has left in its container stays there. */
function leave(child: ChildProcess): void {
  if (child.exitCode === null && child.signalCode === null) signalGroup(child, 'SIGKILL');
  child.stdout?.destroy();
  child.stderr?.destroy();
}
