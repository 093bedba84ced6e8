import type { Admission, AdmissionAttributes, AdmissionPlugin, Passes, SecondLook } from './admission.ts';
import type { AdmissionMetrics, Notes } from './admission-metrics.ts';
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
  readonly #plugins: readonly AdmissionPlugin[];
  readonly #options: TableOptions;
  readonly #rows = new Map<string, Passes>();

  /** `plugins` in the order in which they are asked. */
  constructor(plugins: readonly AdmissionPlugin[], options: TableOptions = {}) {
    this.#plugins = plugins;
    this.#options = options;
  }

  passes(
    operation: Subject['operation'],
    { group, plural }: { readonly group: string; readonly plural: string },
    subresource: string,
  ): Passes {
    const key = `${operation} ${group}/${plural}/${subresource}`;
    const known = this.#rows.get(key);
    if (known) return known;
    if (this.#rows.size >= mostRows) this.#rows.clear();
    const row = this.#compile({ operation, group, resource: plural, subresource });
    this.#rows.set(key, row);
    return row;
  }

  /** Somebody cares about other writes than before. */
  renew(): void {
    this.#rows.clear();
  }

  #compile(subject: Subject): Passes {
    const { metrics, equivalentsOf } = this.#options;
    const { operation } = subject;
    const others = equivalentsOf?.(subject.group, subject.resource) ?? [];
    const awake = this.#plugins.filter(({ cares }) =>
      cares.some(
        (concern) =>
          isAbout(concern, subject) ||
          (concern.equivalents === true && others.some((other) => isAbout(concern, { ...subject, ...other }))),
      ),
    );
    const mutating = awake.flatMap((plugin) =>
      partOf(plugin, plugin.check ?? plugin.mutate, metrics?.plugin(plugin.name, 'admit', operation)),
    );
    const validating = awake.flatMap((plugin) =>
      partOf(plugin, plugin.validate, metrics?.plugin(plugin.name, 'validate', operation)),
    );
    return new Row({
      mutating,
      validating,
      changes: awake.some(({ mutate }) => mutate),
      admit: metrics?.step('admit', operation),
      validate: metrics?.step('validate', operation),
    });
  }
}

/** A judgement, and where its time is noted. */
interface Noted<T> {
  readonly judge: (attributes: AdmissionAttributes) => T | Promise<T>;
  readonly notes: Notes | undefined;
}

/** What one plugin does in one pass. */
type Part = Noted<SecondLook>;

const partOf = (plugin: AdmissionPlugin, judge: Part['judge'] | undefined, notes: Notes | undefined): Part[] =>
  judge ? [{ judge: judge.bind(plugin), notes }] : [];

interface RowParts {
  readonly mutating: readonly Part[];
  readonly validating: readonly Part[];
  /** Some of them change objects. */
  readonly changes: boolean;
  readonly admit: Notes | undefined;
  readonly validate: Notes | undefined;
}

/** Those who care about one sort of writes. */
class Row implements Passes {
  readonly mutates: boolean;
  readonly validates: boolean;
  readonly changes: boolean;
  readonly #mutating: readonly Part[];
  readonly #first: Noted<Looks>;
  readonly #last: Noted<Looks>;

  constructor({ mutating, validating, changes, admit, validate }: RowParts) {
    this.#mutating = mutating;
    this.changes = changes;
    this.mutates = mutating.length > 0;
    this.validates = validating.length > 0;
    this.#first = { judge: askEach.bind(undefined, mutating), notes: admit };
    this.#last = { judge: askEach.bind(undefined, validating), notes: validate };
  }

  mutate(attributes: AdmissionAttributes): boolean | Promise<boolean> {
    const looks = timed(this.#first, attributes);
    return looks ? this.#lookAgain(looks, attributes) : this.changes;
  }

  /** Asks once more all that mutate when one of them wants to, since the object changed after they saw it. */
  async #lookAgain(asked: Looks | Promise<Looks>, attributes: AdmissionAttributes): Promise<boolean> {
    const looks = await asked;
    if (looks) for (const part of this.#mutating) await (looks.get(part)?.() ?? timed(part, attributes));
    return this.changes;
  }

  validate(attributes: AdmissionAttributes): void | Promise<void> {
    const asked = timed(this.#last, attributes);
    if (asked instanceof Promise) return asked.then(() => {});
  }
}

/** The second looks that were asked for. */
type Looks = Map<Part, () => Promise<void>> | undefined;

/** Asks each in turn. Most answer at once: there is no need to wait a turn for these. */
function askEach(parts: readonly Part[], attributes: AdmissionAttributes, sofar?: Looks): Looks | Promise<Looks> {
  let looks = sofar;
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] as Part;
    const answer = timed(part, attributes);
    if (answer instanceof Promise) {
      const rest = parts.slice(at + 1);
      return answer.then((look) => askEach(rest, attributes, look ? new Map(looks).set(part, look) : looks));
    }
    if (answer) looks = new Map(looks).set(part, answer);
  }
  return looks;
}

/** Judges, and notes how long that took. */
function timed<T>({ judge, notes }: Noted<T>, attributes: AdmissionAttributes): T | Promise<T> {
  const start = performance.now();
  let pending: Promise<T> | undefined;
  let note = notes?.rejected;
  try {
    const answer = judge(attributes);
    note = notes?.admitted;
    if (!(answer instanceof Promise)) return answer;
    pending = answer;
  } finally {
    if (!pending) note?.((performance.now() - start) / 1000);
  }
  pending.then(
    () => notes?.admitted((performance.now() - start) / 1000),
    () => notes?.rejected((performance.now() - start) / 1000),
  );
  return pending;
}
