import { isNotFound } from '../runtime/api-error.ts';
import { itself, type Loop, type Outcome, type Reconciler, type Request } from '../runtime/controller.ts';
import { discover, type ServedResource } from '../runtime/discovery.ts';
import { isDeleting } from '../runtime/kube-object.ts';
import { forEach } from '../runtime/many.ts';
import { type Namespace, namespaces } from '../runtime/resources.ts';
import {
  conditionsFor,
  contentFinalizer,
  type Findings,
  isEmpty,
  isHeldByUsAlone,
  isMoreThanTold,
  type Sweep,
} from './plan.ts';

/** How long to wait before looking again whether the content has gone, in milliseconds. */
const patience = { first: 100, most: 5_000 };
/** How long to wait after something failed. */
const backoff = { first: 5, most: 60_000 };

/** Empties a namespace that is being deleted, says how that goes, and lets it go when nothing is left. */
const reconcile: Reconciler = async (request) => {
  const { key, read, client } = request;
  const namespace = read(namespaces).find(key);
  if (!namespace || !isDeleting(namespace) || !namespace.spec?.finalizers?.includes(contentFinalizer)) return undefined;
  const { resources, failures: discoveryFailures } = await discover(client);
  const content = resources.filter(({ namespaced, verbs }) => namespaced && verbs.has('list') && verbs.has('delete'));
  const sweeps: Sweep[] = [];
  await forEach(content, async (resource) => {
    sweeps.push(await sweep(request, resource, key));
  });
  const findings = { discoveryFailures, sweeps };
  if (isEmpty(findings) && isHeldByUsAlone(namespace)) return finalize(request, namespace);
  const told = await tell(request, namespace, findings);
  return isEmpty(findings) ? finalize(request, told) : waitFor(findings, request, told);
};

/** Says how the deletion goes, unless that is said already. @returns the namespace as it stands then */
async function tell({ write, clock }: Request, namespace: Namespace, findings: Findings): Promise<Namespace> {
  const conditions = conditionsFor(namespace, findings, clock.now());
  if (!conditions) return namespace;
  const status = { ...namespace.status, phase: 'Terminating', conditions: [...conditions] };
  return write(namespaces).replace(namespace, { ...namespace, status }, 'status');
}

/** Deletes all objects of a kind, and counts those that something still holds. */
async function sweep({ client }: Request, resource: ServedResource, namespace: string): Promise<Sweep> {
  const name = resource.group ? `${resource.plural}.${resource.group}` : resource.plural;
  const finalizers = new Map<string, number>();
  try {
    const before = await client.list(resource, { namespace, metadataOnly: true }, { limit: 1 });
    if (before.items.length === 0) return { resource: name, left: 0, finalizers };
    await deleteAll({ client }, resource, namespace);
    const { items } = await client.list(resource, { namespace, metadataOnly: true });
    for (const each of items.flatMap(({ metadata }) => metadata?.finalizers ?? [])) {
      finalizers.set(each, (finalizers.get(each) ?? 0) + 1);
    }
    return { resource: name, left: items.length, finalizers };
  } catch (error) {
    // The kind itself has gone, and its objects with it.
    if (isNotFound(error)) return { resource: name, left: 0, finalizers };
    return { resource: name, left: 0, finalizers, failure: error instanceof Error ? error.message : String(error) };
  }
}

async function deleteAll(
  { client }: Pick<Request, 'client'>,
  resource: ServedResource,
  namespace: string,
): Promise<void> {
  const options = { propagationPolicy: 'Background' } as const;
  if (resource.verbs.has('deletecollection')) {
    await client.deleteCollection(resource, namespace, options);
    return;
  }
  const { items } = await client.list(resource, { namespace, metadataOnly: true });
  await forEach(items, async ({ metadata }) => {
    try {
      await client.delete(resource, { namespace, name: metadata?.name ?? '' }, options);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  });
}

/** Content goes at its own pace, a pod's grace for instance: look sooner while the namespace is young in its deletion. */
function waitFor({ discoveryFailures, sweeps }: Findings, { clock }: Request, namespace: Namespace): Outcome {
  const failure = sweeps.find((each) => each.failure);
  if (failure) throw new Error(`${failure.resource}: ${failure.failure}`);
  if (discoveryFailures.length > 0) throw new Error(`not discovered: ${discoveryFailures.join(', ')}`);
  const since = clock.now() - Date.parse(namespace.metadata?.deletionTimestamp ?? '');
  return Math.min(patience.most, Math.max(patience.first, since / 4));
}

async function finalize({ client }: Request, namespace: Namespace): Promise<undefined> {
  const finalizers = (namespace.spec?.finalizers ?? []).filter((finalizer) => finalizer !== contentFinalizer);
  try {
    await client.replace(
      namespaces,
      { ...namespace, apiVersion: 'v1', kind: 'Namespace', spec: { ...namespace.spec, finalizers } },
      'finalize',
    );
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return undefined;
}

export const namespaceLoops: readonly Loop[] = [
  {
    name: 'namespace',
    // What is told here of failures, each time in other words perhaps, must not cut the wait after them short.
    watches: [{ ...itself(namespaces, isDeleting), matters: isMoreThanTold }],
    concurrency: 5,
    backoff,
    reconcile,
  },
];
