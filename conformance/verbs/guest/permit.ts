import type { Json, Query } from '../client.ts';
import { kindPaths } from '../kinds.ts';
import { type Place, placeOf } from './request-path.ts';

/** What a run may do to its target. */
export interface Permit {
  /** The value of the label that all it makes carries. */
  readonly run: string;
  /** Anything may be stored at all. */
  readonly write: boolean;
  /** What is of the whole cluster may be made: nodes, volumes, approvals, bootstrap tokens, webhooks. */
  readonly cluster: boolean;
  /** Webhooks may see requests of others. */
  readonly disruptive: boolean;
}

export const runLabel = 'touchstone/run';

/** For a server that nobody else uses. */
export const allOf = (run: string): Permit => ({ run, write: true, cluster: true, disruptive: true });

/** A request that is about to be sent. */
export interface Intent {
  readonly method: string;
  readonly path: string;
  readonly query: Query | string | undefined;
  readonly body: unknown;
}

const reading = ['GET', 'HEAD', 'OPTIONS'];

/** Reviews answer a question and store nothing. */
export const isReview = ({ resource }: Place): boolean => /reviews$/.test(resource);

export const isDryRun = (query: Query | string | undefined): boolean =>
  typeof query === 'string' ? new URLSearchParams(query).get('dryRun') === 'All' : query?.['dryRun'] === 'All';

/** Why a request must not be sent, or undefined. `owns` tells whether a namespace is the run's own. */
export function refusalOf(intent: Intent, permit: Permit, owns: (namespace: string) => boolean): string | undefined {
  if (reading.includes(intent.method) || isDryRun(intent.query)) return undefined;
  const place = placeOf(intent.path);
  if (!place || isReview(place)) return undefined;
  const what = `${intent.method} ${place.resource}${place.sub ? `/${place.sub}` : ''}`;
  if (!permit.write) return `it would store something (${what}), and --read-only forbids that`;
  const wide = permit.cluster ? undefined : wideThing(place);
  if (wide) return `it would touch ${wide}, a thing of the whole cluster; --yes allows that`;
  if (permit.disruptive) return undefined;
  if (sweepsOthers(intent, place, owns))
    return `it would delete what others have made (${what}); --disruptive allows that`;
  if (isWebhook(place) && !webhooksOf(intent.body).every((webhook) => isConfined(webhook, owns)))
    return 'its webhook would see requests of others; --disruptive allows that';
  return undefined;
}

const isWebhook = ({ resource }: Place): boolean => resource.endsWith('webhookconfigurations');

function wideThing(place: Place): string | undefined {
  const { resource, group, sub, namespace } = place;
  if (group === '' && (resource === 'nodes' || resource === 'persistentvolumes')) return resource;
  if (resource === 'certificatesigningrequests' && sub === 'approval') return 'the approval of a signing request';
  if (resource === 'secrets' && namespace === 'kube-system') return 'a bootstrap token';
  return isWebhook(place) ? 'webhooks' : undefined;
}

/** A delete of a whole collection, in a place where others have objects, that selects nothing. */
function sweepsOthers(intent: Intent, place: Place, owns: (namespace: string) => boolean): boolean {
  const { query } = intent;
  const asked = typeof query === 'string' ? new URLSearchParams(query).get('labelSelector') : query?.['labelSelector'];
  return isSweep(intent, place, owns) && !asked;
}

const isSweep = ({ method }: Intent, { name, namespace }: Place, owns: (namespace: string) => boolean): boolean =>
  method === 'DELETE' && name === undefined && !(namespace !== undefined && owns(namespace));

/** Whether only a selector keeps a delete from what others have made: a server may take no notice of it. */
export function restsOnSelector(intent: Intent, permit: Permit, owns: (namespace: string) => boolean): boolean {
  const place = placeOf(intent.path);
  return place !== undefined && !permit.disruptive && !isDryRun(intent.query) && isSweep(intent, place, owns);
}

const webhooksOf = (body: unknown): readonly Json[] => {
  const { webhooks } = (body ?? {}) as Json;
  return Array.isArray(webhooks) ? webhooks : [];
};

const nameLabel = 'kubernetes.io/metadata.name';

/** Labels of this kind nobody else sets. */
const isOurs = (key: string): boolean => key.startsWith('touchstone/');

/** The names of those objects that no run of the suite has made. */
export const ofOthers = (objects: readonly Json[]): readonly string[] =>
  objects.flatMap(({ metadata }) => (Object.keys(metadata?.labels ?? {}).some(isOurs) ? [] : [String(metadata?.name)]));

const asksForOurs = (selector: Json): boolean =>
  [...Object.keys(selector?.matchLabels ?? {}), ...requiredKeys(selector)].some(isOurs);

const requiredKeys = (selector: Json): readonly string[] =>
  (selector?.matchExpressions ?? []).flatMap(({ key, operator }: Json) =>
    operator === 'Exists' || operator === 'In' ? [String(key)] : [],
  );

/** Whether a webhook hears only of what runs of the suite have made. */
function isConfined(webhook: Json, owns: (namespace: string) => boolean): boolean {
  const { rules = [], objectSelector, namespaceSelector } = webhook ?? {};
  if (!Array.isArray(rules) || rules.length === 0 || asksForOurs(objectSelector)) return true;
  const name = namespaceSelector?.matchLabels?.[nameLabel];
  return (asksForOurs(namespaceSelector) || (typeof name === 'string' && owns(name))) && rules.every(isNamespaced);
}

const clusterScoped = new Set(
  Object.values(kindPaths).flatMap(({ namespaced, resource }) => (namespaced ? [] : [resource])),
);

/** A selector of namespaces lets all objects pass that are in none, but for namespaces themselves. */
function isNamespaced({ scope, resources }: Json): boolean {
  if (scope === 'Namespaced') return true;
  return (
    Array.isArray(resources) &&
    resources.every((resource) => {
      const name = String(resource).split('/')[0] ?? '';
      return name !== '*' && (name === 'namespaces' || !clusterScoped.has(name));
    })
  );
}
