import type { Capability } from '../../capability.ts';
import type { MinorRange } from '../../holds-for.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import type { KindPath } from '../../verbs/kinds.ts';

/** Parts of an object by a few words on what is wrong with them, or what may look wrong and is not. */
export type Parts = Readonly<Record<string, Json>>;

/** A kind with what is no object of it, with what no object of it may become, and with what is one all the same. */
export interface JudgedKind {
  /** As the cell is called. */
  readonly name: string;
  readonly needs?: readonly Capability[];
  readonly holds?: MinorRange;
  readonly at: KindPath;
  /**
   * Others have something to say of its objects, or heed them: they are tried by dry runs, and what is stored is not
   * looked at. They are changed on one that every server has, or on one of our own.
   */
  readonly rehearsed?: { readonly on?: string };
  /** What a new object has beside its sample. */
  readonly base: Json;
  /** What its status is to say before it is changed. */
  readonly status?: Json;
  /** Refused as a new object, and as a change unless it is about metadata. */
  readonly refused: Parts;
  /** Refused as a new object; of one that is there the server keeps what it was. */
  readonly fresh: Parts;
  /** So are these, of whom nobody asks what he may give away: of others a genuine server says that it failed. */
  readonly given: Parts;
  /** Refused as a change; as a new object it might do. */
  readonly fixed: Parts;
  /** Taken as a change, beside a label. */
  readonly free: Parts;
  /** Taken as a new object. */
  readonly fitting: Parts;
  /** Makes what its objects need. */
  readonly prepare?: (context: RuleContext) => Promise<void>;
}

export const judged = (
  at: KindPath,
  {
    base = {},
    refused = {},
    fresh = {},
    given = {},
    fixed = {},
    free = {},
    fitting = {},
    ...more
  }: Partial<JudgedKind>,
): JudgedKind => ({ ...{ name: at.resource, at, base, refused, fresh, given, fixed, free, fitting }, ...more });

export const spec = (parts: Json): Json => ({ spec: parts });

/** A text of so many bytes; most of its letters take two. */
export const textOf = (bytes: number): string => 'ä'.repeat(bytes >> 1) + 'a'.repeat(bytes % 2);

/** Of a claim that no volume is bound to, be it one that is made for other rules. */
export const claimsNothing: Json = spec({ storageClassName: 'touchstone-unbound' });

/** Of a flow schema of nobody's requests. */
export const flowsOfNobody: Json = spec({
  ...{ priorityLevelConfiguration: { name: 'touchstone-none' }, matchingPrecedence: 9999, rules: [] },
});
