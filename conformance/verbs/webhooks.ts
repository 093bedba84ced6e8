import { type Hook, type HookAnswer, openHook } from '../lab/admission-webhook.ts';
import type { Json } from './client.ts';
import type { Collection } from './collection.ts';
import type { RuleContext } from './context.ts';
import { merged } from './merged.ts';
import { nameOf, versionOf } from './states.ts';

export type Respond = (review: Json) => HookAnswer;

/** A webhook of a rule: what it answers, and what its configuration says beside the usual. */
export interface HookParts {
  readonly respond?: Respond;
  /** Members of the webhook in its configuration; the usual ones are in `usual`. */
  readonly over?: Json;
}

export interface Configured {
  /** In the order given. */
  readonly hooks: readonly Hook[];
  /** Of the configuration object. */
  readonly name: string;
}

const allow: Respond = () => ({ allowed: true });

/** By this webhook, the last of each configuration, a rule sees that the configuration is in effect. */
export const probeName = 'probe.touchstone.example';

const on = (resource: string, ...operations: string[]): Json => [
  { apiGroups: [''], apiVersions: ['v1'], resources: [resource], operations },
];

export const onSecrets = (...operations: string[]): Json => on('secrets', ...operations);

/** A rule sees by them whether a configuration is in effect. */
export const onNewConfigMaps = on('configmaps', 'CREATE');

/** What a webhook says unless a rule says otherwise: creates of Secrets of the rule's own namespace. */
export const usual = (name: string, namespace: string, { url, caBundle }: Pick<Hook, 'url' | 'caBundle'>): Json => ({
  name,
  clientConfig: { url, caBundle },
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  timeoutSeconds: 5,
  rules: onSecrets('CREATE'),
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
});

/** Configures webhooks and waits until the server calls them. They go with the rule. */
export async function configure(
  context: RuleContext,
  type: 'mutating' | 'validating',
  parts: readonly HookParts[],
): Promise<Configured> {
  const { mutatingWebhooks, validatingWebhooks, unique, namespace, release, webhookHost } = context;
  const place = { host: webhookHost };
  const own = await namespace();
  const hooks = await Promise.all(parts.map(({ respond = allow }) => openHook(respond, place)));
  const probe = await openHook(allow, place);
  for (const hook of [...hooks, probe]) release(hook.close);
  const webhooks = hooks.map((hook, index) =>
    withParts(usual(`hook-${index}.touchstone.example`, own, hook), parts[index]?.over ?? {}),
  );
  webhooks.push({ ...usual(probeName, own, probe), rules: onNewConfigMaps });
  const name = unique('hooks');
  const configurations = type === 'mutating' ? mutatingWebhooks : validatingWebhooks;
  await configurations.create({ metadata: { name }, webhooks });
  await inEffect(context, probe);
  await context.allHeard();
  return { hooks, name };
}

/** Members are taken whole, but for the client configuration, of which parts may be given. */
const withParts = (base: Json, over: Json): Json => ({
  ...base,
  ...over,
  clientConfig: merged(base.clientConfig, over.clientConfig ?? {}),
});

async function inEffect({ configMaps, waitUntil, patience }: RuleContext, probe: Hook): Promise<void> {
  const look = async (): Promise<number> => {
    await configMaps.post(configMaps.sample(), { dryRun: 'All' });
    return probe.received.length;
  };
  await waitUntil('a new webhook configuration is in effect', look, (calls) => calls > 0, { limit: patience * 3 });
}

/**
 * The object, once the server remembers it as it is now: one that tries a write on what it remembers asks webhooks about
 * an older state, and once more about the newest.
 */
export async function remembered(objects: Collection, object: Json): Promise<Json> {
  await objects.get(nameOf(object), { resourceVersion: versionOf(object) });
  return object;
}

/** A JSON patch as a response carries it. */
export const patchWith = (...operations: Json[]): HookAnswer => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
});

/** The patch that sets a label. */
export const labelling = (key: string, value: string): HookAnswer =>
  patchWith({ op: 'add', path: '/metadata/labels', value: { [key]: value } });

/** The requests that a hook has received. */
export const requestsOf = ({ received }: Hook): Json[] => received.map(({ review }) => review?.request);

/**
 * Of one write to each object, by its operation: without what was asked about a state that somebody else has changed
 * meanwhile, for then a server asks anew.
 */
export function notOvertaken(requests: readonly Json[]): Json[] {
  const write = ({ operation, name }: Json): string => `${operation} ${name}`;
  const before = ({ oldObject }: Json): string | undefined => oldObject?.metadata?.resourceVersion;
  const last = new Map(requests.map((request) => [write(request), before(request)]));
  return requests.filter((request) => last.get(write(request)) === before(request));
}
