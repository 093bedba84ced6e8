import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareKeys } from '../invariants.fixture.ts';
import { dataOf, type MakeStore, object, removing, writing } from '../store.fixture.ts';
import { CompactedError, FutureRevisionError, type Store, type StoreEvent } from '../store.ts';

const keys = ['a', 'a/', 'a/a', 'a/b', 'a/b/c', 'a0', 'b', 'b/é', 'b/￰', 'b/🔑', '__proto__'];
const prefixes = ['', 'a', 'a/', 'a/b', 'b/', 'c'];

const key = fc.constantFrom(...keys);
const prefix = fc.constantFrom(...prefixes);
/** How far a revision lies back. */
const age = fc.integer({ min: -1, max: 25 });

const operation = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('create' as const), key }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('write' as const), key }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('remove' as const), key }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('keep' as const), key }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('watch' as const), prefix, age }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('compact' as const), age }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('list' as const),
      prefix,
      age,
      limit: fc.integer({ min: 0, max: 4 }),
      after: fc.option(key, { nil: undefined }),
    }),
  },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

type State = ReadonlyMap<string, { readonly data: number; readonly revision: number }>;

/** A store as simple as can be: a whole copy of the state for every revision, and the text of every change. */
class Model {
  readonly states = new Map<number, State>();
  readonly changes: { revision: number; key: string; text: string }[] = [];
  revision: number;
  /** The oldest revision that is held. */
  oldest: number;

  constructor(revision: number) {
    this.revision = this.oldest = revision;
    this.states.set(revision, new Map());
  }

  get now(): State {
    return this.states.get(this.revision) ?? new Map();
  }

  set(key: string, data: number | undefined): void {
    const before = this.now.get(key);
    const next = new Map(this.now);
    this.revision++;
    if (data === undefined) next.delete(key);
    else next.set(key, { data, revision: this.revision });
    this.states.set(this.revision, next);
    this.changes.push({ revision: this.revision, key, text: textOf(this.revision, key, before?.data, data) });
  }
}

const textOf = (revision: number, key: string, before: unknown, after: unknown) =>
  `${revision} ${key} ${before ?? '-'} ${after ?? '-'}`;
const textOfEvent = ({ revision, key, previous, current }: StoreEvent) =>
  textOf(revision, key, dataOf(previous), dataOf(current));

class Run {
  readonly #store: Store;
  readonly #model: Model;
  readonly #watches: { prefix: string; after: number; texts: string[] }[] = [];
  #data = 0;

  constructor(store: Store, revision: number) {
    this.#store = store;
    this.#model = new Model(revision);
  }

  async step(step: Operation): Promise<void> {
    const model = this.#model;
    if (step.do === 'list') await this.#list(step);
    else if (step.do === 'watch') await this.#watch(step.prefix, model.revision - step.age);
    else if (step.do === 'compact') await this.#compact(model.revision - step.age);
    else await this.#write(step.do, step.key);
    expect(await this.#store.currentRevision()).toBe(model.revision);
    for (const prefix of prefixes) {
      expect(await this.#store.count(prefix)).toBe(
        [...model.now.keys()].filter((each) => each.startsWith(prefix)).length,
      );
    }
  }

  checkWatches(): void {
    for (const { prefix, after, texts } of this.#watches) {
      const wanted = this.#model.changes.filter((change) => change.revision > after && change.key.startsWith(prefix));
      expect(texts).toEqual(wanted.map(({ text }) => text));
    }
  }

  async #write(what: 'create' | 'write' | 'remove' | 'keep', key: string): Promise<void> {
    const exists = this.#model.now.has(key);
    const data = ++this.#data;
    const change = { write: writing(data), remove: removing, keep: () => ({ keep: true as const }), create: removing }[
      what
    ];
    const work = what === 'create' ? this.#store.create(key, object('x', data)) : this.#store.update(key, change);
    if ((what === 'create') === exists) return void (await expect(work).rejects.toThrow());
    await work;
    if (what !== 'keep') this.#model.set(key, what === 'remove' ? undefined : data);
    expect((await this.#store.get(key))?.revision).toBe(this.#model.now.get(key)?.revision);
  }

  /** Whether the store must refuse the revision. */
  async #refused(work: Promise<unknown>, revision: number, mayWait: boolean): Promise<boolean> {
    if (revision < this.#model.oldest) await expect(work).rejects.toBeInstanceOf(CompactedError);
    else if (revision > this.#model.revision && !mayWait)
      await expect(work).rejects.toBeInstanceOf(FutureRevisionError);
    else return false;
    return true;
  }

  async #list({ prefix, age, limit, after }: Operation & { do: 'list' }): Promise<void> {
    const revision = this.#model.revision - age;
    const work = this.#store.list(prefix, { revision, limit, ...(after !== undefined && { after }) });
    if (await this.#refused(work, revision, false)) return;
    const { items, remaining } = await work;
    const whole = [...(this.#model.states.get(revision) ?? [])]
      .filter(([each]) => each.startsWith(prefix) && (after === undefined || compareKeys(each, after) > 0))
      .sort(([a], [b]) => compareKeys(a, b))
      .map(([each, version]) => `${each} ${version.revision} ${version.data}`);
    const wanted = limit > 0 ? whole.slice(0, limit) : whole;
    expect(items.map((stored) => `${stored.key} ${stored.revision} ${dataOf(stored)}`)).toEqual(wanted);
    expect(remaining).toBe(whole.length - wanted.length);
  }

  async #watch(prefix: string, after: number): Promise<void> {
    const texts: string[] = [];
    const work = this.#store.watch(prefix, after, (event) => texts.push(textOfEvent(event)));
    if (await this.#refused(work, after, true)) return;
    await work;
    this.#watches.push({ prefix, after, texts });
  }

  async #compact(revision: number): Promise<void> {
    const work = this.#store.compact(revision);
    if (revision > this.#model.revision) return void (await expect(work).rejects.toBeInstanceOf(FutureRevisionError));
    await work;
    this.#model.oldest = Math.max(this.#model.oldest, revision);
  }
}

/** Random operations, with every list, count and watch compared with a naive store. */
export function modelContract(makeStore: MakeStore, runs: number): void {
  it('answers as the model does, whatever the order of operations', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 80, size: 'max' }), async (operations) => {
        const store = await makeStore();
        const run = new Run(store, await store.currentRevision());
        for (const each of operations) await run.step(each);
        run.checkWatches();
        await store.close();
      }),
      { numRuns: runs },
    );
  });
}
