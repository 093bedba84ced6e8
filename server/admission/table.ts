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
  readonly #parts: readonly (Notes & { readonly plugin: AdmissionPlugin })[];
  readonly #options: TableOptions;
  readonly #all: Notes;
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
    const mutating = awake.flatMap(({ plugin, admit }) => partOf(plugin, plugin.check ?? plugin.mutate, admit));
    const validating = awake.flatMap(({ plugin, validate }) => partOf(plugin, plugin.validate, validate));
    const changes = awake.some(({ plugin }) => plugin.mutate);
    return new Row(mutating, validating, changes, this.#all);
  }
}

/** Where the time of the two passes is noted. */
interface Notes {
  readonly admit: Note | undefined;
  readonly validate: Note | undefined;
}

/** A judgement, and where its time is noted. */
interface Noted<T> {
  readonly judge: (attributes: AdmissionAttributes) => T | Promise<T>;
  readonly note: Note | undefined;
}

/** What one plugin does in one pass. */
type Part = Noted<SecondLook>;

const partOf = (plugin: AdmissionPlugin, judge: Part['judge'] | undefined, note: Note | undefined): Part[] =>
  judge ? [{ judge: judge.bind(plugin), note }] : [];

/** Those who care about one sort of writes. */
class Row implements Passes {
  readonly mutates: boolean;
  readonly validates: boolean;
  readonly #mutating: readonly Part[];
  readonly #changes: boolean;
  readonly #first: Noted<Looks>;
  readonly #last: Noted<Looks>;

  constructor(mutating: readonly Part[], validating: readonly Part[], changes: boolean, all: Notes) {
    this.#mutating = mutating;
    this.#changes = changes;
    this.mutates = mutating.length > 0;
    this.validates = validating.length > 0;
    this.#first = { judge: (attributes) => askEach(mutating, attributes), note: all.admit };
    this.#last = { judge: (attributes) => askEach(validating, attributes), note: all.validate };
  }

  mutate(attributes: AdmissionAttributes): boolean | Promise<boolean> {
    const looks = timed(this.#first, attributes);
    return looks ? this.#lookAgain(looks, attributes) : this.#changes;
  }

  /** Asks once more all that mutate when one of them wants to, since the object changed after they saw it. */
  async #lookAgain(asked: Looks | Promise<Looks>, attributes: AdmissionAttributes): Promise<boolean> {
    const looks = await asked;
    if (looks) for (const part of this.#mutating) await (looks.get(part)?.() ?? timed(part, attributes));
    return this.#changes;
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
  for (const [position, part] of parts.entries()) {
    const answer = timed(part, attributes);
    if (answer instanceof Promise) {
      const rest = parts.slice(position + 1);
      return answer.then((look) => askEach(rest, attributes, look ? new Map(looks).set(part, look) : looks));
    }
    if (answer) looks = new Map(looks).set(part, answer);
  }
  return looks;
}

/** Judges, and notes how long that took. */
function timed<T>({ judge, note }: Noted<T>, attributes: AdmissionAttributes): T | Promise<T> {
  const start = performance.now();
  const { operation } = attributes;
  let pending: Promise<T> | undefined;
  let rejected = true;
  try {
    const answer = judge(attributes);
    rejected = false;
    if (!(answer instanceof Promise)) return answer;
    pending = answer;
  } finally {
    if (!pending) note?.(operation, rejected, (performance.now() - start) / 1000);
  }
  const ended = (refused: boolean) => note?.(operation, refused, (performance.now() - start) / 1000);
  pending.then(
    () => ended(false),
    () => ended(true),
  );
  return pending;
}
