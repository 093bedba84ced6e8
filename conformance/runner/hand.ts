import { extname, join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import type { Launcher } from '../lab/launcher.ts';
import { type Pace, paceOf } from './pace.ts';
import type { Plan } from './plan.ts';
import type { Outcome } from './player.ts';
import { type Delivery, makeErrandRunner } from './remote-launcher.ts';
import { startThread } from './thread.ts';
import type { Message, Order } from './worker.ts';

/** A file of rules that is still to be played, and how many rules of it were planned. */
export interface Work {
  readonly file: string;
  readonly count: number;
  readonly pace: Pace;
}

export interface HandParts {
  readonly plan: Plan;
  /** Starts servers for rules, where that is possible. */
  readonly launcher?: Launcher;
  /** Shared by all hands: each takes from its beginning. */
  readonly queue: Work[];
  readonly ended: (outcome: Outcome) => void;
  /** Something went wrong beside the rules. */
  readonly fault: (message: string) => void;
}

/** How many milliseconds beyond its limit a rule may take to end before its worker is taken to be stuck. */
const grace = 60_000;

/** One worker with what it was given to do. It takes from the queue until that is empty, and then ends. */
export class Hand {
  readonly #parts: HandParts;
  readonly #worker: Worker;
  /** The rules that have begun, with the alarm that says that they never end. */
  readonly #running = new Map<string, NodeJS.Timeout | undefined>();
  /** Starts servers for its rules. */
  readonly #run: ReturnType<typeof makeErrandRunner> | undefined;
  readonly #files = new Set<string>();
  /** Rules of its files that have not ended, by their pace. */
  readonly #open = { waiting: 0, working: 0 };
  #lost = false;

  constructor(parts: HandParts) {
    this.#parts = parts;
    const { launcher } = parts;
    this.#run = launcher && makeErrandRunner(launcher, (delivery: Delivery) => this.#order(delivery));
    this.#worker = startThread(join(import.meta.dirname, `worker${extname(import.meta.filename)}`), parts.plan);
    this.#worker.on('message', (message: Message) => this.#hear(message));
    this.#worker.on('error', (error) => this.#lose('broke', `: ${error instanceof Error ? error.stack : error}`));
  }

  /** Resolves when the worker is no more. */
  async work(): Promise<void> {
    const gone = new Promise((resolve) => this.#worker.once('exit', resolve));
    this.#feed();
    await gone;
    if (this.#files.size > 0) this.#lose('ended');
    for (const alarm of this.#running.values()) clearTimeout(alarm);
  }

  /** Begins no more rules. */
  halt(): void {
    this.#order('halt');
  }

  /** Stops the rules that run; they clean up. */
  stop(): void {
    this.#order('stop');
  }

  #order(order: Order): void {
    this.#worker.postMessage(order);
  }

  #feed(): void {
    const { queue, plan } = this.#parts;
    const fits = ({ pace }: Work): boolean => this.#open[pace] < plan.rulesAtOnce;
    for (let at = queue.findIndex(fits); at >= 0; at = queue.findIndex(fits)) {
      const [work] = queue.splice(at, 1) as [Work];
      this.#files.add(work.file);
      this.#open[work.pace] += work.count;
      this.#order({ file: work.file });
    }
    if (this.#files.size === 0) this.#order('end');
  }

  #hear(message: Message): void {
    if ('take' in message || 'giveBack' in message || 'own' in message || 'stop' in message) {
      this.#run?.(message);
    } else if ('begun' in message) {
      this.#running.set(message.begun, this.#alarm(message.begun));
    } else if ('ended' in message) {
      this.#open[paceOf(message.ended)] -= 1;
      clearTimeout(this.#running.get(message.ended));
      this.#running.delete(message.ended);
      this.#parts.ended(message.outcome);
      this.#feed();
    } else {
      if (message.fault !== undefined) this.#parts.fault(message.fault);
      if ('played' in message && this.#files.delete(message.played)) this.#feed();
    }
  }

  /** Trials under sabotage are many, and have no common limit. */
  #alarm(id: string): NodeJS.Timeout | undefined {
    const { plan } = this.#parts;
    if (plan.deadServers) return undefined;
    return setTimeout(
      () => {
        this.#lose(`was ended, as ${id} does not end`);
        void this.#worker.terminate();
      },
      50 * plan.timeout + grace,
    );
  }

  /** Says once why the worker did not finish. */
  #lose(how: string, why = ''): void {
    if (!this.#lost) this.#parts.fault(`a worker ${how} while it ran ${[...this.#running.keys()].join(', ')}${why}`);
    this.#lost = true;
  }
}
