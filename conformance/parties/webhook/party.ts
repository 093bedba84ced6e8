import { startSpecimen } from '../../../fixtures/webhooks/specimen.ts';
import { UsageError } from '../../../mistyped.ts';
import { oneOf, readFlagFile } from '../../commands/flag-values.ts';
import { makeAuthority, makePair } from '../../lab/certificates.ts';
import { TargetFault } from '../../target/inspect.ts';
import { startReference } from '../../target/reference.ts';
import { clusterFlags, clusterOf, inspectCluster, usualPatience } from '../cluster.ts';
import type { FlagValues, Party } from '../party.ts';
import { openWebhook, type WebhookCandidate, type WebhookContext } from './context.ts';
import { resources, reviewOf } from './reviews.ts';
import { webhookRules } from './rules/index.ts';
import { serverRules } from './rules/server.ts';

export const webhookParty: Party<WebhookCandidate, WebhookContext> = {
  name: 'webhook',
  about: 'Judges an admission webhook: plays the API server and asks it about pods, deployments and config maps.',
  examples: [
    '--url https://127.0.0.1:8443/validate --ca ca.crt',
    '--url https://127.0.0.1:8443/pods --ca ca.crt --resource pods',
    '--url https://192.0.2.7:8443/mutate --ca ca.crt --kubeconfig ~/.kube/config',
  ],
  flags: [
    { name: 'url', value: 'URL', help: 'where the webhook is called, path included' },
    { name: 'ca', value: 'FILE', help: 'PEM that vouches for its certificate' },
    {
      ...{ name: 'resource', value: 'NAME', many: true },
      help: `what it is configured for: ${resources.join(', ')} (default all)`,
    },
    ...clusterFlags('a cluster whose API server shall call it, too, for what is done in namespaces of the run'),
  ],
  rules: webhookRules,
  candidate: candidateOf,
  called: ({ url }) => url,
  inspect,
  open: openWebhook,
  isShared: true,
  async specimen(fault) {
    const authority = await makeAuthority('webhooks');
    const { certificate: cert, key } = await makePair({ name: 'CN=webhook', usage: 'server' }, authority);
    const { url, stop } = await startSpecimen({ cert, key }, fault);
    const isCalled = fault === undefined || serverRules.some(({ faults }) => faults.includes(fault));
    const { target, stop: end } = isCalled ? await startReference() : {};
    const cluster = target && { target, patience: 10_000, finalize: true };
    return {
      candidate: { url, authority: authority.certificate, ...(cluster ? { cluster } : {}) },
      async stop() {
        await stop();
        await end?.();
      },
    };
  },
  dead: ['silent', 'not-found', 'empty'],
};

function candidateOf(values: FlagValues): WebhookCandidate {
  const candidate = { url: urlOf(values), authority: pemOf(values), ...resourcesOf(values) };
  if (values.kubeconfig === undefined && values.context === undefined) return candidate;
  return { ...candidate, cluster: { target: clusterOf(values), patience: usualPatience } };
}

async function inspect(candidate: WebhookCandidate): Promise<void> {
  const { cluster, url } = candidate;
  const run = { ruleId: '', exchanges: [], warnings: [], left: [], release: () => undefined };
  const { send, usual } = await openWebhook(candidate, run);
  const { status } = await send(JSON.stringify(reviewOf(usual))).catch((error: Error) => {
    throw new TargetFault(`${url} cannot be asked: ${error.message}.`);
  });
  if (status === 404) throw new TargetFault(`${url} answers 404: there is no webhook at that path.`);
  if (cluster) await inspectCluster(cluster, '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations');
}

function resourcesOf({ resource = [] }: FlagValues): Pick<WebhookCandidate, 'resources'> {
  const named = [resource].flat().map((name) => oneOf('resource', String(name), resources));
  return named.length > 0 ? { resources: named } : {};
}

function urlOf({ url }: FlagValues): string {
  if (typeof url !== 'string') throw new UsageError('--url says where the webhook is');
  if (URL.parse(url)?.protocol !== 'https:') throw new UsageError(`--url: ${url} is no https address`);
  return url;
}

function pemOf({ ca }: FlagValues): string {
  if (typeof ca !== 'string') throw new UsageError('--ca names the file that vouches for the certificate');
  return readFlagFile('ca', ca);
}
