import { randomBytes } from 'node:crypto';
import type { Admission } from './admission/admission.ts';
import { type PluginConfiguration, readAdmissionConfiguration } from './admission/admission-configuration.ts';
import { buildAdmission } from './admission/index.ts';
import { webhookCredentials } from './admission/webhook-credentials.ts';
import { type WebhookAdmission, webhookAdmission } from './admission/webhooks/index.ts';
import { digestOf } from './authn/digest.ts';
import { type Authentication, buildAuthentication } from './authn/index.ts';
import { knownUser, noExtra } from './authn/known-user.ts';
import type { TokenAuthenticator } from './authn/token-authenticator.ts';
import { type Authorization, buildAuthorization } from './authz/index.ts';
import { systemClock } from './base/clock.ts';
import { featureGates } from './base/feature-gates.ts';
import { randomIds } from './base/ids.ts';
import { systemTimers } from './base/timers.ts';
import { mastersGroup } from './base/user.ts';
import { UsageError } from './command-line.ts';
import { converterOf } from './custom-resources/conversion.ts';
import { customResourceDefinition } from './custom-resources/definition.ts';
import { CustomResourceLifeCycle } from './custom-resources/life-cycle.ts';
import { followServices } from './kinds/core/follow-services.ts';
import { serviceAllocator } from './kinds/core/service-allocator.ts';
import { kinds } from './kinds/index.ts';
import type { KindRules, Operation } from './kinds/strategy.ts';
import { kubeconfigFor } from './kubeconfig.ts';
import { problemsOf, type ServerOptions, withDefaults } from './options.ts';
import { storeBootstrapObjects } from './registry/bootstrap.ts';
import { expireEvents } from './registry/event-expiry.ts';
import { storeLookup } from './registry/lookup.ts';
import { builtIns, Resources } from './registry/resources.ts';
import { serviceAddress } from './registry/service-address.ts';
import { buildAuditor } from './request/audit.ts';
import { runtimeConfig } from './registry/runtime-config.ts';
import { Health } from './request/health.ts';
import { Life } from './request/life.ts';
import { silentLog } from './request/log.ts';
import { Metrics } from './request/metrics.ts';
import { fixedPaths } from './request/paths.ts';
import type { RequestServices } from './request/services.ts';
import { versionInfo } from './request/version.ts';
import { openDoor } from './serving.ts';
import { startCompaction } from './store/compaction.ts';
import { ContinueTokens } from './store/continue-token.ts';
import { MemoryStore } from './store/memory-store.ts';
import type { Store } from './store/store.ts';
import { FanOut } from './watch/fan-out.ts';

/** A running server. */
export interface RunningServer {
  /** Such as `https://127.0.0.1:6443`. */
  readonly url: string;
  /** Text of a client configuration that logs in as an administrator. */
  readonly kubeconfig: string;
  /** PEM that clients verify the server's certificate with. */
  readonly certificateAuthority: string;
  /** Bearer token of the administrator in `kubeconfig`. */
  readonly adminToken: string;
  readonly store: Store;
  /** Ends in good order: not ready any more, requests finish, watches end, connections close. */
  stop(): Promise<void>;
}

/**
 * Starts a server. It is ready when the promise resolves.
 * @throws Error when an option makes no sense or the port is taken
 */
export async function startServer(given: Partial<ServerOptions> = {}): Promise<RunningServer> {
  const options = withDefaults(given);
  const [problem] = problemsOf(options);
  if (problem) throw new UsageError(problem);
  const store = options.store ?? new MemoryStore();
  const lookup = storeLookup(store);
  const adminToken = randomBytes(16).toString('hex');
  const authentication = buildAuthentication(
    options,
    lookup,
    systemClock,
    !options.authorizationMode.includes('AlwaysAllow'),
    [administrator(adminToken)],
  );
  const authorization = await buildAuthorization(options, store, systemClock);
  const life = new Life(options.livezGracePeriod, systemClock);
  const metrics = new Metrics();
  const resources = new Resources(
    builtIns(allKinds(authentication, authorization), runtimeConfig(options.runtimeConfig)),
  );
  const configurations = readAdmissionConfiguration(options.admissionControlConfigFile);
  const webhooks = webhooksOf({ options, store, lookup, metrics, resources, configurations });
  const admission = await buildAdmission({
    options,
    store,
    lookup,
    resources,
    configurations,
    webhooks,
    metrics,
    clock: systemClock,
    ids: randomIds,
    authorizer: authorization.authorizer,
    last: [authorization.escalation],
  });
  const services = makeServices({
    options,
    store,
    lookup,
    authentication,
    authorization,
    admission,
    metrics,
    resources,
    life,
  });
  const following = await followServices(services.serviceAddresses, store);
  await storeBootstrapObjects(services, services.resources);
  const customResources = await serveCustomResources(services);
  await webhooks.start();
  const stopExpiry = await expireEvents({
    store,
    clock: systemClock,
    timers: systemTimers,
    ttl: options.eventTtl,
    report: (error) => services.log.error('expiry of events', error),
  });
  const stopCompaction = startCompaction(store, { interval: options.etcdCompactionInterval });
  const door = await openDoor({ options, authentication, services, life });
  life.begin();
  const { url, certificateAuthority } = door;
  const kubeconfig = kubeconfigFor({ url, certificateAuthority, token: adminToken });
  let stopControllers = async () => {};
  const stop = once(async () => {
    await stopControllers();
    await door.close(options.shutdownDelayDuration);
    for (const end of [
      stopCompaction,
      stopExpiry,
      () => following.stop(),
      authentication.stop,
      authorization.stop,
      admission.stop,
      webhooks.stop,
      () => services.auditor?.close(),
    ])
      end();
    await customResources.stop();
    if (!options.store) await store.close();
  });
  try {
    stopControllers = await startControllersBeside(options, kubeconfig);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url,
    kubeconfig,
    certificateAuthority,
    adminToken,
    store,
    stop,
  };
}

function webhooksOf({
  options,
  store,
  lookup,
  metrics,
  resources,
  configurations,
}: Pick<Parts, 'options' | 'store' | 'lookup' | 'metrics' | 'resources'> & {
  readonly configurations: ReadonlyMap<string, PluginConfiguration>;
}): WebhookAdmission {
  return webhookAdmission({
    store,
    lookup,
    resources,
    metrics,
    ids: randomIds,
    credentials: {
      mutating: webhookCredentials(configurations.get('MutatingAdmissionWebhook')),
      validating: webhookCredentials(configurations.get('ValidatingAdmissionWebhook')),
    },
    report: (error) => options.log?.error(error.message),
  });
}

/** Serves what definitions in the store ask for, from now on and as they change. */
async function serveCustomResources({
  store,
  resources,
  lookup,
  clock,
  ids,
  log,
}: RequestServices): Promise<CustomResourceLifeCycle> {
  const addressOf = serviceAddress(lookup);
  const lifeCycle = new CustomResourceLifeCycle({
    store,
    clock,
    timers: systemTimers,
    definitionsPrefix: `${customResourceDefinition.group}/${customResourceDefinition.resource}/`,
    converterOf: (definition) => converterOf(definition, { ids, addressOf }),
    publish: (custom) => resources.setCustom(custom),
    report: (error) => log.error('custom resources', error),
  });
  await lifeCycle.start();
  return lifeCycle;
}

/** The reference controllers are clients like any other; they are loaded only when they are asked for. */
async function startControllersBeside(options: ServerOptions, kubeconfig: string): Promise<() => Promise<void>> {
  const { controllers, clusterSigningCertFile, clusterSigningKeyFile, clusterSigningDuration, log } = options;
  if (controllers.length === 0) return async () => {};
  const { startControllers } = await import('../controllers/index.ts');
  const running = await startControllers({
    kubeconfig,
    controllers,
    clusterSigningDuration,
    ...(clusterSigningCertFile && { clusterSigningCertFile }),
    ...(clusterSigningKeyFile && { clusterSigningKeyFile }),
    ...(log && { log: { info() {}, error: (message, error) => log.error(message, error) } }),
  });
  return () => running.stop();
}

const once = (act: () => Promise<void>) => {
  let running: Promise<void> | undefined;
  return () => {
    running ??= act();
    return running;
  };
};

/** The token of the generated kubeconfig. */
function administrator(adminToken: string): TokenAuthenticator {
  const digest = digestOf(adminToken);
  const user = knownUser({ name: 'touchstone-admin', uid: '', groups: [mastersGroup], extra: noExtra });
  return {
    name: 'generated administrator token',
    authenticateToken: (token, audiences) => (digestOf(token) === digest ? { user, audiences } : undefined),
  };
}

interface Parts {
  readonly options: ServerOptions;
  readonly store: Store;
  readonly lookup: ReturnType<typeof storeLookup>;
  readonly authentication: Authentication;
  readonly authorization: Authorization;
  readonly admission: Admission;
  readonly metrics: Metrics;
  readonly resources: Resources;
  readonly life: Life;
}

function makeServices({
  options,
  store,
  lookup,
  authentication,
  authorization,
  admission,
  metrics,
  resources,
  life,
}: Parts): RequestServices {
  const ping = { name: 'ping', check: () => {} };
  const storage = { name: 'etcd', check: async () => void (await store.currentRevision()) };
  const health = new Health({
    healthz: [ping, storage, life.started],
    livez: [ping, storage, life.started],
    readyz: [ping, storage, life.started, life.notStopping],
  });
  const watches = new FanOut({ store });
  metrics.addGauge({
    name: 'apiserver_longrunning_requests',
    help: 'Watches that are open now.',
    labelNames: ['verb'],
    read: () => [{ labels: { verb: 'WATCH' }, value: watches.size }],
  });
  const log = options.log ?? silentLog;
  return {
    store,
    clock: systemClock,
    ids: randomIds,
    admission,
    lookup,
    features: featureGates(options.featureGates),
    allowPrivileged: options.allowPrivileged,
    tokens: new ContinueTokens(),
    serviceAddresses: serviceAllocator({
      clusterIpRange: options.serviceClusterIpRange,
      nodePortRange: options.serviceNodePortRange,
    }),
    resources,
    authentication,
    authorizer: authorization.authorizer,
    health,
    metrics,
    log,
    version: versionInfo,
    watches,
    auditor: buildAuditor(options, systemClock, randomIds, (error) => log.error('audit event not written', error)),
    paths: fixedPaths({ health }),
  };
}

const allKinds = (authentication: Authentication, authorization: Authorization): readonly KindRules[] => [
  ...withTokens(kinds, authentication.tokenRequest),
  ...virtualKinds({ ...authorization.reviews, tokenreviews: authentication.tokenReview }),
  customResourceDefinition,
];

/** Service accounts with the operation that signs their tokens, which only a running server has. */
const withTokens = (all: readonly KindRules[], token: Operation): readonly KindRules[] =>
  all.map((rules) =>
    rules.kind === 'ServiceAccount' ? { ...rules, operations: { ...rules.operations, token } } : rules,
  );

/** Kinds that store nothing: posting to them runs the operation. */
function virtualKinds(operations: Readonly<Record<string, Operation>>): readonly KindRules[] {
  return Object.entries(operations).map(([resource, operation]) => {
    const group = resource === 'tokenreviews' ? 'authentication.k8s.io' : 'authorization.k8s.io';
    return { group, version: 'v1', kind: virtualKindNames[resource] ?? '', resource, operations: { '': operation } };
  });
}

const virtualKindNames: Readonly<Record<string, string>> = {
  tokenreviews: 'TokenReview',
  subjectaccessreviews: 'SubjectAccessReview',
  selfsubjectaccessreviews: 'SelfSubjectAccessReview',
  localsubjectaccessreviews: 'LocalSubjectAccessReview',
  selfsubjectrulesreviews: 'SelfSubjectRulesReview',
};
