import type { Json, Send } from '../verbs/client.ts';
import { pathOf, type ServedResource, servedResources, servedVersions } from '../verbs/discovery.ts';
import { atOnceOptions, lastFinalizers } from '../verbs/guest/litter.ts';
import { runLabel } from '../verbs/guest/permit.ts';
import { mergePatchHeaders } from '../verbs/patch-types.ts';
import { said } from '../verbs/said.ts';

/** What a sweep did, a line for each object. */
export interface Swept {
  readonly removed: readonly string[];
  /** With the reason. */
  readonly left: readonly string[];
}

/** Who could do harm goes first, and what holds other things last. */
const order = ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'];
const last = ['customresourcedefinitions', 'namespaces'];

const rank = ({ name }: ServedResource): number => (order.includes(name) ? 0 : 1 + last.indexOf(name) + 1);

/**
 * Removes all that carries the label of a run, or of any run when none is named, as the administrator. `finalize` is
 * for targets where no controller empties namespaces.
 */
export async function sweep(send: Send, { run, finalize }: { run?: string; finalize: boolean }): Promise<Swept> {
  const removed: string[] = [];
  const left: string[] = [];
  const resources = await sweepable(send);
  for (const resource of resources.toSorted((one, other) => rank(one) - rank(other))) {
    for (const object of await found(send, resource, run)) {
      const path = placeOf(resource, object.metadata);
      const fault = await remove(send, path, object.metadata);
      if (fault === undefined && resource.name === 'namespaces') await empty(send, resources, path, finalize);
      if (fault === undefined) removed.push(path);
      else left.push(`${path}: ${fault}`);
    }
  }
  return { removed, left };
}

async function sweepable(send: Send): Promise<ServedResource[]> {
  const lists = await Promise.all(
    (await servedVersions(send)).map((version) => servedResources(send, version).catch(() => [])),
  );
  const all = lists.flat().filter(({ name, verbs }) => !name.includes('/') && isSweepable(verbs));
  // The same objects may be served in several versions.
  const kinds = new Map(all.map((one) => [`${one.groupVersion.split('/').at(-2) ?? ''} ${one.name}`, one]));
  return [...kinds.values()];
}

const isSweepable = (verbs: readonly string[] = []): boolean =>
  ['list', 'delete'].every((verb) => verbs.includes(verb));

/** Pages of one list that are read: a server may say of each that there is another. */
const mostPages = 200;

/** A server may take no notice of selectors, and what is not the run's would be lost: so each label is looked at. */
async function found(send: Send, { groupVersion, name }: ServedResource, run: string | undefined): Promise<Json[]> {
  const items = new Map<string, Json>();
  const labelSelector = run === undefined ? runLabel : `${runLabel}=${run}`;
  const isOurs = ({ [runLabel]: label }: Json): boolean => label !== undefined && (run === undefined || label === run);
  const tokens = new Set<string>(['']);
  let token = '';
  do {
    const query = { labelSelector, limit: 500, ...(token ? { continue: token } : {}) };
    const { body } = await send('GET', `${pathOf(groupVersion)}/${name}`, { query });
    const page: readonly Json[] = Array.isArray(body?.items) ? body.items : [];
    for (const item of page.filter((each) => isOurs(each?.metadata?.labels ?? {})))
      items.set(`${item.metadata.namespace} ${item.metadata.name}`, item);
    token = body?.metadata?.continue ?? '';
  } while (!tokens.has(token) && tokens.add(token).size <= mostPages);
  return [...items.values()];
}

const placeOf = ({ groupVersion, name, namespaced }: ServedResource, metadata: Json): string =>
  `${pathOf(groupVersion)}${namespaced ? `/namespaces/${metadata.namespace}` : ''}/${name}/${encodeURIComponent(metadata.name)}`;

/** Gives why it would not go. */
async function remove(send: Send, path: string, { finalizers = [] }: Json): Promise<string | undefined> {
  try {
    if (finalizers.length > 0)
      await send('PATCH', path, { headers: mergePatchHeaders, body: { metadata: { finalizers: null } } });
    const answer = await send('DELETE', path, { query: atOnceOptions });
    const { status } = answer;
    return status < 300 || status === 404 ? undefined : `${status} ${said(answer)}`.trim();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Takes finalizers of ours off a namespace, and does what its controller would do where there is none. */
async function empty(send: Send, resources: readonly ServedResource[], path: string, finalize: boolean): Promise<void> {
  const name = decodeURIComponent(path.split('/').at(-1) ?? '');
  for (const { groupVersion, name: resource, namespaced, verbs } of finalize ? resources : [])
    if (namespaced && verbs.includes('deletecollection'))
      await send('DELETE', `${pathOf(groupVersion)}/namespaces/${name}/${resource}`, { query: atOnceOptions });
  const finalizers = lastFinalizers((await send('GET', path)).body ?? {}, finalize);
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name }, spec: { finalizers } };
  if (finalizers) await send('PUT', `${path}/finalize`, { body });
}
