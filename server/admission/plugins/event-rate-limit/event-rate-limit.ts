import type { KubeObject } from '../../../base/kube-object.ts';
import { tooManyRequests } from '../../../base/status-error.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../../admission.ts';
import type { PluginConfiguration } from '../../admission-configuration.ts';
import { writes } from '../../concern.ts';
import type { PluginServices } from '../../plugin-services.ts';
import { TokenBuckets } from './token-buckets.ts';

interface Event extends KubeObject {
  source?: { component?: string; host?: string };
  involvedObject?: { kind?: string; namespace?: string; name?: string; uid?: string; apiVersion?: string };
}

const sourceAndObject = ({ object }: AdmissionAttributes): string => {
  const { source = {}, involvedObject: about = {} } = object as Event;
  return [source.component, source.host, about.kind, about.namespace, about.name, about.uid, about.apiVersion].join('');
};

/** Who shares a limit, by its type. */
const keys: Readonly<Record<string, (attributes: AdmissionAttributes) => string>> = {
  Server: () => '',
  Namespace: ({ namespace }) => namespace,
  User: ({ user }) => user.name,
  SourceAndObject: sourceAndObject,
};

interface Limit {
  readonly type: string;
  readonly keyOf: (attributes: AdmissionAttributes) => string;
  readonly buckets: TokenBuckets;
}

const formGroup = 'eventratelimit.admission.k8s.io/v1alpha1';
const defaultCacheSize = 4096;

/** @throws Error when there is no configuration, or one that makes no sense */
function limitsOf(given: PluginConfiguration | undefined, now: () => number): readonly Limit[] {
  const { apiVersion, kind, limits } = given?.configuration ?? {};
  if (apiVersion !== formGroup || kind !== 'Configuration') {
    throw new Error(`EventRateLimit needs a Configuration of ${formGroup} in --admission-control-config-file`);
  }
  if (!Array.isArray(limits) || limits.length === 0) throw new Error('EventRateLimit: limits needs at least one entry');
  return limits.map((limit: { type?: string; qps?: unknown; burst?: unknown; cacheSize?: unknown }) => {
    const { type = '', qps, burst, cacheSize = 0 } = limit;
    const keyOf = Object.hasOwn(keys, type) ? keys[type] : undefined;
    if (!keyOf) throw new Error(`EventRateLimit: unknown type ${JSON.stringify(type)} of a limit`);
    return {
      type,
      keyOf,
      buckets: new TokenBuckets({
        perSecond: positive('qps', qps),
        burst: positive('burst', burst),
        most: size(cacheSize),
        now,
      }),
    };
  });
}

function positive(name: string, value: unknown): number {
  if (Number.isInteger(value) && Number(value) > 0) return Number(value);
  throw new Error(`EventRateLimit: ${name} must be a whole number above 0`);
}

function size(value: unknown): number {
  if (Number.isInteger(value) && Number(value) >= 0) return Number(value) || defaultCacheSize;
  throw new Error('EventRateLimit: cacheSize must be a whole number of at least 0');
}

/** Answers 429 to who writes more events than the configuration allows. */
export const eventRateLimit = ({
  configurations,
  clock,
}: Pick<PluginServices, 'configurations' | 'clock'>): AdmissionPlugin => {
  const limits = limitsOf(configurations.get('EventRateLimit'), () => clock.now());
  return {
    name: 'EventRateLimit',
    cares: [writes('', 'events', 'CREATE', 'UPDATE'), writes('events.k8s.io', 'events', 'CREATE', 'UPDATE')],
    validate(attributes) {
      if (attributes.dryRun) return;
      // Each limit counts, even when another one has refused already.
      const reached = limits.filter(({ keyOf, buckets }) => !buckets.take(keyOf(attributes)));
      const [first] = reached;
      if (!first) return;
      throw tooManyRequests(`limit reached on type ${first.type} for key ${first.keyOf(attributes)}`, 0);
    },
  };
};
