import type { Sabotage } from '../sabotage/sabotage.ts';
import { sabotage } from '../sabotage/transforms.ts';
import type { Edit } from './slip.ts';

/** A server that is right but for one thing, as a careless author would have it. */
export interface Fault {
  /** What the server does wrong. */
  readonly name: string;
  /** The chapters of the documents that it offends; these are played first. */
  readonly chapters: readonly string[];
  /** At its HTTP edge. */
  readonly make?: Sabotage;
  /** In its source. */
  readonly edits?: readonly Edit[];
}

/** A fault made of one meddling; its own name says more than the meddling's. */
export const fault = (name: string, chapters: string | readonly string[], make: Sabotage): Fault => ({
  name,
  chapters: [chapters].flat(),
  make: sabotage(name, make.begin),
});

/** A fault in one place of the source. */
export const slip = (
  name: string,
  chapters: string | readonly string[],
  file: string,
  from: string,
  to: string,
): Fault => slips(name, chapters, [{ file, from, to }]);

/** A fault in several places of the source that belong together. */
export const slips = (name: string, chapters: string | readonly string[], edits: readonly Edit[]): Fault => ({
  name,
  chapters: [chapters].flat(),
  edits,
});
