import type { ChildProcess } from 'node:child_process';
import { type Clock, pause } from '../../runtime/clock.ts';
import { ContainerLog } from '../container-log.ts';
import { backsOff, begins, findsImage, type News, stops } from '../news.ts';
import { restartWait } from '../restarts.ts';
import {
  type Ending,
  endOf,
  endWith,
  hasGroup,
  type ProcessSpec,
  record,
  signalGroup,
  start,
} from './container-process.ts';
import type { Container } from './fields.ts';
import { type Asker, getOnce } from './probe.ts';
import { Prober } from './prober.ts';
import type { State, Terminated } from './state.ts';

export interface ContainerParts {
  readonly container: Container;
  /** What to run, made anew for each start. @throws Error while something is missing */
  readonly specOf: () => Promise<ProcessSpec>;
  /** What it says about its end. */
  readonly lastWords: (exitCode: number, log: ContainerLog) => string;
  /** Runs a command beside it; for probes and hooks. */
  readonly exec: (command: readonly string[], signal: AbortSignal) => Promise<number>;
  readonly clock: Clock;
  /** Milliseconds that it has to stop, unless somebody says otherwise. */
  readonly grace: number;
  /** Why it has not begun, until something else is known. */
  readonly firstReason: string;
  /** The state, or whether it is ready, is another. */
  readonly changed: () => void;
  /** Something that people want to know. */
  readonly say: (...news: News) => void;
}

/** After running so long, in milliseconds, the waits begin anew. */
const settledAfter = 600_000;
/** Between tries to find what a container needs, in milliseconds. */
const lookAgain = 2_000;

/** One container of a pod, from start to start. */
export class ContainerRun {
  readonly #parts: ContainerParts;
  #state: State;
  #last: Terminated | undefined;
  #restarts: number;
  #started = false;
  #ready = false;
  #failures = 0;
  #child: ChildProcess | undefined;
  #log: ContainerLog;
  #lastLog: ContainerLog | undefined;
  #stopping: Promise<void> | undefined;
  readonly #beside = new Set<ChildProcess>();

  constructor(parts: ContainerParts, restarts = 0) {
    this.#parts = parts;
    this.#state = { type: 'waiting', reason: parts.firstReason };
    this.#restarts = restarts;
    this.#log = this.#newLog();
  }

  get container(): Container {
    return this.#parts.container;
  }
  get state(): State {
    return this.#state;
  }
  get last(): Terminated | undefined {
    return this.#last;
  }
  get restarts(): number {
    return this.#restarts;
  }
  get isStarted(): boolean {
    return this.#started;
  }
  get isReady(): boolean {
    return this.#ready && this.#state.type === 'running';
  }
  get child(): ChildProcess | undefined {
    return this.#child;
  }
  /** While it waits to begin again, the log is that of the run before: it tells why. */
  logOf(previous: boolean): ContainerLog | undefined {
    if (previous) return this.#lastLog;
    return this.#state.type === 'waiting' ? (this.#lastLog ?? this.#log) : this.#log;
  }

  /** Runs until it is not to be restarted any more. Resolves with how it ended; undefined when it never began. */
  async run(restarts: (exitCode: number) => boolean, signal: AbortSignal): Promise<Terminated | undefined> {
    for (;;) {
      const ended = await this.#once(signal);
      if (!ended) return undefined;
      if (signal.aborted || !restarts(ended.exitCode)) return ended;
      this.#failures = ended.finishedAt - ended.startedAt > settledAfter ? 1 : this.#failures + 1;
      this.#last = ended;
      this.#lastLog = this.#log;
      await this.#backOff(signal);
      if (signal.aborted) return ended;
      this.#restarts++;
      this.#log = this.#newLog();
    }
  }

  /** The first time it begins again at once; then it waits longer and longer. */
  async #backOff(signal: AbortSignal): Promise<void> {
    const { clock, firstReason, say } = this.#parts;
    const wait = restartWait(this.#failures);
    if (wait === 0) return this.#become({ type: 'waiting', reason: firstReason });
    const [reason, message] = backsOff(this.container.name, wait);
    this.#become({ type: 'waiting', reason: 'CrashLoopBackOff', message });
    say(reason, message);
    await pause(clock, wait, signal);
  }

  /** Ends what runs: first its hook, then SIGTERM, and SIGKILL when the time is up. @param grace milliseconds */
  stop(grace: number): Promise<void> {
    this.#stopping ??= this.#stop(grace).finally(() => {
      this.#stopping = undefined;
    });
    return this.#stopping;
  }

  /** Ends at once what runs, or is being stopped. */
  kill(): void {
    if (this.#child) signalGroup(this.#child, 'SIGKILL');
  }

  /** Starts a command beside what runs, which ends with that. @throws Error when there is no such command */
  async startBeside(spec: ProcessSpec): Promise<ChildProcess> {
    const child = await start(spec);
    this.#beside.add(child);
    child.once('exit', () => {
      if (!hasGroup(child)) this.#beside.delete(child);
    });
    if (!this.#child) this.#endBeside();
    return child;
  }

  #endBeside(): void {
    for (const each of this.#beside) signalGroup(each, 'SIGKILL');
    this.#beside.clear();
  }

  /** It will not begin (again): what was waiting is over. */
  giveUp(): void {
    if (this.#state.type !== 'waiting') return;
    const now = this.#parts.clock.now();
    const never = { exitCode: 137, reason: 'ContainerStatusUnknown', startedAt: now, finishedAt: now };
    this.#become(this.#last ?? { type: 'terminated', ...never });
  }

  async #once(signal: AbortSignal): Promise<Terminated | undefined> {
    const { clock, say } = this.#parts;
    const startedAt = clock.now();
    const child = await this.#launch(signal).catch((error: Error) => {
      say('Failed', `Error: ${error.message}`);
      this.#log.end();
      return this.#over({ exitCode: 128, reason: 'StartError', message: error.message, startedAt });
    });
    if (!child || 'type' in child) return child;
    const end = this.#take(child);
    const { startupProbe, readinessProbe } = this.container;
    this.#started = !startupProbe;
    this.#ready = !startupProbe && !readinessProbe;
    this.#become({ type: 'running', startedAt: clock.now() });
    for (const news of [...findsImage(this.container, false), ...begins(this.container.name)]) say(...news);
    const over = new AbortController();
    void this.#prober().run(over.signal);
    void this.#postStart();
    const { exitCode, signal: number } = await end;
    over.abort();
    this.#log.end();
    const reason = exitCode === 0 ? 'Completed' : 'Error';
    const message = this.#parts.lastWords(exitCode, this.#log);
    const how = { exitCode, reason, startedAt, ...(message && { message }) };
    return this.#over({ ...how, ...(number !== undefined && { signal: number }) });
  }

  /** Resolves when it has ended, with all that runs beside it. */
  #take(child: ChildProcess): Promise<Ending> {
    this.#child = child;
    const end = endOf(child);
    endWith(child);
    child.once('exit', () => {
      this.#child = undefined;
      this.#endBeside();
    });
    record(child, this.#log);
    if (!this.container.stdin) child.stdin?.end();
    return end;
  }

  /** Undefined when it was given up before. @throws Error when there is no such command */
  async #launch(signal: AbortSignal): Promise<ChildProcess | undefined> {
    for (;;) {
      const spec = await this.#parts.specOf().catch((error: Error) => error);
      if (signal.aborted) return undefined;
      if (!(spec instanceof Error)) return start(spec);
      const reason = spec.name === 'Error' ? 'CreateContainerConfigError' : spec.name;
      if (this.#state.type !== 'waiting' || this.#state.reason !== reason)
        this.#parts.say('Failed', `Error: ${spec.message}`);
      this.#become({ type: 'waiting', reason, message: spec.message });
      await pause(this.#parts.clock, lookAgain, signal);
    }
  }

  #over(how: Omit<Terminated, 'type' | 'finishedAt'>): Terminated {
    const ended = { type: 'terminated' as const, ...how, finishedAt: this.#parts.clock.now() };
    this.#started = false;
    this.#ready = false;
    this.#become(ended);
    return ended;
  }

  async #stop(grace: number): Promise<void> {
    const child = this.#child;
    if (!child) return;
    this.#parts.say(...stops(this.container.name));
    const end = endOf(child);
    const late = this.#parts.clock.after(grace, () => signalGroup(child, 'SIGKILL'));
    const hook = this.container.lifecycle?.preStop;
    if (hook) await this.#hook(hook, AbortSignal.timeout(Math.max(1, grace)));
    signalGroup(child, 'SIGTERM');
    await end;
    late();
  }

  async #postStart(): Promise<void> {
    const hook = this.container.lifecycle?.postStart;
    const problem = hook && (await this.#hook(hook, AbortSignal.timeout(60_000)));
    if (!problem) return;
    this.#parts.say('FailedPostStartHook', problem);
    await this.stop(this.#parts.grace);
  }

  async #hook({ exec, httpGet }: Hook, signal: AbortSignal): Promise<string | undefined> {
    const asker = this.#asker();
    const done = exec
      ? asker.exec(exec.command ?? [], signal).then((code) => (code === 0 ? undefined : `hook exited with ${code}`))
      : httpGet && getOnce(httpGet, asker, signal);
    return Promise.resolve(done).catch((error: Error) => error.message);
  }

  #prober(): Prober {
    const { clock, grace, say } = this.#parts;
    return new Prober({
      probes: this.container,
      clock,
      grace,
      say,
      asker: this.#asker(),
      hasStarted: () => this.#tell({ started: true, ready: !this.container.readinessProbe }),
      isReady: (ready) => this.#tell({ started: true, ready }),
      end: (grace) => this.stop(grace),
    });
  }

  #tell({ started, ready }: { readonly started: boolean; readonly ready: boolean }): void {
    if (started === this.#started && ready === this.#ready) return;
    this.#started = started;
    this.#ready = ready;
    this.#parts.changed();
  }

  #asker(): Asker {
    const ports = this.container.ports ?? [];
    return {
      exec: this.#parts.exec,
      portOf: (port) => ports.find(({ name }) => name === port)?.containerPort ?? Number(port),
    };
  }

  #become(state: State): void {
    this.#state = state;
    this.#parts.changed();
  }

  #newLog(): ContainerLog {
    return new ContainerLog(() => this.#parts.clock.now());
  }
}

type Hook = NonNullable<NonNullable<Container['lifecycle']>['preStop']>;
