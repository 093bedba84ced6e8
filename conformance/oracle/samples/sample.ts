import type { Json } from '../../verbs/client.ts';

/** What the generators know of a kind. */
export interface Sample {
  /** What an object has beside type and metadata, with as many fields as a server accepts at once. */
  readonly parts: Json;
  /** A merge patch that changes something of what it asks for. Without one its labels are changed. */
  readonly change?: Json;
  /** A merge patch of its status. */
  readonly status?: Json;
  /** Its name, where not every name will do. It holds `<own>` where the kind knows no namespaces. */
  readonly name?: string;
  /** Touches all of a cluster: tried for real only where that was allowed. */
  readonly clusterWide?: boolean;
  /**
   * The server itself writes this member a moment after an object was made, and its version moves with that; what
   * follows from later writes it writes later, too.
   */
  readonly settles?: string;
  /** The finalizer that the server itself takes away a moment after an object was deleted. */
  readonly lingers?: string;
  /** Controllers act on it. */
  readonly controlled?: boolean;
}
