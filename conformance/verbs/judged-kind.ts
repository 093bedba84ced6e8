import type { Capability } from '../capability.ts';
import type { RuleContext } from './context.ts';
import type { Json } from './json.ts';
import type { KindPath } from './kinds.ts';

/** Parts of an object by a few words on what is wrong with them, or what may look wrong and is not. */
type Parts = Readonly<Record<string, Json>>;

/** A kind with what is no object of it, with what no object of it may become, and with what is one all the same. */
export interface JudgedKind {
  /** As the cell is called. */
  readonly name: string;
  readonly needs?: readonly Capability[];
  readonly at: KindPath;
  /** What a new object has beside its sample. */
  readonly base: Json;
  /** What its status is to say before it is changed. */
  readonly status?: Json;
  /** Refused as a new object, and as a change unless it is about metadata. */
  readonly refused: Parts;
  /** Refused as a new object; of one that is there the server keeps what it was. */
  readonly fresh: Parts;
  /** Refused as a change; as a new object it might do. */
  readonly fixed: Parts;
  /** Taken as a change, beside a label. */
  readonly free: Parts;
  /** Taken as a new object. */
  readonly fitting: Parts;
  /** Where a refusal looks for the fault, when that is not in what is wrong: by the same words, how the field begins. */
  readonly blamed: Readonly<Record<string, string>>;
  /** Makes what its objects need. */
  readonly prepare?: (context: RuleContext) => Promise<void>;
}

export const judged = (
  at: KindPath,
  {
    base = {},
    refused = {},
    fresh = {},
    fixed = {},
    free = {},
    fitting = {},
    blamed = {},
    ...more
  }: Partial<JudgedKind>,
): JudgedKind => ({ ...{ name: at.resource, at, base, refused, fresh, fixed, free, fitting, blamed }, ...more });

export const spec = (parts: Json): Json => ({ spec: parts });

/** Of a claim that no volume is bound to, be it one that is made for other rules. */
export const claimsNothing: Json = spec({ storageClassName: 'touchstone-unbound' });
