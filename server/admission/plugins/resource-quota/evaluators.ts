import { perKey } from '../../../base/caches/memo.ts';
import { claims } from './claims.ts';
import type { Evaluator } from './evaluator.ts';
import { pods } from './pods.ts';
import { type Amounts, count } from './resource-amounts.ts';
import { services } from './services.ts';

const special: ReadonlyMap<string, Evaluator> = new Map([
  ['pods', pods],
  ['services', services],
  ['persistentvolumeclaims', claims],
]);

/** Whose updates may use more than before: what is created is always counted. */
export const usedMoreByUpdates: readonly string[] = [...special]
  .filter(([, { updatesUseMore }]) => updatesUseMore)
  .map(([resource]) => resource);

/** Counted by their plain name as well. */
const counted: ReadonlySet<string> = new Set(['configmaps', 'replicationcontrollers', 'resourcequotas', 'secrets']);

const countedByName = perKey((name: string) => objectCount(`count/${name}`, counted.has(name) ? name : undefined));

/** The evaluator of any resource; of most of them just the objects are counted. */
export function evaluatorOf(group: string, resource: string): Evaluator {
  const own = group === '' ? special.get(resource) : undefined;
  return own ?? countedByName(group ? `${resource}.${group}` : resource);
}

function objectCount(...names: readonly (string | undefined)[]): Evaluator {
  const tracked = names.filter((name) => name !== undefined);
  const one: Amounts = new Map(tracked.map((name) => [name, count(1)]));
  return { tracks: (resource) => tracked.includes(resource), usage: () => one };
}
