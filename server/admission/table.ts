import type { Work } from '../base/turns/work.ts';
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
    return new Row(
      { parts: mutating, notes: metrics?.step('admit', operation) },
      { parts: validating, notes: metrics?.step('validate', operation) },
      awake.some(({ mutate }) => mutate),
    );
  }
}

/** What one plugin does in one pass, and where its time is noted. */
interface Part {
  readonly judge: (attributes: AdmissionAttributes) => SecondLook | Promise<SecondLook>;
  readonly notes: Notes | undefined;
}

const partOf = (plugin: AdmissionPlugin, judge: Part['judge'] | undefined, notes: Notes | undefined): Part[] =>
  judge ? [{ judge: judge.bind(plugin), notes }] : [];

/** One pass: who is asked, in this order. */
interface Pass {
  readonly parts: readonly Part[];
  readonly notes: Notes | undefined;
}

/** Those who care about one sort of writes. */
class Row implements Passes {
  readonly mutates: boolean;
  readonly validates: boolean;
  readonly changes: boolean;
  readonly #mutating: Pass;
  readonly #validating: Pass;

  /** @param changes some of them change objects */
  constructor(mutating: Pass, validating: Pass, changes: boolean) {
    this.#mutating = mutating;
    this.#validating = validating;
    this.changes = changes;
    this.mutates = mutating.parts.length > 0;
    this.validates = validating.parts.length > 0;
  }

  *mutate(attributes: AdmissionAttributes): Work<boolean> {
    const { parts } = this.#mutating;
    const looks = yield* askEach(this.#mutating, attributes);
    // When one wants to look again, all are asked again, since the object changed after they saw it.
    if (looks) yield* askEach({ parts: parts.map((part) => looks.get(part) ?? part), notes: undefined }, attributes);
    return this.changes;
  }

  *validate(attributes: AdmissionAttributes): Work<void> {
    yield* askEach(this.#validating, attributes);
  }
}

/** Those who look again in another way than they did first. */
type Looks = Map<Part, Part> | undefined;

/** Asks each in turn, and notes how long that took. */
function* askEach({ parts, notes }: Pass, attributes: AdmissionAttributes): Work<Looks> {
  const began = performance.now();
  let asked: Part | undefined;
  let askedAt = began;
  let looks: Looks;
  try {
    for (const part of parts) {
      asked = part;
      askedAt = performance.now();
      const answer = part.judge(attributes);
      const look = answer instanceof Promise ? ((yield answer) as SecondLook) : answer;
      part.notes?.admitted(secondsSince(askedAt));
      if (look) looks = (looks ?? new Map()).set(part, { judge: look, notes: undefined });
    }
    notes?.admitted(secondsSince(began));
    return looks;
  } catch (error) {
    asked?.notes?.rejected(secondsSince(askedAt));
    notes?.rejected(secondsSince(began));
    throw error;
  }
}

const secondsSince = (start: number) => (performance.now() - start) / 1000;
