import type { Duplex, Readable, Writable } from 'node:stream';
import type { Loop } from '../runtime/controller.ts';
import { nameOf } from '../runtime/kube-object.ts';
import type { Pod } from '../runtime/resources.ts';
import type { ContainerLog } from './container-log.ts';

/** What a client wants to be connected with; what it did not ask for is missing. */
export interface ClientStreams {
  readonly stdin?: Readable;
  readonly stdout?: Writable;
  /** Missing with a terminal, too, which has one output. */
  readonly stderr?: Writable;
  readonly tty: boolean;
  /** The end of `stdin` cannot be told: in a terminal, and over WebSockets before v5. */
  readonly endless: boolean;
  /** Told whenever the client's terminal changes its size. */
  readonly onResize: (listener: (size: TerminalSize) => void) => void;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** What a node can do with the containers of its pods, whether they run or only seem to. */
export interface ContainerRuntime {
  /** @param previous the log of the run before this one. @throws Refusal */
  logOf(pod: Pod, container: string, previous: boolean): ContainerLog;
  /** Runs a command beside a container. Resolves with its exit code once all its output is written. @throws Refusal */
  exec(pod: Pod, container: string, command: readonly string[], streams: ClientStreams): Promise<number>;
  /** Joins what runs already. Resolves with its exit code, or when the client leaves. @throws Refusal */
  attach(pod: Pod, container: string, streams: ClientStreams): Promise<number>;
  /** Connects to a port of the pod. @throws Refusal */
  connect(pod: Pod, port: number): Promise<Duplex>;
  /** What its running containers use; none where that cannot be said. */
  usage(pod: Pod): readonly ContainerUsage[];
}

export interface ContainerUsage {
  readonly name: string;
  /** Used so far. */
  readonly cpuSeconds: number;
  /** Held now. */
  readonly memoryBytes: number;
}

/** One way to run pods: what takes them through their life, and what answers for their containers. */
export interface Mode {
  readonly runtime: ContainerRuntime;
  readonly loop: Loop;
}

/** Why a node does not do what it was asked for, as an HTTP answer. */
export class Refusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** The refusal of the log of a container that has written none so far. */
export const hasNotStarted = (pod: Pod, container: string, reason = 'ContainerCreating'): Refusal =>
  new Refusal(400, `container "${container}" in pod "${nameOf(pod)}" is waiting to start: ${reason}`);
