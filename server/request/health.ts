import type { Exchange } from './exchange.ts';
import { plainText, type WholeAnswer } from './respond.ts';

/** One named condition of the server's well-being. */
export interface HealthCheck {
  readonly name: string;
  /** Throws or rejects with the reason when it does not hold. */
  check(): Promise<void> | void;
}

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
    for (const { name: each, check } of this.#checks[endpoint]) {
      if (excluded.delete(each)) lines.push(`[+]${each} excluded: ok`);
      else if (await holds(check)) lines.push(`[+]${each} ok`);
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
    if (failed) return plainText(500, `${text} failed\n`);
    return plainText(200, exchange.query.has('verbose') ? `${text} passed\n` : 'ok');
  }

  async #single(endpoint: Endpoint, name: string): Promise<WholeAnswer | undefined> {
    const found = this.#checks[endpoint].find((each) => each.name === name);
    if (!found) return undefined;
    return (await holds(found.check)) ? plainText(200, 'ok') : plainText(500, 'internal server error: check failed\n');
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
