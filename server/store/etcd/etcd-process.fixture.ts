import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../free-port.ts';
import { systemTimers } from '../../base/time/timers.ts';
import { EtcdClient } from './etcd-client.ts';

/** Why tests with a real etcd are left out; undefined: they run. */
export const withoutEtcd: string | undefined =
  spawnSync('etcd', ['--version']).status === 0 ? undefined : 'there is no etcd on the PATH';

const children = new Set<ChildProcess>();

/** Ends a process at the latest when this one exits. (Signals must be made exits by the program.) */
export function endWithUs(child: ChildProcess): void {
  if (children.size === 0) process.once('exit', endAll);
  children.add(child);
  child.once('exit', () => {
    children.delete(child);
    if (children.size === 0) process.off('exit', endAll);
  });
}

function endAll(): void {
  for (const child of children) child.kill('SIGKILL');
}

/** More flags of etcd, such as those of TLS. */
export interface EtcdProcessOptions {
  readonly flags?: readonly string[];
  readonly scheme?: 'http' | 'https';
}

/** One member of an etcd, as a process of its own, that can be killed, paused and started again on its data. */
export class EtcdProcess {
  readonly url: string;
  readonly #folder: string;
  readonly #flags: readonly string[];
  #process: ChildProcess | undefined;

  private constructor(folder: string, url: string, flags: readonly string[]) {
    this.#folder = folder;
    this.url = url;
    this.#flags = flags;
  }

  /** An etcd of a single member. */
  static async start(options: EtcdProcessOptions = {}): Promise<EtcdProcess> {
    const peer = `http://127.0.0.1:${await freePort()}`;
    return EtcdProcess.#member('default', peer, [`--initial-cluster=default=${peer}`], options);
  }

  /** The members of one etcd. */
  static async startCluster(count: number): Promise<EtcdProcess[]> {
    const peers = new Map<string, string>();
    for (let n = 0; n < count; n++) peers.set(`m${n}`, `http://127.0.0.1:${await freePort()}`);
    const cluster = `--initial-cluster=${[...peers].map((member) => member.join('=')).join(',')}`;
    return Promise.all([...peers].map(([name, peer]) => EtcdProcess.#member(name, peer, [cluster])));
  }

  static async #member(
    name: string,
    peer: string,
    more: readonly string[],
    { flags = [], scheme = 'http' }: EtcdProcessOptions = {},
  ): Promise<EtcdProcess> {
    const folder = mkdtempSync(join(tmpdir(), 'touchstone-etcd-'));
    const url = `${scheme}://127.0.0.1:${await freePort()}`;
    const own = [
      `--name=${name}`,
      ...more,
      `--data-dir=${join(folder, 'data')}`,
      `--listen-client-urls=${url}`,
      `--advertise-client-urls=${url}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      '--log-level=error',
    ];
    const etcd = new EtcdProcess(folder, url, [...own, ...flags]);
    await etcd.run();
    return etcd;
  }

  /** Starts it, again after a kill. Resolves when it answers. */
  async run(): Promise<void> {
    this.#process = spawn('etcd', this.#flags, { stdio: 'ignore' });
    endWithUs(this.#process);
    await once(this.#process, 'spawn');
    if (this.url.startsWith('http:')) await this.#answers();
  }

  async kill(): Promise<void> {
    const running = this.#process;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    running.kill('SIGKILL');
    await once(running, 'exit');
  }

  /** Whether it leads its cluster, as it says itself. */
  async leads(): Promise<boolean> {
    const { header, leader } = await this.ask('maintenance/status', {});
    return leader === header.member_id;
  }

  /** Asks its HTTP gateway. @param body as in the gRPC API; bytes in base64 */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every kind
  async ask(path: string, body: object): Promise<any> {
    return (await fetch(`${this.url}/v3/${path}`, { method: 'POST', body: JSON.stringify(body) })).json();
  }

  /** From now on it refuses writes, as one whose space is exceeded. */
  async fill(): Promise<void> {
    await this.ask('maintenance/alarm', { action: 'ACTIVATE', alarm: 'NOSPACE' });
  }

  /** Takes back all alarms. */
  async disarm(): Promise<void> {
    const { alarms = [] } = await this.ask('maintenance/alarm', { action: 'GET' });
    for (const { memberID, alarm } of alarms)
      await this.ask('maintenance/alarm', { action: 'DEACTIVATE', memberID, alarm });
  }

  pause(): void {
    this.#process?.kill('SIGSTOP');
  }

  resume(): void {
    this.#process?.kill('SIGCONT');
  }

  /** Ends it for good. */
  async stop(): Promise<void> {
    this.resume();
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #answers(): Promise<void> {
    const client = new EtcdClient({
      servers: [this.url],
      timers: systemTimers,
      now: () => performance.now(),
    });
    await client.range({ key: Buffer.from('x') }).finally(() => client.close());
  }
}
