import { perObject } from '../base/caches/memo.ts';
import type { KubeObject } from '../base/kube-object.ts';
import { StatusError } from '../base/status-error.ts';
import { known, type Work } from '../base/turns/work.ts';
import { featureGates } from '../options/feature-gates.ts';
import type { WriteCall } from '../registry/call.ts';
import { create } from '../registry/create.ts';
import type { Proposal } from '../registry/draft.ts';
import { keyOf, type Resource } from '../registry/resource.ts';
import { builtIns, Resources } from '../registry/resources.ts';
import { Surroundings } from '../registry/surroundings.fixture.ts';
import { write } from '../registry/write.ts';
import type { KindRules, WriteContext } from './strategy.ts';

/** For tests: one write to one kind, through all the steps of a write, on a store of its own. */
export interface Trial {
  /** What is stored; where it was refused, what was proposed. */
  readonly object: KubeObject;
  /** `field reason` of each cause, in order. */
  readonly causes: readonly string[];
}

export interface TrialOptions {
  readonly subresource?: string;
  /** Besides those that are on by default. */
  readonly gates?: readonly string[];
  /** Default true. */
  readonly allowPrivileged?: boolean;
  /** Default: the one that is stored. */
  readonly requestVersion?: string;
  readonly user?: Partial<WriteContext['user']>;
  /** Milliseconds. */
  readonly now?: number;
}

/** The versions in which a kind is served. */
const servedOf = perObject((rules: KindRules) => builtIns([rules]).filter((resource) => resource.rules === rules));

function resourceOf(rules: KindRules, requestVersion: string | undefined): Resource {
  const served = servedOf(rules);
  const found = requestVersion
    ? served.find(({ served: { apiVersion } }) => apiVersion === requestVersion)
    : (served.find((each) => each.served === each.storage) ?? served[0]);
  if (!found) throw new Error(`${rules.kind} is not served in ${requestVersion ?? 'any version'}`);
  return found;
}

function callOf(rules: KindRules, { metadata }: KubeObject, options: TrialOptions): WriteCall {
  const surroundings = new Surroundings(new Resources(servedOf(rules)));
  const { now = Date.UTC(2024, 0, 1), gates = [], allowPrivileged = true, subresource = '' } = options;
  const features = featureGates(gates.map((name) => `${name}=true`));
  const resource = resourceOf(rules, options.requestVersion);
  return surroundings.callOn(resource, {
    services: { ...surroundings.services, clock: { now: () => now }, features, allowPrivileged },
    subresource,
    namespace: resource.namespaced ? (metadata.namespace ?? 'default') : '',
    name: metadata.name ?? '',
    user: { name: 'jane', uid: 'jane-uid', groups: ['devs'], extra: {}, ...options.user },
  });
}

/** What an attempt comes to. @param proposed what is told of, should it be refused for what is wrong in it */
async function outcome(attempt: Promise<{ object: KubeObject }>, proposed: () => KubeObject): Promise<Trial> {
  try {
    // What is stored is shared.
    return { object: structuredClone((await attempt).object), causes: [] };
  } catch (error) {
    if (!(error instanceof StatusError) || error.status.code !== 422) throw error;
    const causes = error.status.details?.causes ?? [];
    return {
      object: proposed(),
      causes: causes.map(({ field, reason = '' }) => `${field} ${reason.slice('FieldValue'.length)}`),
    };
  }
}

/** An object of the kind with a name, a uid and what `fields` says. */
export const sample = (rules: KindRules, fields: object = {}, metadata: KubeObject['metadata'] = {}): KubeObject => ({
  kind: rules.kind,
  apiVersion: rules.group ? `${rules.group}/${rules.version}` : rules.version,
  metadata: { name: 'x', uid: 'uid-1', ...metadata },
  ...structuredClone(fields),
});

export const tryCreate = (rules: KindRules, object: KubeObject, options: TrialOptions = {}): Promise<Trial> =>
  outcome(create(callOf(rules, object, options), object), () => object);

/** `change` works on a copy of what is stored. */
export async function tryUpdate(
  rules: KindRules,
  stored: KubeObject,
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into objects of all kinds
  change: (next: any) => void,
  options: TrialOptions = {},
): Promise<Trial> {
  const call = callOf(rules, stored, options);
  const { resource, namespace, name, services } = call;
  const before = structuredClone(stored);
  if (namespace) before.metadata.namespace = namespace;
  await services.store.create(keyOf(resource, namespace, name), before);
  let next = stored;
  const propose = (live: KubeObject): Work<Proposal> => {
    next = structuredClone(live);
    change(next);
    return known({ next });
  };
  const written = write(call, (_call, _given, live) => propose(live as KubeObject), undefined);
  return outcome(written, () => next);
}
