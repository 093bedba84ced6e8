import { setTimeout as pause } from 'node:timers/promises';
import type { History, Reading, Told, Watching, Write } from '../../conformance/oracle/history/history.ts';
import { type Random, randomOf } from '../../conformance/oracle/play/random.ts';
import { type Answer, type Api, type Json, send, sightingOf, watch, writeName } from './api.ts';

export interface Effort {
  readonly seed: number;
  readonly clients: number;
  readonly names: number;
  readonly watchers: number;
}

const theEnd = 'zz-the-end';
/** Milliseconds: before a client tries again that got no answer; for all watchers to hear of the end. */
const patience = { retry: 20, end: 60_000 };
/** Writes between two faults, at least. */
const progress = 10;

/** Clients at work on one collection while its servers fail, and all that they see, as a history. */
export class Clients {
  readonly #api: Api;
  readonly #effort: Effort;
  readonly #writes: Write[] = [];
  readonly #readings: Reading[] = [];
  readonly #watchings: Watching[] = [];
  readonly #over = new AbortController();
  #working = true;
  readonly #work: Promise<unknown>[] = [];
  readonly #watching: Promise<unknown>[] = [];

  constructor(api: Api, effort: Effort) {
    this.#api = api;
    this.#effort = effort;
  }

  get writes(): readonly Write[] {
    return this.#writes;
  }

  /** Resolves when some more writes were answered, so that what goes wrong next does so in the middle of work. */
  async progress(): Promise<void> {
    const answered = () => this.#writes.filter(({ outcome }) => outcome !== 'lost').length;
    const wanted = answered() + progress;
    const deadline = performance.now() + patience.end;
    while (answered() < wanted && performance.now() < deadline) await pause(patience.retry);
  }

  begin(): void {
    const { clients, watchers } = this.#effort;
    for (let n = 0; n < watchers; n++) this.#watching.push(this.#follow(n));
    for (let n = 0; n < clients; n++) this.#work.push(this.#workAs(n));
  }

  /** Lets the work end, and all watchers hear of that. The servers must be well. */
  async finish(): Promise<History> {
    this.#working = false;
    await Promise.all(this.#work);
    await this.#markEnd();
    const late = setTimeout(() => this.#over.abort(), patience.end);
    await Promise.all(this.#watching);
    clearTimeout(late);
    const { body } = await this.#until(() => send(this.#api, 0, 'GET', ''));
    const final = { version: body.metadata.resourceVersion, items: body.items.map(sightingOf) };
    return { writes: this.#writes, readings: this.#readings, watchings: this.#watchings, final };
  }

  async #workAs(client: number): Promise<void> {
    const random = randomOf(this.#effort.seed, `client ${client}`);
    for (let call = 0; this.#working; call++) {
      const name = `o${random.below(this.#effort.names)}`;
      const answered = await this.#act({ random, name, write: `w${client}-${call}` });
      if (!answered) await pause(patience.retry);
    }
  }

  /** @returns whether there was an answer */
  async #act(turn: Turn): Promise<boolean> {
    const { random, name, write } = turn;
    const what = random.below(10);
    if (what < 3) return this.#write(turn, 'create', 'POST', '', objectOf(name, write));
    if (what === 9) return (await this.#read(turn)) !== undefined;
    const found = await this.#read(turn, name);
    if (found?.status !== 200) return found !== undefined;
    const { resourceVersion: onVersion, uid } = found.body.metadata;
    if (what === 8) {
      const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid, resourceVersion: onVersion } };
      return this.#write(turn, 'delete', 'DELETE', `/${name}`, body, onVersion);
    }
    const body = { ...found.body, metadata: { ...found.body.metadata, annotations: { [writeName]: write } } };
    return this.#write(turn, 'update', 'PUT', `/${name}`, body, onVersion);
  }

  async #write(turn: Turn, kind: Write['kind'], method: string, below: string, body: Json, onVersion?: string) {
    const { random, name, write } = turn;
    const began = performance.now();
    const answer = await send(this.#api, random.below(8), method, below, body).catch(() => undefined);
    const outcome = !answer || answer.status >= 500 ? 'lost' : answer.status < 300 ? 'done' : 'refused';
    this.#writes.push({
      kind,
      began,
      ended: performance.now(),
      name,
      write,
      ...(onVersion !== undefined && { onVersion }),
      outcome,
      ...(answer && outcome === 'done' && kind !== 'delete' && { seen: sightingOf(answer.body) }),
    });
    return answer !== undefined;
  }

  /** @param name missing: all of them */
  async #read({ random }: Turn, name?: string): Promise<Answer | undefined> {
    const began = performance.now();
    const below = name === undefined ? '' : `/${name}`;
    const answer = await send(this.#api, random.below(8), 'GET', below).catch(() => undefined);
    const isMissing = answer?.status === 404 && name !== undefined;
    if (!answer || (answer.status !== 200 && !isMissing)) return answer;
    const { items, metadata } = answer.body;
    this.#readings.push({
      began,
      ended: performance.now(),
      items: isMissing ? [] : (items ?? [answer.body]).map(sightingOf),
      ...(name === undefined ? { version: metadata.resourceVersion } : { name }),
    });
    return answer;
  }

  /** Lists and watches, goes on where it broke off, and begins anew where that is not held any more. */
  async #follow(watcher: number): Promise<void> {
    for (let part = 0; !this.#over.signal.aborted; part++) {
      const { body } = await this.#until(() => send(this.#api, watcher, 'GET', ''));
      const from = { version: body.metadata.resourceVersion, items: body.items.map(sightingOf) };
      const began = performance.now();
      const told: Told[] = [];
      const toTheEnd = await this.#hear(watcher, from.version, told);
      this.#watchings.push({ name: `watcher ${watcher}, part ${part}`, from, began, told, toTheEnd });
      if (toTheEnd) return;
    }
  }

  /** @returns false when it cannot go on from where it was */
  async #hear(watcher: number, from: string, told: Told[]): Promise<boolean> {
    let version = from;
    for (let server = watcher; !this.#over.signal.aborted; server++) {
      try {
        for await (const heard of watch(this.#api, server, version, this.#over.signal)) {
          if (heard.code === 410) return false;
          if (heard.code) break;
          version = heard.version ?? version;
          if (heard.told) told.push(heard.told);
          if (heard.told?.object.name === theEnd) return true;
        }
      } catch {
        // The server is gone: another one, or the same when it is back, goes on.
      }
      await pause(patience.retry);
    }
    return false;
  }

  async #markEnd(): Promise<void> {
    const began = performance.now();
    await this.#until(async () => {
      const made = await send(this.#api, 0, 'POST', '', objectOf(theEnd, theEnd));
      return made.status === 409 ? { ...made, status: 200 } : made;
    });
    const { body } = await this.#until(() => send(this.#api, 0, 'GET', `/${theEnd}`));
    const what = { kind: 'create', name: theEnd, write: theEnd, outcome: 'done' } as const;
    this.#writes.push({ ...what, began, ended: performance.now(), seen: sightingOf(body) });
  }

  /** The first good answer. @throws Error when there is none for long */
  async #until(ask: () => Promise<Answer>): Promise<Answer> {
    const begun = performance.now();
    for (;;) {
      const answer = await ask().catch(() => undefined);
      if (answer && answer.status < 300) return answer;
      if (performance.now() - begun > patience.end)
        throw new Error(`no server answers: ${JSON.stringify(answer?.body)}`);
      await pause(patience.retry);
    }
  }
}

interface Turn {
  readonly random: Random;
  readonly name: string;
  readonly write: string;
}

const objectOf = (name: string, write: string): Json => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, annotations: { [writeName]: write } },
});
