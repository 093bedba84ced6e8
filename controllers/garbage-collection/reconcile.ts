import { isNotFound } from '../runtime/api-error.ts';
import type { Loop, Outcome, Request } from '../runtime/controller.ts';
import { hasFinalizer, nameOf, namespaceOf, type OwnerReference, uidOf, versionOf } from '../runtime/kube-object.ts';
import { forEach } from '../runtime/many.ts';
import { customResourceDefinitions } from '../runtime/resources.ts';
import type { Surroundings } from '../runtime/run-loop.ts';
import { Collector } from './collector.ts';
import {
  foregroundFinalizer,
  type GraphNode,
  leavesOrphans,
  orphanFinalizer,
  ownersOf,
  waitsForDependents,
} from './graph.ts';
import { type OwnerState, planDependent, planOwner } from './plan.ts';

/** Removes what nobody owns any longer, and carries out foreground and orphaning deletions. Its keys are uids. */
async function collect(request: Request, collector: Collector, undecided: Set<string>): Promise<Outcome> {
  const { key: uid, client } = request;
  const { graph } = collector;
  const node = graph.find(uid);
  const wasUndecided = undecided.delete(uid);
  if (!node) return undefined;
  if (waitsForDependents(node.object) || leavesOrphans(node.object)) await letGo(client, node, collector);
  if (ownersOf(node.object).length === 0) return undefined;
  const states = await statesOf(node, collector);
  const stateOf = (owner: OwnerReference) => states.get(owner.uid) ?? 'unknown';
  const isAwaited = [...states.values()].includes('waiting for dependents');
  const plan = planDependent(
    node.object,
    stateOf,
    isAwaited ? graph.dependentsOf(uid).map(({ object }) => object) : [],
  );
  if (plan.do === 'drop owners') await dropOwners(client, node, plan.uids);
  if (plan.do === 'delete') {
    if (namesOwnerElsewhere(node, collector)) tellMistake(request, node);
    if (plan.unblock) await unblockOwners(client, node);
    await deleteIfUnchanged(client, node, plan);
  }
  if ([...states.values()].includes('unknown')) {
    if (!wasUndecided) tellMistake(request, node);
    undecided.add(uid);
  }
  return undefined;
}

async function statesOf(node: GraphNode, collector: Collector): Promise<ReadonlyMap<string, OwnerState>> {
  const states = new Map<string, OwnerState>();
  for (const owner of ownersOf(node.object)) {
    const state = await collector.stateOf(node, owner);
    states.set(owner.uid, state === 'unknown' && collector.graph.sawGo(owner.uid, node.object) ? 'absent' : state);
  }
  return states;
}

/** Whether a reference names what is there, but in another namespace: that is nobody's owner, and surely a mistake. */
const namesOwnerElsewhere = ({ object }: GraphNode, { graph }: Collector): boolean =>
  ownersOf(object).some(({ uid }) => {
    const scope = namespaceOf(graph.find(uid)?.object ?? {});
    return scope !== '' && scope !== namespaceOf(object);
  });

function tellMistake({ log, events }: Request, { object, resource }: GraphNode): void {
  const note = 'An owner reference names what no owner of this object can be';
  events.record(object, { type: 'Warning', reason: 'OwnerRefInvalidNamespace', action: 'Collecting', note });
  log.info(`garbage collector: ${resource.plural} ${namespaceOf(object)}/${nameOf(object)}: ${note}`);
}

/** What an object that is deleted does with those it owns. */
async function letGo(client: Client, node: GraphNode, { graph, settled }: Collector): Promise<void> {
  // Those of a kind that came just now may not be known yet. Nobody else has to wait for that: a kind may take its time.
  await settled;
  const dependents = graph.dependentsOf(uidOf(node.object));
  const plan = planOwner(
    node.object,
    dependents.map(({ object }) => object),
  );
  if (plan.do === 'orphan') {
    await forEach(dependents, (dependent) => dropOwners(client, dependent, [uidOf(node.object)]));
    await dropFinalizer(client, node, orphanFinalizer);
  }
  if (plan.do === 'finish') await dropFinalizer(client, node, foregroundFinalizer);
}

const placeOf = ({ object }: GraphNode) => ({ namespace: namespaceOf(object), name: nameOf(object) });

type Client = Request['client'];

/** Only the object as it was judged: owners may have been added since. */
async function deleteIfUnchanged(
  client: Client,
  node: GraphNode,
  plan: { readonly policy: 'Foreground' | 'Background' | 'Orphan'; readonly unblock: boolean },
) {
  const preconditions = { uid: uidOf(node.object), ...(!plan.unblock && { resourceVersion: versionOf(node.object) }) };
  await unlessGone(client.delete(node.resource, placeOf(node), { propagationPolicy: plan.policy, preconditions }));
}

async function dropOwners(client: Client, node: GraphNode, uids: readonly string[]): Promise<void> {
  const ownerReferences = ownersOf(node.object).filter((owner) => !uids.includes(owner.uid));
  await patchMetadata(client, node, { ownerReferences });
}

async function dropFinalizer(client: Client, node: GraphNode, finalizer: string): Promise<void> {
  if (!hasFinalizer(node.object, finalizer)) return;
  const finalizers = (node.object.metadata?.finalizers ?? []).filter((each) => each !== finalizer);
  await patchMetadata(client, node, { finalizers });
}

async function unblockOwners(client: Client, node: GraphNode): Promise<void> {
  const ownerReferences = ownersOf(node.object).map((owner) => ({ ...owner, blockOwnerDeletion: false }));
  await patchMetadata(client, node, { ownerReferences });
}

/** A change of metadata, refused as a conflict when the object is no longer as the graph knows it. */
async function patchMetadata(client: Client, node: GraphNode, change: object): Promise<void> {
  const metadata = { ...change, uid: uidOf(node.object), resourceVersion: versionOf(node.object) };
  await unlessGone(client.patch(node.resource, placeOf(node), { metadata }));
}

async function unlessGone(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    // A conflict about the uid means that this very object is gone; any other comes back with the object's change.
    if (!isNotFound(error)) throw error;
  }
}

/** The one key of the loop that looks what is served; it changes with the definitions of custom resources. */
const discoveryKey = 'discovery';
/** How often to look anyway, in milliseconds: aggregated groups come and go without a word. */
const lookEvery = 30_000;

export function garbageCollectionLoops(surroundings: Omit<Surroundings, 'events'>): readonly Loop[] {
  let add: (uid: string) => void = () => {};
  const collector = new Collector({ ...surroundings, changed: (uid) => add(uid) });
  /** Objects with owners of which nothing could be said: each look at what is served may change that. */
  const undecided = new Set<string>();
  return [
    {
      name: 'garbagecollector',
      watches: [],
      concurrency: 16,
      waiting: () => collector.waiting(),
      feed: (addKey) => {
        add = addKey;
        return () => {};
      },
      reconcile: async (request) => {
        await collector.filled;
        return collect(request, collector, undecided);
      },
    },
    {
      name: 'garbagecollector-discovery',
      seeds: [discoveryKey],
      watches: [{ resource: customResourceDefinitions, keys: () => [discoveryKey] }],
      reconcile: async () => {
        await collector.refresh();
        for (const uid of undecided) add(uid);
        return lookEvery;
      },
    },
  ];
}
