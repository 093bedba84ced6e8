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

const byResource = new Map<string, Evaluator>();

/** The evaluator of any resource; of most of them just the objects are counted. */
export function evaluatorOf(group: string, resource: string): Evaluator {
  const own = group === '' ? special.get(resource) : undefined;
  if (own) return own;
  const name = group ? `${resource}.${group}` : resource;
  let evaluator = byResource.get(name);
  if (!evaluator) {
    evaluator = objectCount(`count/${name}`, group === '' && counted.has(resource) ? resource : undefined);
    byResource.set(name, evaluator);
  }
  return evaluator;
}

function objectCount(...names: readonly (string | undefined)[]): Evaluator {
  const tracked = names.filter((name) => name !== undefined);
  const one: Amounts = new Map(tracked.map((name) => [name, count(1)]));
  return { tracks: (resource) => tracked.includes(resource), usage: () => one };
}
