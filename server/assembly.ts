import type { Admission } from './admission/admission.ts';
import { readAdmissionConfiguration } from './admission/admission-configuration.ts';
import { buildAdmission } from './admission/index.ts';
import { webhookCredentials } from './admission/webhook-credentials.ts';
import { webhookAdmission } from './admission/webhooks/index.ts';
import { ownToken } from './authn/digest.ts';
import { type Authentication, buildAuthentication } from './authn/index.ts';
import { knownUser, noExtra } from './authn/known-user.ts';
import { type Authorization, buildAuthorization } from './authz/index.ts';
import { randomIds } from './base/ids.ts';
import { systemTimers } from './base/time/timers.ts';
import { mastersGroup } from './base/user.ts';
import type { FrontProxy } from './certificates/front-proxy.ts';
import { agentAccess, type NodeKeys } from './certificates/node-keys.ts';
import type { Closers } from './closers.ts';
import type { Identity } from './engine/identity.ts';
import type { Features, Lookup } from './kinds/strategy.ts';
import { featureGates } from './options/feature-gates.ts';
import type { ServerOptions } from './options/options.ts';
import { storeLookup } from './registry/lookup.ts';
import { builtIns, Resources } from './registry/resources.ts';
import { runtimeConfig } from './registry/runtime-config.ts';
import { AggregatedApis } from './request/aggregation/aggregated-apis.ts';
import { buildAuditor } from './request/audit/audit.ts';
import type { Gate } from './request/flow-control/gate.ts';
import { type BuiltGate, buildGate } from './request/flow-control/index.ts';
import { Pace } from './request/flow-control/take-turn.ts';
import { Backends } from './request/forward/backends.ts';
import { Health, within } from './request/health.ts';
import { Life } from './request/life.ts';
import { silentLog } from './request/log.ts';
import { Metrics } from './request/metrics.ts';
import { OpenExchanges } from './request/open-exchanges.ts';
import { fixedPaths } from './request/paths.ts';
import type { RequestServices } from './request/services.ts';
import { versionInfo } from './request/version.ts';
import { servedKinds } from './served-kinds.ts';
import { ContinueTokens } from './store/continue-token.ts';
import type { Store } from './store/store.ts';
import { FanOut } from './watch/fan-out.ts';

/** Whom the generated kubeconfig stands for. */
const administrator = knownUser({ name: 'touchstone-admin', uid: '', groups: [mastersGroup], extra: noExtra });

/** The parts of a server, put together but not yet at work. */
export interface Assembly {
  readonly services: RequestServices;
  readonly authentication: Authentication;
  readonly life: Life;
  /** Follows the webhook configurations, from the objects that are stored when it is called. */
  startWebhooks(): Promise<void>;
  /** Follows what says who is let in when there is much to do. */
  startGate(): Promise<void>;
}

/** What a server has beside its options. */
export interface Surroundings extends Identity {
  /** PEM of the authority that the controllers beside it sign client certificates with. */
  readonly clientAuthority?: string;
  /** Why a call of this admission webhook is to fail without being made. */
  readonly interfere?: (webhook: string) => Error | undefined;
  /** What the server and the nodes beside it know each other by. */
  readonly nodes: NodeKeys | undefined;
  /** What servers behind this one know it by. */
  readonly proxy: FrontProxy;
}

/** Makes all parts from checked options. What has to be ended some day is told to `closers`. */
export async function assemble(
  options: ServerOptions,
  store: Store,
  { adminToken, serviceAccountKey, continueKey, clientAuthority, nodes, proxy, interfere }: Surroundings,
  closers: Closers,
): Promise<Assembly> {
  const lookup = storeLookup(store);
  const authentication = buildAuthentication({
    options,
    lookup,
    clock: options.clock,
    anonymousAllowed: !options.authorizationMode.includes('AlwaysAllow'),
    own: {
      tokens: [ownToken('generated administrator token', adminToken, administrator)],
      serviceAccountKey,
      ...(clientAuthority && { clientAuthority }),
    },
  });
  closers.add(authentication.stop);
  const authorization = await buildAuthorization(options, store, options.clock);
  closers.add(authorization.stop);
  const metrics = new Metrics(options.clock);
  const isServed = runtimeConfig(options.runtimeConfig);
  const resources = new Resources(builtIns(servedKinds(options, authentication, authorization), isServed));
  const backends = new Backends(agentAccess(options, nodes));
  const aggregated = new AggregatedApis(proxy.shown);
  const features = featureGates(options.featureGates);
  const found = { options, features, store, lookup, authorization, metrics, resources, backends, aggregated };
  const parts = { ...found, ...(interfere && { interfere }) };
  const { admission, startWebhooks } = await makeAdmission(parts, closers);
  const life = new Life(options.livezGracePeriod, options.clock, options.clock);
  const tokens = new ContinueTokens(Buffer.from(continueKey, 'hex'));
  const { gate, start: startGate } = makeGate(parts, closers);
  const services = makeServices({ ...parts, authentication, admission, life, tokens, gate });
  closers.add(() => services.auditor?.close());
  return { services, authentication, life, startWebhooks, startGate };
}

interface Parts {
  readonly options: ServerOptions;
  readonly features: Features;
  readonly store: Store;
  readonly lookup: Lookup;
  readonly authorization: Authorization;
  readonly metrics: Metrics;
  readonly resources: Resources;
  readonly backends: Backends;
  readonly aggregated: AggregatedApis;
  readonly interfere?: (webhook: string) => Error | undefined;
}

async function makeAdmission(parts: Parts, closers: Closers) {
  const { options, authorization, backends } = parts;
  const configurations = readAdmissionConfiguration(options.admissionControlConfigFile);
  const webhooks = webhookAdmission({
    ...parts,
    through: backends.through,
    ids: randomIds,
    credentials: {
      mutating: webhookCredentials(configurations.get('MutatingAdmissionWebhook'), options.clock),
      validating: webhookCredentials(configurations.get('ValidatingAdmissionWebhook'), options.clock),
    },
    report: (error) => options.log?.error(error.message),
  });
  closers.add(webhooks.stop);
  const admission = await buildAdmission({
    ...parts,
    configurations,
    webhooks,
    clock: options.clock,
    ids: randomIds,
    authorizer: authorization.authorizer,
    last: [authorization.escalation],
  });
  closers.add(admission.stop);
  return { admission, startWebhooks: () => webhooks.start() };
}

function makeGate(parts: Parts, closers: Closers): BuiltGate {
  const { options, resources } = parts;
  const built = buildGate({
    ...parts,
    timers: options.clock,
    prefixOf: (group, version, resource) => resources.find(group, version, resource)?.prefix,
  });
  closers.add(() => built.stop());
  return built;
}

interface AllParts extends Parts {
  readonly gate: Gate;
  readonly authentication: Authentication;
  readonly admission: Admission;
  readonly life: Life;
  readonly tokens: ContinueTokens;
}

function makeServices({ options, authorization, life, interfere: _, ...parts }: AllParts): RequestServices {
  const { store, features, metrics } = parts;
  const health = healthOf(options, store, life);
  const watches = new FanOut({ store, timers: options.clock });
  const open = new OpenExchanges(options.clock);
  addOpenGauges(metrics, open, watches);
  const log = options.log ?? silentLog;
  return {
    ...parts,
    clock: options.clock,
    timers: options.clock,
    ids: randomIds,
    // Without the gate what is unknown goes without a word, whatever a write says.
    fieldValidation: features.enabled('ServerSideFieldValidation') ? 'Warn' : 'Ignore',
    allowPrivileged: options.allowPrivileged,
    authorizer: authorization.authorizer,
    pace: new Pace(options.clock),
    open,
    health,
    log,
    version: versionInfo,
    watches,
    auditor: buildAuditor(options, options.clock, randomIds, (error, events) =>
      log.error(`audit events not written: ${events}`, error),
    ),
    routes: new WeakMap(),
    paths: fixedPaths({ health }),
  };
}

/** How many requests and watches are open, each time that somebody looks. */
function addOpenGauges(metrics: Metrics, open: OpenExchanges, watches: FanOut): void {
  metrics.addGauge({
    name: 'apiserver_current_inflight_requests',
    help: 'Requests that are being answered now.',
    read: () => [{ labels: {}, value: open.size }],
  });
  metrics.addGauge({
    name: 'apiserver_longrunning_requests',
    help: 'Watches that are open now.',
    labelNames: ['verb'],
    read: () => [{ labels: { verb: 'WATCH' }, value: watches.size }],
  });
}

function healthOf(options: ServerOptions, store: Store, life: Life): Health {
  const { etcdHealthcheckTimeout, etcdReadycheckTimeout } = options;
  const ping = { name: 'ping', check: () => {} };
  const check = async () => void (await store.currentRevision());
  const storage = within(systemTimers, etcdHealthcheckTimeout, { name: 'etcd', check });
  const logging = { name: 'log', check: () => {} };
  // A server that only reads is alive, and not ready.
  const writable = () => check().then(() => store.checkWritable?.());
  const storageReady = within(systemTimers, etcdReadycheckTimeout, { name: 'etcd-readiness', check: writable });
  return new Health({
    healthz: [ping, logging, storage, ...life.started],
    livez: [ping, logging, storage, ...life.started],
    readyz: [ping, logging, storage, storageReady, life.synced, ...life.started, life.notStopping],
  });
}
