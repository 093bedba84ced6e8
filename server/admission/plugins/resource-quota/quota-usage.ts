import { lazily } from '../../../base/caches/memo.ts';
import { cloneJson } from '../../../base/clone.ts';
import { conflict } from '../../../base/status-error.ts';
import type { Clock } from '../../../base/time/clock.ts';
import { carryOut } from '../../../base/turns/work.ts';
import type { ResourceQuota } from '../../../kinds/core/resource-quota.ts';
import { trackUpdate } from '../../../patch/apply/track-update.ts';
import { untracked } from '../../../patch/apply/tracked-write.ts';
import { structureOfKind } from '../../../schema/load.ts';
import type { Structure } from '../../../schema/structure.ts';
import { objectKey } from '../../../store/object-keys.ts';
import { ContendedError, KeyMissingError, type Store } from '../../../store/store.ts';
import { type Amounts, minus, plus, readAmounts, writeAmounts } from './resource-amounts.ts';

/** What a write takes from one quota. */
export interface Charge {
  readonly quota: ResourceQuota;
  readonly amounts: Amounts;
}

/** Throws when a quota, as it stands now, does not allow the amounts. */
export type Allow = (quota: ResourceQuota, amounts: Amounts) => void;

const manager = 'kube-apiserver';
const unowned = untracked(['spec']);

const quotas = { group: '', resource: 'resourcequotas' };
const keyOf = ({ metadata }: ResourceQuota) => objectKey(quotas, metadata.namespace ?? '', metadata.name ?? '');

/** Keeps `status.used` of quotas. */
export class QuotaUsage {
  readonly #store: Store;
  readonly #clock: Clock;
  /** Asked when the first quota is counted. */
  readonly #structure = lazily((): Structure | undefined => structureOfKind('', 'v1', 'ResourceQuota'));

  constructor({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Takes the amounts from all quotas, or from none: `allow` is asked in the same atomic change that raises the count.
   * @returns what gives everything back
   * @throws what `allow` throws; 409 when others keep changing a quota
   */
  async charge(charges: readonly Charge[], allow: Allow): Promise<() => Promise<void>> {
    const taken: Charge[] = [];
    const giveBack = async () => {
      for (const { quota, amounts } of taken.splice(0)) {
        // Nobody waits for it any more; should it fail, a controller that counts anew puts it right.
        await this.#change(quota, (used) => minus(used, amounts)).catch(() => {});
      }
    };
    try {
      for (const charge of charges) {
        const { quota, amounts } = charge;
        if (amounts.size === 0) continue;
        const raise = (used: Amounts, current: ResourceQuota) => {
          allow(current, amounts);
          return plus(used, amounts);
        };
        if (await this.#change(quota, raise)) taken.push(charge);
      }
    } catch (error) {
      await giveBack();
      throw error;
    }
    return giveBack;
  }

  /** @returns false when the quota is gone */
  async #change(quota: ResourceQuota, next: (used: Amounts, current: ResourceQuota) => Amounts): Promise<boolean> {
    try {
      const { outcome } = await this.#store.update(keyOf(quota), async ({ value }) => {
        const current = value as ResourceQuota;
        if (current.metadata.uid !== quota.metadata.uid) return { keep: true };
        return { write: await this.#with(current, next(readAmounts(current.status?.used), current)) };
      });
      return outcome === 'written';
    } catch (error) {
      if (error instanceof KeyMissingError) return false;
      if (!(error instanceof ContendedError)) throw error;
      throw conflict(
        { group: '', resource: 'resourcequotas' },
        quota.metadata.name ?? '',
        'it keeps changing; please try again',
      );
    }
  }

  async #with(current: ResourceQuota, used: Amounts): Promise<ResourceQuota> {
    const next = cloneJson(current);
    next.status = { ...next.status, used: writeAmounts(used) };
    const structure = this.#structure();
    if (!structure) return next;
    const entries = await carryOut(
      trackUpdate({
        structure,
        manager,
        apiVersion: 'v1',
        subresource: 'status',
        now: this.#clock.now(),
        untracked: unowned,
        live: current,
        next,
      }),
    );
    if (entries.length > 0) next.metadata.managedFields = [...entries];
    else delete next.metadata.managedFields;
    return next;
  }
}
