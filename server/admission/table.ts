import type { Admission, AdmissionAttributes, AdmissionPlugin, Passes, SecondLook } from './admission.ts';
import type { AdmissionMetrics, Note } from './admission-metrics.ts';
import { isAbout, type Subject } from './concern.ts';

/** A sort of objects. */
type GroupResource = Pick<Subject, 'group' | 'resource'>;

export interface TableOptions {
  readonly metrics?: AdmissionMetrics;
  /** The other groups and resources that show the same objects. */
  equivalentsOf?(group: string, resource: string): readonly GroupResource[];
}

/** More sorts of writes than a server has; definitions of custom kinds come and go. */
const mostRows = 10_000;

/**
 * Who is asked about which write. The row of a sort of writes is compiled from what the plugins declare when the first
 * such write comes, and kept: a write wakes only those who care.
 */
export class AdmissionTable implements Admission {
  readonly #parts: readonly Part[];
  readonly #options: TableOptions;
  readonly #all: Pass;
  readonly #rows = new Map<string, Passes>();

  /** `plugins` in the order in which they are asked. */
  constructor(plugins: readonly AdmissionPlugin[], options: TableOptions = {}) {
    const { metrics } = options;
    this.#options = options;
    this.#all = { admit: metrics?.step('admit'), validate: metrics?.step('validate') };
    this.#parts = plugins.map((plugin) => ({
      plugin,
      admit: metrics?.plugin(plugin.name, 'admit'),
      validate: metrics?.plugin(plugin.name, 'validate'),
    }));
  }

  passes(operation: Subject['operation'], { group, resource }: GroupResource, subresource: string): Passes {
    const key = `${operation} ${group}/${resource}/${subresource}`;
    const known = this.#rows.get(key);
    if (known) return known;
    if (this.#rows.size >= mostRows) this.#rows.clear();
    const row = this.#compile({ operation, group, resource, subresource });
    this.#rows.set(key, row);
    return row;
  }

  /** Somebody cares about other writes than before. */
  renew(): void {
    this.#rows.clear();
  }

  #compile(subject: Subject): Passes {
    const others = this.#options.equivalentsOf?.(subject.group, subject.resource) ?? [];
    const awake = this.#parts.filter(({ plugin }) =>
      plugin.cares.some(
        (concern) =>
          isAbout(concern, subject) ||
          (concern.equivalents === true && others.some((other) => isAbout(concern, { ...subject, ...other }))),
      ),
    );
    return new Row(
      awake.filter(({ plugin }) => plugin.check ?? plugin.mutate),
      awake.filter(({ plugin }) => plugin.validate),
      this.#all,
    );
  }
}

/** Where the time of the two passes is noted. */
interface Pass {
  readonly admit: Note | undefined;
  readonly validate: Note | undefined;
}

interface Part extends Pass {
  readonly plugin: AdmissionPlugin;
}

/** Those who care about one sort of writes. */
class Row implements Passes {
  readonly mutates: boolean;
  readonly validates: boolean;
  readonly #mutating: readonly Part[];
  readonly #validating: readonly Part[];
  readonly #all: Pass;
  readonly #changes: boolean;

  constructor(mutating: readonly Part[], validating: readonly Part[], all: Pass) {
    this.#mutating = mutating;
    this.#validating = validating;
    this.#all = all;
    this.mutates = mutating.length > 0;
    this.validates = validating.length > 0;
    this.#changes = mutating.some(({ plugin }) => plugin.mutate);
  }

  /** Asks once more all that mutate when one of them wants to, since the object changed after they saw it. */
  async mutate(attributes: AdmissionAttributes): Promise<boolean> {
    await timed(attributes, this.#all.admit, () => this.#mutateAll(attributes));
    return this.#changes;
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    await timed(attributes, this.#all.validate, async () => {
      for (const { plugin, validate } of this.#validating)
        await timed(attributes, validate, () => plugin.validate?.(attributes));
    });
  }

  async #mutateAll(attributes: AdmissionAttributes): Promise<void> {
    let looks: Map<Part, SecondLook> | undefined;
    for (const part of this.#mutating) {
      const look = await ask(attributes, part);
      if (look) looks = (looks ?? new Map<Part, SecondLook>()).set(part, look);
    }
    if (!looks) return;
    for (const part of this.#mutating) {
      const look = looks.get(part);
      await (look ? look() : ask(attributes, part));
    }
  }
}

const ask = (attributes: AdmissionAttributes, { plugin, admit }: Part): Promise<SecondLook> =>
  timed(attributes, admit, () => plugin.check?.(attributes) ?? plugin.mutate?.(attributes));

/** Runs `act` and notes how long it took. */
async function timed<T>(
  { operation }: AdmissionAttributes,
  note: Note | undefined,
  act: () => T | Promise<T>,
): Promise<T> {
  const start = performance.now();
  let rejected = true;
  try {
    const answer = await act();
    rejected = false;
    return answer;
  } finally {
    note?.(operation, rejected, (performance.now() - start) / 1000);
  }
}
