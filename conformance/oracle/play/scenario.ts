import type { Json } from '../../verbs/client.ts';
import { runLabel } from '../../verbs/guest/permit.ts';
import type { Spoiling } from './spoil.ts';

/** What a step sends. */
export type Body =
  | { readonly json: Json }
  | { readonly yaml: Json }
  | { readonly text: string }
  /** The JSON object that another step was answered, changed by a merge patch. */
  | { readonly answerOf: string; readonly merge?: Json; readonly inYaml?: true }
  /** The very bytes that another step was answered, or what becomes of them. */
  | { readonly bytesOf: string; readonly spoilt?: Spoiling }
  /**
   * The JSON that another step sent, without the entries of lists for which it was refused, and with what is usual
   * instead of other members, where that is given; changed by a merge patch.
   */
  | { readonly passedOf: string; readonly usual?: Json; readonly merge?: Json };

export type StepHeaders = Readonly<Record<string, string | readonly string[]>>;

/** A header as one text; empty where it is not sent. */
export const headerOf = ({ headers }: { readonly headers?: StepHeaders }, name: string): string =>
  [headers?.[name] ?? ''].flat().join(', ');

/**
 * One request. In its path, query, headers and body stand `<own>`, a word that is new in each play of the scenario and
 * of one length, `<run>`, the value of the run's label, and `<ID:metadata.uid>`, a field of what the step ID was
 * answered.
 */
export interface Step {
  readonly id: string;
  /** What it is an instance of, such as `update jobs/status`: differences are counted by it. */
  readonly what: string;
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | string;
  /** A header that stands several times has several values. */
  readonly headers?: StepHeaders;
  readonly body?: Body;
  /** The answer is a stream. It is read until an object of this name shows up, or until nothing comes any more. */
  readonly watch?: {
    readonly until?: string;
    /** An event of this type is the last that counts: what comes after it, and whether the stream ends, is not told. */
    readonly last?: string;
  };
  /** A list that is followed page by page to its end; its answer is all items, and how many there are on a page is not told. */
  readonly walk?: boolean;
  /** Sent at once with the neighbours of which this is said too: none of them changes anything. */
  readonly alongside?: boolean;
  /** Sent only once another second has begun than that of the step before: times tell the two apart. */
  readonly later?: boolean;
  /** Sent without the credentials of the target. */
  readonly anonymous?: boolean;
  /** Sent again, for a while, until it is answered this status: what was defined or configured may take a moment. */
  readonly awaits?: number;
  /** Read again, for a while, until this member is there, if the object is: what the server itself writes comes later. */
  readonly awaitsMember?: string;
  /** Read again, for a while, until the member of this path has this value: what follows from a change comes later. */
  readonly awaitsValue?: { readonly path: string; readonly value: string };
  /**
   * Read again, for a while, until it stays as it is: what the server itself writes of a change comes later, and what
   * was deleted goes when the server has taken its own finalizer away.
   */
  readonly awaitsRest?: { readonly finalizer?: string };
  /** Sent nowhere: its answer is what each webhook of the scenario was asked since this was last looked at. */
  readonly heard?: boolean;
}

/** Requests that make sense one after another, in namespaces of their own, and say nothing of who answers them. */
export interface Scenario {
  readonly name: string;
  /** Which generator it is from. */
  readonly generator: string;
  /** How many namespaces it begins with: `<own>-1`, `<own>-2` … */
  readonly namespaces: number;
  /** Words for webhooks of its own; of each the steps know `<hook-WORD:url>` and `<hook-WORD:caBundle>`. */
  readonly hooks?: readonly string[];
  /** Whether a server of the play serves a group behind the one that is judged; the steps know `<backend:port>` and more of it. */
  readonly backend?: boolean;
  /** Steps that make ready; their answers are not compared. */
  readonly prepare?: readonly Step[];
  readonly steps: readonly Step[];
}

const reference = /<([a-z][a-z0-9-]*):([^<>]+)>/g;

const textOf = (step: Step): string => JSON.stringify([step.path, step.query, step.headers, step.body]);

/** The steps without which this one means nothing. */
export function neededBy(step: Step): readonly string[] {
  const { body } = step;
  const named = [...textOf(step).matchAll(reference)].map(([, id]) => id as string);
  if (body && 'answerOf' in body) return [body.answerOf, ...named];
  if (body && 'passedOf' in body) return [body.passedOf, ...named];
  return body && 'bytesOf' in body ? [body.bytesOf, ...named] : named;
}

/** What each play of a scenario needs to know of its steps: both sides play the same one, and it is long. */
interface Outline {
  /** All of them as one text. */
  readonly text: string;
  /** Those that others refer to. */
  readonly needed: ReadonlySet<string>;
}

const outlines = new WeakMap<Scenario, Outline>();

export function outlineOf(scenario: Scenario): Outline {
  let known = outlines.get(scenario);
  if (!known) {
    const { steps } = scenario;
    known = { text: JSON.stringify(steps), needed: new Set(steps.flatMap(neededBy)) };
    outlines.set(scenario, known);
  }
  return known;
}

/** A field of an answer by its dotted path; undefined where there is none. */
export function fieldAt(object: Json, path: string): Json {
  return path.split('.').reduce((value, member) => value?.[member], object);
}

/** What stands for itself in the steps of one play. */
export interface Words {
  readonly own: string;
  readonly run: string;
}

/** What objects outside of the scenario's namespaces carry, so that a sweep finds them. */
export const ownLabels = { [runLabel]: '<run>' };

/** Puts in what `<own>`, `<run>` and `<ID:field>` stand for. A step that was not answered leaves the word `nothing`. */
export function fill(text: string, { own, run }: Words, answers: ReadonlyMap<string, Json>): string {
  return text
    .replaceAll('<own>', own)
    .replaceAll('<run>', run)
    .replaceAll(reference, (_, id: string, path: string) => {
      const value = fieldAt(answers.get(id), path);
      return value === undefined || value === null ? 'nothing' : String(value);
    });
}
