import type { Answer, Json } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { merged } from '../../verbs/merged.ts';
import { preparePods } from '../../verbs/pods.ts';
import { probeName, usual } from '../../verbs/webhooks.ts';
import { type ClusterCandidate, openCluster } from '../cluster.ts';
import type { PartyRun } from '../party.ts';
import { resources as known, requestsOn } from './reviews.ts';

/** The webhook as an API server calls it, for what is done in one namespace. */
export interface Installed {
  /** What the server takes there without the webhook. */
  readonly samples: readonly Sample[];
}

/** How the webhook is called, and about what. */
interface Called {
  readonly url: string;
  readonly authority: string;
  readonly resources?: readonly string[];
}

export interface Sample {
  readonly what: string;
  readonly kind: Collection;
  /** An object under a name of its own, which no controller does anything with. */
  readonly draft: () => Json;
}

/** Has the server of the cluster call the webhook, and waits until it does. All of it goes with the rule. */
export async function install(
  cluster: ClusterCandidate,
  { url, authority, resources = known }: Called,
  run: PartyRun,
): Promise<Installed> {
  const context = openCluster(cluster, run);
  const { mutatingWebhooks, unique } = context;
  const samples = await samplesOf(context, resources);
  const caBundle = Buffer.from(authority).toString('base64');
  const namespace = await context.namespace();
  // Nobody answers for it: by its refusals, which come first, is seen that the configuration is in effect.
  const probe = { ...usual(probeName, namespace, { url: 'https://127.0.0.1:1/', caBundle }), ...onProbes };
  const webhook = { ...usual('judged.touchstone.example', namespace, { url, caBundle }), ...onSamples(resources) };
  await mutatingWebhooks.create({ metadata: { name: unique('judged') }, webhooks: [probe, webhook] });
  await inEffect(context);
  return { samples };
}

const probes = { 'touchstone/probe': 'yes' };

const onProbes = {
  objectSelector: { matchLabels: probes },
  rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
};

/** A webhook that only validates may be asked as one that mutates, too. */
const onSamples = (resources: readonly string[]) => ({
  admissionReviewVersions: ['v1', 'v1beta1'],
  sideEffects: 'NoneOnDryRun',
  reinvocationPolicy: 'IfNeeded',
  timeoutSeconds: 10,
  rules: [
    {
      operations: ['*'],
      apiGroups: ['', 'apps'],
      apiVersions: ['v1'],
      resources,
      scope: 'Namespaced',
    },
  ],
});

async function inEffect({ configMaps, waitUntil, patience }: RuleContext): Promise<void> {
  const probe = configMaps.sample({ metadata: { labels: probes } });
  await waitUntil(
    'the server calls the webhook',
    async () => (await configMaps.post(probe, { dryRun: 'All' })).status,
    (status) => status >= 500,
    { limit: patience },
  );
}

/** What keeps schedulers and controllers from it. */
const idle: Json = { pods: { schedulerName: 'example.com/nobody' }, deployments: { paused: true } };

async function samplesOf(context: RuleContext, resources: readonly string[]): Promise<readonly Sample[]> {
  const kinds: Json = { pods: context.pods, deployments: context.deployments, configmaps: context.configMaps };
  const samples = requestsOn(resources).every.flatMap(
    ([
      what,
      {
        operation,
        object,
        resource: { resource },
        name,
      },
    ]): Sample[] => {
      if (operation !== 'CREATE' || name !== undefined || !kinds[resource]) return [];
      const base = merged(object, { metadata: { namespace: undefined }, spec: idle[resource] });
      return [{ what, kind: kinds[resource], draft: () => merged(base, { metadata: { name: context.unique() } }) }];
    },
  );
  await preparePods(context);
  const answers = await Promise.all(samples.map(({ kind, draft }) => kind.post(draft(), { dryRun: 'All' })));
  return samples.filter((_, index) => answers[index]?.status === 201);
}

/** The webhook has said yes, or no in its own words; whatever else comes is a call that failed. */
export const isDecided = ({ status, body }: Answer): boolean =>
  status < 300 || /denied the request/.test(String(body?.message));

/** What a user or a webhook wrote of an object; what is named by chance has the same name in all. */
export function written({ metadata: { labels, annotations } = {} as Json, status: _, ...rest }: Json): Json {
  const text = JSON.stringify({ ...rest, labels, annotations });
  return JSON.parse(text.replaceAll(/kube-api-access-[a-z0-9]{5}/g, 'kube-api-access'));
}
