import { Skipped } from '../breach.ts';
import type { Answer, Client } from '../client.ts';
import { type Intent, isDryRun, ofOthers } from './permit.ts';
import { placeOf } from './request-path.ts';

/**
 * Deletes of selections that have been tried without doing them, and would take nothing of others. Each is tried once: a
 * webhook that a rule has set up hears of it, too, and of what the rule itself tried it has heard already.
 */
export class Rehearsals {
  readonly #harmless = new Set<string>();
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /** @throws Skipped when it would take what others have made */
  async before({ path, query }: Intent): Promise<void> {
    if (this.#harmless.has(selectionOf({ path, query }))) return;
    const tried = typeof query === 'string' ? `${query}&dryRun=All` : { ...query, dryRun: 'All' };
    const [name] = this.#taken({ path, query: tried }, await this.#client.send('DELETE', path, { query: tried }));
    if (name !== undefined)
      throw new Skipped(`a delete of its own objects would take ${name} of others, too; --disruptive allows that`);
  }

  /** A rule has tried something. */
  note({ method, path, query }: Intent, answer: Answer): void {
    const isSelection = method === 'DELETE' && isDryRun(query) && placeOf(path)?.name === undefined;
    if (isSelection && answer.status === 200) this.#taken({ path, query }, answer);
  }

  /** Names of what it would take of others. */
  #taken(selected: Selected, { body }: Answer): readonly string[] {
    const items = Array.isArray(body?.items) ? body.items : undefined;
    const others = ofOthers(items ?? []);
    if (items && others.length === 0) this.#harmless.add(selectionOf(selected));
    return others;
  }
}

type Selected = Pick<Intent, 'path' | 'query'>;

/** The same for a delete and its rehearsal. */
function selectionOf({ path, query }: Selected): string {
  const asked =
    typeof query === 'string'
      ? [...new URLSearchParams(query)]
      : Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  const said = asked.filter(([name]) => name !== 'dryRun').map(([name, value]) => `${name}=${String(value)}`);
  return `${path}?${said.sort().join('&')}`;
}
