import { createServer } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import { annotationOf, millisecondsOf, nameOf, uidOf } from '../../runtime/kube-object.ts';
import type { Pod } from '../../runtime/resources.ts';
import { ContainerLog } from '../container-log.ts';
import { type ClientStreams, type ContainerRuntime, hasNotStarted, Refusal } from '../container-runtime.ts';
import { settingOf } from './behaviour.ts';
import { inputEnds, readsInput } from './input.ts';
import { tarOf } from './tar.ts';

/** Containers that do not run, and say and do what annotations of their pod say. */
export class PretendedRuntime implements ContainerRuntime {
  readonly #now: () => number;
  /** Logs that somebody may be reading, by pod and container. */
  readonly #logs = new Map<string, Map<string, ContainerLog>>();
  /** Answers on the ports of all pods; which pod is told by the connection. */
  readonly #server = createServer((request, response) => {
    response.end(this.#answers.get(request.socket) ?? '');
  });
  readonly #answers = new WeakMap<object, string>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** A pod has changed: the logs of containers that have stopped are at their end. */
  seen(pod: Pod): void {
    for (const [container, log] of this.#logs.get(uidOf(pod)) ?? []) {
      if (stateOf(pod, container)?.running) continue;
      log.end();
      this.#logs.get(uidOf(pod))?.delete(container);
    }
  }

  gone(uid: string): void {
    for (const log of this.#logs.get(uid)?.values() ?? []) log.end();
    this.#logs.delete(uid);
  }

  logOf(pod: Pod, container: string, previous: boolean): ContainerLog {
    const state = stateOf(pod, container);
    const last = statusOf(pod, container)?.lastState?.terminated;
    const begun = previous ? last : (state?.running ?? state?.terminated ?? last);
    if (!begun && previous)
      throw new Refusal(400, `previous terminated container "${container}" in pod "${nameOf(pod)}" not found`);
    if (!begun) throw hasNotStarted(pod, container);
    const logs = this.#logs.get(uidOf(pod)) ?? new Map<string, ContainerLog>();
    const isRunning = !previous && state?.running !== undefined;
    const known = isRunning ? logs.get(container) : undefined;
    if (known) return known;
    const log = new ContainerLog(() => millisecondsOf(begun.startedAt) ?? this.#now());
    const text = settingOf(pod, container, 'log') ?? '';
    log.write(text === '' || text.endsWith('\n') ? text : `${text}\n`);
    if (isRunning) this.#logs.set(uidOf(pod), logs.set(container, log));
    else log.end();
    return log;
  }

  async exec(pod: Pod, container: string, command: readonly string[], streams: ClientStreams): Promise<number> {
    if (!stateOf(pod, container)?.running) throw new Refusal(500, `container not found ("${container}")`);
    const { stdin, stdout, tty } = streams;
    const file = command[0] === 'tar' ? fileOf(pod, command.at(-1) ?? '') : undefined;
    if (file !== undefined) stdout?.write(tarOf(command.at(-1) ?? '', file, this.#now()));
    else stdout?.write(settingOf(pod, container, 'exec-says') ?? '');
    if (stdin && readsInput(command, streams)) await inputEnds(stdin, tty);
    const exitCode = settingOf(pod, container, 'exec-exit-code');
    return /^\d{1,3}$/.test(exitCode ?? '') ? Number(exitCode) : 0;
  }

  async attach(pod: Pod, container: string, { stdin, stdout, tty, signal }: ClientStreams): Promise<number> {
    if (!stateOf(pod, container)?.running) throw new Refusal(500, `container not found ("${container}")`);
    const left = new AbortController();
    if (stdin && tty) void inputEnds(stdin, tty).then(() => left.abort());
    const until = AbortSignal.any([signal, left.signal]);
    for await (const { text } of this.logOf(pod, container, false).follow(until)) stdout?.write(text);
    return 0;
  }

  /** What does not run uses nothing that could be measured. */
  usage(): readonly [] {
    return [];
  }

  async connect(pod: Pod, port: number): Promise<Duplex> {
    const answer =
      annotationOf(pod, `touchstone.example/answer.${port}`) ?? annotationOf(pod, 'touchstone.example/answer');
    if (answer === undefined)
      throw new Refusal(502, `connection refused: no annotation says what port ${port} answers`);
    const [ours, theirs] = duplexPair();
    this.#answers.set(ours, answer);
    this.#server.emit('connection', ours);
    return theirs;
  }
}

const statusOf = ({ status }: Pod, container: string) =>
  [
    ...(status?.containerStatuses ?? []),
    ...(status?.initContainerStatuses ?? []),
    ...(status?.ephemeralContainerStatuses ?? []),
  ].find(({ name }) => name === container);

const stateOf = (pod: Pod, container: string) => statusOf(pod, container)?.state;

/** What the pod is said to have in a file: `touchstone.example/files` is an object of texts by path. */
function fileOf(pod: Pod, path: string): string | undefined {
  try {
    const files: unknown = JSON.parse(annotationOf(pod, 'touchstone.example/files') ?? '{}');
    const content = (files as Readonly<Record<string, unknown>> | null)?.[path];
    return typeof content === 'string' ? content : undefined;
  } catch {
    return undefined;
  }
}
