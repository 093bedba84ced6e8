import type { Store } from '../../store/store.ts';
import type { Query } from '../query.ts';

const objectsPerSeat = 100;
const mostSeats = 10;

/** What a list is weighed by. */
export interface WeighedList {
  readonly query: Query;
  /** Keys of the resource begin with it. */
  readonly prefix: string;
}

/** How many seats a list takes: the more, the more objects it has to look at. All other requests take one. */
export async function seatsOfList({ query, prefix }: WeighedList, store: Pick<Store, 'count'>): Promise<number> {
  const stored = await store.count(prefix, { any: true });
  const asked = Number(query.text('limit') ?? 0);
  const limit = asked > 0 && asked < stored ? asked : stored;
  return Math.min(Math.max(Math.ceil(lookedAt(query, stored, limit) / objectsPerSeat), 1), mostSeats);
}

function lookedAt(query: Query, stored: number, limit: number): number {
  const anyVersion =
    query.text('resourceVersion') === '0' ||
    (!query.text('continue') && Boolean(query.text('resourceVersion')) && limit === stored);
  if (anyVersion) return stored;
  return query.text('labelSelector') || query.text('fieldSelector') ? stored + limit : 2 * limit;
}
