import type { Sabotage } from '../sabotage/sabotage.ts';
import { sabotage } from '../sabotage/transforms.ts';

/** A server that is right but for one thing, as a careless author would have it. */
export interface Fault {
  /** What the server does wrong. */
  readonly name: string;
  /** The chapters of the documents that it offends; these are played first. */
  readonly chapters: readonly string[];
  readonly make: Sabotage;
}

/** A fault made of one meddling; its own name says more than the meddling's. */
export const fault = (name: string, chapters: string | readonly string[], make: Sabotage): Fault => ({
  name,
  chapters: [chapters].flat(),
  make: sabotage(name, make.begin),
});
