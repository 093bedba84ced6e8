import { isConflict, isNotFound } from './runtime/api-error.ts';
import type { Client } from './runtime/client.ts';
import { elapsed } from './runtime/clock.ts';
import { nameOf, uidOf, versionOf } from './runtime/kube-object.ts';
import { type Lease, leases } from './runtime/resources.ts';

/** Which controllers its holder runs, on a Lease. */
const annotation = 'touchstone.example/controllers';

interface Parts {
  readonly namespace: string;
  /** Of the Lease under which these controllers are led. */
  readonly name: string;
  readonly controllers: readonly string[];
}

/**
 * Leaders under other Leases of whom each runs some of the same controllers, as where servers of one service were told of
 * different ones: two at once would do their work twice.
 */
export class Rivals {
  readonly #parts: Parts;
  /** Since when each Lease has been as it is, as `elapsed` tells: the time of day may be wrong, its holder's and ours. */
  #unchanged = new Map<string, { readonly version: string; readonly since: number }>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** What says on our own Lease what it is about. */
  get annotations(): Readonly<Record<string, string>> {
    return { [annotation]: this.#parts.controllers.join() };
  }

  /**
   * Whether one of them leads, as far as can be known. What is left of those that ended without a word is removed: each start
   * would wait for it. @throws ApiError, or Error for a broken connection
   */
  async areAtWork(client: Client): Promise<boolean> {
    const { namespace } = this.#parts;
    const { items } = await client.list(leases, { namespace });
    const theirs = items.filter((lease) => this.#isRival(lease));
    const now = elapsed();
    const before = this.#unchanged;
    this.#unchanged = new Map(
      theirs.map((lease) => {
        const [version, known] = [versionOf(lease), before.get(nameOf(lease))];
        return [nameOf(lease), known?.version === version ? known : { version, since: now }];
      }),
    );
    const isOver = (lease: Lease) =>
      now >= (this.#unchanged.get(nameOf(lease))?.since ?? now) + (lease.spec?.leaseDurationSeconds ?? 0) * 1000;
    await Promise.all(theirs.filter(isOver).map((lease) => removeUnchanged(client, lease)));
    return theirs.some((lease) => !isOver(lease));
  }

  #isRival({ metadata, spec }: Lease): boolean {
    const { name, controllers } = this.#parts;
    if (!spec?.holderIdentity || metadata?.name === name) return false;
    const theirs = metadata?.annotations?.[annotation]?.split(',') ?? [];
    return theirs.some((each) => controllers.includes(each));
  }
}

async function removeUnchanged(client: Client, lease: Lease): Promise<void> {
  const { namespace = '', name = '' } = lease.metadata ?? {};
  try {
    const preconditions = { uid: uidOf(lease), resourceVersion: versionOf(lease) };
    await client.delete(leases, { namespace, name }, { preconditions });
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
