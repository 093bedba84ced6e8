import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '../../runtime/client.ts';
import { type Clock, pause } from '../../runtime/clock.ts';
import { millisecondsOf, nameOf, namespaceOf, uidOf } from '../../runtime/kube-object.ts';
import type { Pod } from '../../runtime/resources.ts';
import type { News } from '../news.ts';
import { hostIp } from '../node.ts';
import { isRestarted } from '../restarts.ts';
import { argumentsOf, type Images } from './command.ts';
import { endOf, type ProcessSpec, signalGroup } from './container-process.ts';
import { ContainerRun } from './container-run.ts';
import { environmentOf } from './environment.ts';
import type { Container } from './fields.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import { lastWords, lastWordsPath } from './last-words.ts';
import { makeParts, mountsOf, placedIn } from './mounts.ts';
import { Sources } from './sources.ts';
import { type PodView, statusOf } from './status.ts';
import { folderOfVolume, hasChangingVolumes, prepareVolumes } from './volumes.ts';

/** What all pods of a node have in common. */
export interface Host {
  readonly client: Client;
  readonly clock: Clock;
  readonly images: Images;
  /** The folder that holds a folder for each pod. */
  readonly folder: string;
  readonly hostPaths: readonly string[];
}

export interface PodParts extends Host {
  readonly podIp: string;
  readonly changed: () => void;
  readonly say: (...news: News) => void;
}

/** Between tries to make a volume, and between looks at what volumes show, in milliseconds. */
const volumesAgain = { missing: 2_000, changing: 60_000 };
/** Variables of this machine that processes get. */
const inherited = ['PATH', 'LANG', 'TZ'];

/** A pod whose containers are processes of this machine. */
export class PodRun {
  readonly #parts: PodParts;
  readonly #folder: string;
  readonly #startedAt: number;
  readonly #ending = new AbortController();
  readonly #init: readonly ContainerRun[];
  readonly #main: readonly ContainerRun[];
  readonly #ephemeral: ContainerRun[] = [];
  readonly #over: Promise<void>;
  readonly #restarts = (code: number) => isRestarted(this.#pod, code);
  #pod: Pod;
  #failure: PodView['failure'];
  #stopped: Promise<void> | undefined;
  #stopsWithin = Number.POSITIVE_INFINITY;
  #isStopped = false;

  constructor(pod: Pod, parts: PodParts) {
    this.#pod = pod;
    this.#parts = parts;
    this.#folder = join(parts.folder, uidOf(pod));
    this.#startedAt = parts.clock.now();
    const before = pod.status?.containerStatuses ?? [];
    // What ran when an agent ended begins again with the next one.
    const restarts = (name: string) => before.find((each) => each.name === name)?.restartCount ?? -1;
    this.#init = (pod.spec?.initContainers ?? []).map((each) => this.#containerRun(each));
    this.#main = (pod.spec?.containers ?? []).map((each) => this.#containerRun(each, restarts(each.name) + 1));
    this.#over = this.#run();
  }

  /** Nothing of it runs any more, because it was told to stop. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** The pod has changed: it may have new ephemeral containers, or less time. */
  update(pod: Pod): void {
    this.#pod = pod;
    for (const each of pod.spec?.ephemeralContainers ?? []) {
      if (this.#ephemeral.some(({ container }) => container.name === each.name)) continue;
      const run = this.#containerRun(each as Container);
      this.#ephemeral.push(run);
      void run.run(() => false, this.#ending.signal);
    }
  }

  status(now: number) {
    const { podIp } = this.#parts;
    const view = {
      init: this.#init,
      main: this.#main,
      ephemeral: this.#ephemeral,
      startedAt: this.#startedAt,
      hostIp,
      podIp: this.#pod.spec?.hostNetwork ? hostIp : podIp,
      ...(!this.#ending.signal.aborted && { restarts: this.#restarts }),
      ...(this.#failure && { failure: this.#failure }),
    };
    return statusOf(this.#pod, view, now);
  }

  find(container: string): ContainerRun | undefined {
    return [...this.#main, ...this.#init, ...this.#ephemeral].find((each) => each.container.name === container);
  }

  /** Ends all containers. Resolves when none runs any more. @param grace milliseconds; fewer the second time count */
  stop(grace: number): Promise<void> {
    this.#ending.abort();
    const all = [...this.#init, ...this.#main, ...this.#ephemeral];
    if (grace < this.#stopsWithin) this.#killAfter(grace, all);
    this.#stopped ??= Promise.all([this.#over, ...all.map((each) => each.stop(grace))]).then(() => {
      for (const each of all) each.giveUp();
      this.#isStopped = true;
      this.#parts.changed();
    });
    return this.#stopped;
  }

  #killAfter(grace: number, all: readonly ContainerRun[]): void {
    this.#stopsWithin = grace;
    const kill = () => {
      for (const each of all) each.kill();
    };
    if (grace > 0) this.#parts.clock.after(grace, kill);
    else kill();
  }

  /** Takes its folder away. */
  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Runs a command with the environment of a container. */
  async specOf(container: Container, command: readonly string[]): Promise<ProcessSpec> {
    const spec = await this.#environment(container);
    return { ...spec, argv: command.map((each) => placedIn(spec.mounts, each)) };
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending;
    if (!(await this.#prepare())) return;
    if (hasChangingVolumes(this.#pod)) void this.#refresh();
    const deadline = this.#pod.spec?.activeDeadlineSeconds;
    if (deadline !== undefined) void this.#endAfter(deadline);
    for (const each of this.#init) {
      const ended = await each.run((code) => code !== 0 && this.#pod.spec?.restartPolicy !== 'Never', signal);
      if (ended?.exitCode !== 0) return;
    }
    await Promise.all(this.#main.map((each) => each.run(this.#restarts, signal)));
  }

  /** Makes the pod's folder and volumes, as soon as that can be done. False when it was given up before. */
  async #prepare(): Promise<boolean> {
    const { clock, say } = this.#parts;
    for (let told = ''; !this.#ending.signal.aborted; ) {
      const problem = await this.#volumes().catch((error: Error) => error);
      if (!problem) return true;
      if (problem.message !== told) say('FailedMount', problem.message);
      told = problem.message;
      await pause(clock, volumesAgain.missing, this.#ending.signal);
    }
    return false;
  }

  async #volumes(): Promise<void> {
    mkdirSync(this.#root, { recursive: true, mode: 0o700 });
    const { client, hostPaths } = this.#parts;
    const sources = new Sources(client, namespaceOf(this.#pod));
    await prepareVolumes({ pod: this.#pod, client, sources, folder: this.#volumesFolder, hostPaths });
  }

  async #refresh(): Promise<void> {
    const { clock } = this.#parts;
    const { signal } = this.#ending;
    for (;;) {
      await pause(clock, volumesAgain.changing, signal);
      if (signal.aborted) return;
      await this.#volumes().catch((error: Error) => this.#parts.say('FailedMount', error.message));
    }
  }

  async #endAfter(seconds: number): Promise<void> {
    const { clock, changed } = this.#parts;
    const since = millisecondsOf(this.#pod.status?.startTime) ?? this.#startedAt;
    await pause(clock, since + seconds * 1000 - clock.now(), this.#ending.signal);
    if (this.#ending.signal.aborted) return;
    const message = 'Pod was active on the node longer than the specified deadline';
    // Told before its containers end, so that nobody takes their end for the reason.
    this.#failure = { reason: 'DeadlineExceeded', message };
    changed();
    await this.stop(this.#grace);
  }

  get #grace(): number {
    return (this.#pod.spec?.terminationGracePeriodSeconds ?? 30) * 1000;
  }

  #containerRun(container: Container, restarts = 0): ContainerRun {
    const { clock, changed, say } = this.#parts;
    const run: ContainerRun = new ContainerRun(
      {
        container,
        clock,
        grace: this.#grace,
        firstReason: this.#pod.spec?.initContainers?.length ? 'PodInitializing' : 'ContainerCreating',
        changed,
        specOf: () => this.#mainSpec(container),
        lastWords: (exitCode, log) => lastWords(container, exitCode, { file: this.#wordsFile(container), log }),
        exec: (command, signal) => this.#execQuietly(run, command, signal),
        say: (reason, message) => say(reason, message, container.name),
      },
      restarts,
    );
    return run;
  }

  async #mainSpec(container: Container): Promise<ProcessSpec> {
    const { client, images } = this.#parts;
    const { mounts, ...spec } = await this.#environment(container);
    writeFileSync(this.#wordsFile(container), '');
    makeParts(mounts);
    const { origin: server } = client.connection.url;
    writeKubeconfig({ home: this.#root, server, namespace: namespaceOf(this.#pod), mounts });
    const argv = argumentsOf(container, images, spec.env, mounts);
    if (argv) return { ...spec, argv };
    throw Object.assign(
      new Error(`nothing says what the image ${container.image} means: --image ${container.image}=…`),
      {
        name: 'ErrImageNeverPull',
      },
    );
  }

  async #environment(container: Container) {
    const { client } = this.#parts;
    const own = await environmentOf(this.#pod, container, new Sources(client, namespaceOf(this.#pod)));
    const volumes = mountsOf(container, own, (name) => folderOfVolume(this.#volumesFolder, name));
    const mounts = [{ path: lastWordsPath(container), real: this.#wordsFile(container) }, ...volumes];
    const placed = Object.entries(own).map(([name, value]) => [name, placedIn(mounts, value)]);
    const { hostname, port } = client.connection.url;
    const env: Record<string, string> = {
      ...Object.fromEntries(inherited.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
      HOME: this.#root,
      HOSTNAME: nameOf(this.#pod),
      KUBERNETES_SERVICE_HOST: hostname,
      KUBERNETES_SERVICE_PORT: port || '443',
      ...Object.fromEntries(placed),
    };
    return { env, cwd: this.#workingFolder(container, mounts), mounts };
  }

  /** One that is mounted is where it really is; one that is not there is made below the pod's own root. */
  #workingFolder({ workingDir }: Container, mounts: ReturnType<typeof mountsOf>): string {
    if (!workingDir) return this.#root;
    const placed = placedIn(mounts, workingDir);
    if (placed !== workingDir) return placed;
    const folder = join(this.#root, workingDir);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
  }

  async #execQuietly(run: ContainerRun, command: readonly string[], signal: AbortSignal): Promise<number> {
    const child = await run.startBeside(await this.specOf(run.container, command));
    const end = () => signalGroup(child, 'SIGKILL');
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    child.stdin?.end();
    child.stdout?.resume();
    child.stderr?.resume();
    const { exitCode } = await endOf(child, 'exit');
    signal.removeEventListener('abort', end);
    return exitCode;
  }

  #wordsFile({ name }: Container): string {
    return join(this.#folder, `last-words-${name}`);
  }

  get #root(): string {
    return join(this.#folder, 'root');
  }

  get #volumesFolder(): string {
    return join(this.#folder, 'volumes');
  }
}
