import type { Capability } from '../../capability.ts';
import type { MinorRange } from '../../holds-for.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import type { KindPath } from '../../verbs/kinds.ts';

/** A kind with what may be left out of its objects. */
export interface FilledKind {
  /** As the cell is called. */
  readonly name: string;
  readonly needs?: readonly Capability[];
  readonly holds?: MinorRange;
  readonly at: KindPath;
  /** What a new object has beside its sample. */
  readonly base: Json;
  /** By a few words on what is sent: that, and what is stored then. */
  readonly filled: Readonly<Record<string, readonly [sent: Json, stored: Json]>>;
  /** Its objects may not be replaced by what they were made of: too much of them is the server's. */
  readonly grown?: boolean;
  /** Others have something to do with its objects: what is filled in is told by a rehearsal alone. */
  readonly rehearsed?: boolean;
  /** Makes what its objects need. */
  readonly prepare?: (context: RuleContext) => Promise<void>;
  /** By a few words on a change: what was there, what is changed of it, and what goes with that. */
  readonly turned?: Readonly<Record<string, readonly [before: Json, after: Json, gone: readonly string[]]>>;
}

export const filledKind = (at: KindPath, base: Json, filled: FilledKind['filled'], more: Partial<FilledKind> = {}) => ({
  ...{ name: at.resource, at, base, filled },
  ...more,
});
