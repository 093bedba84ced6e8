import { makeGate } from '../../runner/gate.ts';
import type { Answer, Client, Json } from '../client.ts';
import { mergePatchHeaders } from '../patch-types.ts';
import { said } from '../said.ts';
import { collectionPath, type Place } from './request-path.ts';

/** What has been made on the target for a rule, whoever made it, and how all of it goes again. */
export interface Litter {
  /** Told of each object that was made; the place names it. */
  readonly made: (place: Place, object: Json) => void;
  /** Whether a namespace is the rule's, so that all in it may go. */
  readonly owns: (namespace: string) => boolean;
  /** A further step, taken between the removal of what was made after it and of what was made before. */
  readonly later: (undo: () => Promise<unknown>) => void;
  /**
   * Takes all away, the newest first; what has nothing to do with each other goes at once. Never throws; gives a line
   * for each thing that would not go.
   */
  readonly remove: () => Promise<readonly string[]>;
}

export interface LitterOptions {
  /** Leave what was made. */
  readonly keep: boolean;
  /** Whether namespaces must be finalized by us, because no controller does it. */
  readonly finalize: boolean;
}

/**
 * Nothing is held back for the sake of dependents, as Jobs would be, nor for an agent that may not be there, as pods
 * that were bound to a node.
 */
export const atOnceOptions = { propagationPolicy: 'Background', gracePeriodSeconds: 0 } as const;

const options = { apiVersion: 'v1', kind: 'DeleteOptions', ...atOnceOptions };

/** One thing that goes. Steps of one chain are taken in order; one of no chain when nothing else is. */
interface Step {
  readonly chain?: string;
  readonly take: () => Promise<string | undefined>;
}

/** What others depend on or are refused by, so that it goes in its order: types, webhooks and servers of a group. */
const governing = ['admissionregistration.k8s.io', 'apiextensions.k8s.io', 'apiregistration.k8s.io'];

/** Steps that are taken at the same time: a server far away has each of them wait. */
const atOnce = 8;

/** `client` is the administrator: who made a thing may not have been allowed to remove it. */
export function makeLitter(client: Client, { keep, finalize }: LitterOptions): Litter {
  const undo: Step[] = [];
  const namespaces = new Set<string>();
  const swept = new Set<string>();
  let over = false;
  const drop = async (path: string): Promise<string | undefined> =>
    faultOf(path, await client.send('DELETE', path, { body: options }));
  const removeObject = (place: Place, object: Json): void => {
    const path = `${collectionPath(place)}/${encodeURIComponent(place.name ?? '')}`;
    const isNamespace = place.resource === 'namespaces' && place.group === '';
    const add = (take: Step['take']) => undo.push(governing.includes(place.group) ? { take } : { chain: path, take });
    if (isNamespace && namespaces.has(place.name ?? '')) return;
    if (isNamespace) namespaces.add(place.name ?? '');
    add(isNamespace ? () => removeNamespace(client, path, finalize) : () => drop(path));
    if (object.metadata.finalizers?.length > 0) add(() => release(client, path));
  };
  return {
    owns: (namespace) => namespaces.has(namespace),
    made(place, object) {
      if (over && !keep) return void drop(`${collectionPath(place)}/${place.name}`).catch(() => undefined);
      if (place.namespace === undefined || !namespaces.has(place.namespace)) return removeObject(place, object);
      const path = collectionPath(place);
      const chain = `/api/v1/namespaces/${encodeURIComponent(place.namespace)}`;
      const add = (take: () => Promise<unknown>) => undo.push({ chain, take: () => take().then(() => undefined) });
      if (!swept.has(path)) add(() => client.send('DELETE', path, { body: options }));
      swept.add(path);
      if (object.metadata.finalizers?.length > 0)
        add(() => release(client, `${path}/${encodeURIComponent(place.name ?? '')}`));
    },
    later: (step) => undo.push({ take: () => step().then(() => undefined) }),
    async remove() {
      const left = await takeAll(keep ? [] : undo.toReversed());
      undo.length = 0;
      over = true;
      return left;
    },
  };
}

/** @returns what the steps tell, in their order */
async function takeAll(steps: readonly Step[]): Promise<string[]> {
  const told: (string | undefined)[] = [];
  const gate = makeGate(atOnce);
  const chains = new Map<string, Promise<void>>();
  for (const [at, { chain, take }] of steps.entries()) {
    const step = async (): Promise<void> => {
      told[at] = await take().catch((error: Error) => error.message);
    };
    if (chain === undefined) {
      await Promise.all(chains.values());
      await step();
    } else
      chains.set(
        chain,
        (chains.get(chain) ?? Promise.resolve()).then(() => gate(step)),
      );
  }
  await Promise.all(chains.values());
  return told.filter((line) => line !== undefined);
}

const faultOf = (path: string, answer: Answer): string | undefined =>
  answer.status < 300 || [404, 410].includes(answer.status)
    ? undefined
    : `${path}: ${answer.status} ${said(answer)}`.trim();

/** The finalizer that the namespace controller takes away itself. */
const ofTheController = 'kubernetes';

/**
 * What the list of finalizers of a namespace that is being deleted has to be changed to; undefined where it is right.
 * @param finalize no controller empties it
 */
export function lastFinalizers({ metadata, spec }: Json, finalize: boolean): readonly string[] | undefined {
  if (finalize) return [];
  const held: readonly string[] = spec?.finalizers ?? [];
  // Its controller takes one without any for emptied, and nobody would take it away.
  const isOverlooked = metadata?.deletionTimestamp !== undefined && held.length === 0;
  return isOverlooked || held.some((one) => one !== ofTheController) ? [ofTheController] : undefined;
}

async function release(client: Client, path: string): Promise<undefined> {
  await client.send('PATCH', path, { headers: mergePatchHeaders, body: { metadata: { finalizers: null } } });
}

/** Nobody else takes away finalizers of our own; without a namespace controller nobody would ever empty their list. */
async function removeNamespace(client: Client, path: string, finalize: boolean): Promise<string | undefined> {
  const answer = await client.send('DELETE', path, { body: options });
  const finalizers = lastFinalizers(answer.body ?? {}, finalize);
  const name = decodeURIComponent(path.split('/').at(-1) ?? '');
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name }, spec: { finalizers } };
  if (finalizers) await client.send('PUT', `${path}/finalize`, { body });
  return faultOf(path, answer);
}
