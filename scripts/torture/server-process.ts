import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { endWithUs } from '../../server/store/etcd/etcd-process.fixture.ts';

const launch = join(import.meta.dirname, '..', '..', 'launch.js');

/** A `touchstone serve` in a process of its own, which can be killed and started again at the same address. */
export class ServerProcess {
  readonly url: string;
  readonly #args: readonly string[];
  readonly #kubeconfig: string;
  #process: ChildProcess | undefined;
  #said = '';
  readonly #dispatcher = new Agent({ connect: { rejectUnauthorized: false } });

  constructor(port: number, certDir: string, flags: readonly string[]) {
    this.url = `https://127.0.0.1:${port}`;
    this.#kubeconfig = join(certDir, `kubeconfig-${port}`);
    this.#args = [launch, 'serve', `--secure-port=${port}`, `--cert-dir=${certDir}`, ...flags];
  }

  get isUp(): boolean {
    const child = this.#process;
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  /** Bearer token of its administrator. */
  get token(): string {
    return JSON.parse(readFileSync(this.#kubeconfig, 'utf8')).users[0].user.token;
  }

  /** Resolves when it answers. @throws Error with what it said, when it ends instead */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [...this.#args], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#process = child;
    endWithUs(child);
    this.#said = '';
    child.stderr?.on('data', (chunk) => {
      this.#said = (this.#said + chunk).slice(-4000);
    });
    const ready = new Promise<void>((resolve) => {
      child.stdout?.on('data', (chunk) => {
        if (String(chunk).includes('KUBECONFIG=')) resolve();
      });
    });
    const ended = once(child, 'exit').then(() => {
      if (child.signalCode !== 'SIGKILL') throw new Error(`a server ended: ${this.#said}`);
    });
    await Promise.race([ready, ended]);
    ended.catch(() => {});
  }

  /** @param change as its faults take it: `advance` or `skew` */
  async moveClock(change: Readonly<Record<string, string>>): Promise<void> {
    const { body } = await request(`${this.url}/touchstone/clock`, {
      dispatcher: this.#dispatcher,
      method: 'POST',
      headers: { authorization: `Bearer ${this.token}` },
      body: JSON.stringify(change),
    });
    await body.dump();
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#process;
    if (!child || !this.isUp) return;
    child.kill(signal);
    await once(child, 'exit');
  }
}
