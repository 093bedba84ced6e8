import type { Timers } from '../base/time/timers.ts';
import { mereText, plainText, type WholeAnswer } from './answer/respond.ts';
import type { Exchange } from './exchange.ts';

/** One named condition of the server's well-being. */
export interface HealthCheck {
  readonly name: string;
  /** Throws or rejects with the reason when it does not hold. */
  check(): Promise<void> | void;
}

/** A check that does not hold either when it says nothing for so many milliseconds. */
export const within = (timers: Timers, milliseconds: number, { name, check }: HealthCheck): HealthCheck => ({
  name,
  check: () =>
    new Promise((resolve, reject) => {
      const late = timers.after(milliseconds, () => reject(new Error(`nothing within ${milliseconds} ms`)));
      void Promise.resolve(check()).then(resolve, reject).finally(late);
    }),
});

type Endpoint = 'healthz' | 'livez' | 'readyz';

/** The checks behind the three health endpoints (rules `health.*`). */
export class Health {
  readonly #checks: Readonly<Record<Endpoint, readonly HealthCheck[]>>;

  constructor(checks: Readonly<Record<Endpoint, readonly HealthCheck[]>>) {
    this.#checks = checks;
  }

  /** Paths of all endpoints and single checks. */
  paths(): string[] {
    return (['healthz', 'livez', 'readyz'] as const).flatMap((endpoint) => [
      `/${endpoint}`,
      ...this.#checks[endpoint].map(({ name }) => `/${endpoint}/${name}`),
    ]);
  }

  /** Answers 200 `ok` or 500 with the failed checks; undefined for a check that does not exist. */
  async answer(endpoint: Endpoint, name: string | undefined, exchange: Exchange): Promise<WholeAnswer | undefined> {
    if (name !== undefined) return this.#single(endpoint, name);
    const excluded = new Set(exchange.query.all('exclude'));
    const lines: string[] = [];
    let failed = false;
    const checks = this.#checks[endpoint].map(({ name: each, check }) => {
      const counts = !excluded.delete(each);
      return { each, counts, good: counts && holds(check) };
    });
    for (const { each, counts, good } of checks) {
      if (!counts) lines.push(`[+]${each} excluded: ok`);
      else if (await good) lines.push(`[+]${each} ok`);
      else {
        lines.push(`[-]${each} failed: reason withheld`);
        failed = true;
      }
    }
    if (excluded.size > 0) {
      const names = [...excluded].sort().map((each) => JSON.stringify(each));
      lines.push(`warn: some health checks cannot be excluded: no matches for ${names.join(',')}`);
    }
    const text = `${lines.join('\n')}\n${endpoint} check`;
    if (failed) return mereText(500, `${text} failed\n`);
    return mereText(200, exchange.query.has('verbose') ? `${text} passed\n` : 'ok');
  }

  async #single(endpoint: Endpoint, name: string): Promise<WholeAnswer | undefined> {
    const found = this.#checks[endpoint].find((each) => each.name === name);
    if (!found) return undefined;
    return (await holds(found.check)) ? plainText(200, 'ok') : mereText(500, 'internal server error: check failed\n');
  }
}

async function holds(check: () => Promise<void> | void): Promise<boolean> {
  try {
    await check();
    return true;
  } catch {
    return false;
  }
}
