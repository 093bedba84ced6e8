import { UsageError } from '../../mistyped.ts';

/**
 * Flags of a v1.25 server that this one has not, so that the scripts which start stock servers start this one: what is
 * about how, how fast or with how much something is done there is passed over with a word; who asks for what would keep
 * something elsewhere or enciphered, or let others decide, is refused.
 */
interface TakenFlags {
  /** Without those of stock servers. */
  readonly args: readonly string[];
  /** Names of flags that change nothing here. */
  readonly passedOver: readonly string[];
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** They may stand without a value, and take none from the next argument. */
const switches = new Set(
  words(`
    aggregator-reject-forwarding-redirects audit-log-batch-throttle-enable audit-log-compress audit-log-truncate-enabled
    contention-profiling enable-aggregator-routing enable-garbage-collector enable-logs-handler
    permit-address-sharing permit-port-sharing profiling shutdown-send-retry-after watch-cache
  `),
);

const passable = new Set([
  ...switches,
  ...words(`
    allow-metric-labels apiserver-count audit-log-batch-buffer-size audit-log-batch-max-size audit-log-batch-max-wait
    audit-log-batch-throttle-burst audit-log-batch-throttle-qps audit-log-format audit-log-mode
    audit-log-truncate-max-batch-size audit-log-truncate-max-event-size audit-log-version azure-container-registry-config
    cloud-config cloud-provider cloud-provider-gce-l7lb-src-cidrs cors-allowed-origins default-watch-cache-size
    delete-collection-workers disabled-metrics egress-selector-config-file endpoint-reconciler-type
    etcd-count-metric-poll-period etcd-db-metric-poll-interval external-hostname http2-max-streams-per-connection
    identity-lease-duration-seconds identity-lease-renew-interval-seconds kubelet-port kubelet-read-only-port
    kubelet-timeout kubernetes-service-node-port lease-reuse-duration-seconds log-flush-frequency
    log-json-info-buffer-size log-json-split-stream master-service-namespace max-connection-bytes-per-sec
    min-request-timeout request-timeout show-hidden-metrics-for-version storage-backend
    strict-transport-security-directives tls-cipher-suites tracing-config-file vmodule
  `),
]);

/** Why a flag that names something is refused; beginnings of names. */
const refusals: Readonly<Record<string, string>> = {
  'admission-control':
    'it is of old: --enable-admission-plugins and --disable-admission-plugins say which plugins there are',
  'audit-webhook-': 'events of the audit go to --audit-log-path alone',
  'authorization-policy-file': 'there is no mode ABAC',
  'encryption-provider-config': 'nothing is encrypted at rest here',
  'etcd-servers-overrides': 'all kinds are kept in the etcd of --etcd-servers',
};

/** @throws UsageError for what cannot be passed over, with the reason */
export function takeStockFlags(given: readonly string[]): TakenFlags {
  const args: string[] = [];
  const passedOver: string[] = [];
  for (let at = 0; at < given.length; at++) {
    const arg = given[at] ?? '';
    const [, name = '', equals] = /^--([a-z0-9-]+)(=)?/.exec(arg) ?? [];
    const [, reason] = Object.entries(refusals).find(([begin]) => isNamedBy(name, begin)) ?? [];
    if (reason !== undefined) throw new UsageError(`--${name} is not served: ${reason}`);
    if (!passable.has(name)) {
      args.push(arg);
      continue;
    }
    passedOver.push(name);
    if (!equals && !switches.has(name)) at++;
  }
  return { args, passedOver: [...new Set(passedOver)] };
}

const isNamedBy = (name: string, begin: string) => (begin.endsWith('-') ? name.startsWith(begin) : name === begin);
