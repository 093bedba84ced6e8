import type { KubeObject } from '../../../base/kube-object.ts';
import type { ResourceQuota } from '../../../kinds/core/resource-quota.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../../admission.ts';
import { type Concern, writes } from '../../concern.ts';
import type { PluginServices } from '../../plugin-services.ts';
import { refusal } from '../../refusal.ts';
import type { Evaluator, ScopeRequirement } from './evaluator.ts';
import { evaluatorOf, usedMoreByUpdates } from './evaluators.ts';
import { type LimitedResource, limitedResources } from './limited-resources.ts';
import { type Charge, QuotaUsage } from './quota-usage.ts';
import { type Amounts, amountsText, exceeded, minus, only, readAmounts } from './resource-amounts.ts';

/** Never counted: what is not stored, and events. */
const uncounted: readonly string[] = [
  'bindings',
  'componentstatuses',
  'events',
  'events.events.k8s.io',
  'tokenreviews.authentication.k8s.io',
  'localsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectrulesreviews.authorization.k8s.io',
  'subjectaccessreviews.authorization.k8s.io',
  'namespaces',
];

const counted: readonly Concern[] = [
  { operations: ['CREATE'], except: uncounted },
  ...usedMoreByUpdates.map((resource) => writes('', resource, 'UPDATE')),
];
/** Most clusters have no quotas. */
const nothing: readonly Concern[] = [];

/** A quota that is about the object, with those of its resources that are. */
interface Relevant {
  readonly quota: ResourceQuota;
  readonly tracked: readonly string[];
}

const requirementsOf = ({ spec = {} }: ResourceQuota): readonly ScopeRequirement[] => [
  ...(spec.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' })),
  ...(spec.scopeSelector?.matchExpressions ?? []),
];

function relevantOf(quotas: readonly ResourceQuota[], evaluator: Evaluator, object: KubeObject): Relevant[] {
  return quotas.flatMap((quota) => {
    const tracked = Object.keys(quota.status?.hard ?? {}).filter((name) => evaluator.tracks(name));
    const inScope = requirementsOf(quota).every((requirement) => evaluator.inScope?.(object, requirement) === true);
    return tracked.length > 0 && inScope ? [{ quota, tracked }] : [];
  });
}

/** What a quota demands of an object before anything is counted. @throws 403 */
function demandCountable(
  attributes: AdmissionAttributes,
  evaluator: Evaluator,
  object: KubeObject,
  { quota, tracked }: Relevant,
): void {
  const name = quota.metadata.name ?? '';
  const unstated = evaluator.unstated?.(object, tracked);
  if (unstated) throw refusal(attributes, `failed quota: ${name}: ${unstated}`);
  const used = quota.status?.used ?? {};
  if (tracked.every((resource) => Object.hasOwn(used, resource))) return;
  throw refusal(attributes, `status unknown for quota: ${name}, resources: ${[...tracked].sort().join(',')}`);
}

/** What the write adds to the use of resources; amounts of zero are left out. */
function additional({ operation, oldObject }: AdmissionAttributes, evaluator: Evaluator, object: KubeObject): Amounts {
  const usage = evaluator.usage(object);
  const more = operation === 'UPDATE' && oldObject ? minus(usage, evaluator.usage(oldObject)) : usage;
  return only(more, (_, { nanos }) => nanos !== 0n);
}

/** Resources that need a quota to cover them must have one. @throws 403 */
function demandCover(
  attributes: AdmissionAttributes,
  limited: readonly LimitedResource[],
  more: Amounts,
  relevant: readonly Relevant[],
): void {
  const covered = new Set(relevant.flatMap(({ tracked }) => tracked));
  const bare = [...more.keys()].filter(
    (name) =>
      !covered.has(name) && limited.some(({ matchContains }) => matchContains.some((part) => name.includes(part))),
  );
  if (bare.length > 0) throw refusal(attributes, `insufficient quota to consume: ${bare.sort().join(',')}`);
  const evaluator = evaluatorOf(attributes.resource.group, attributes.resource.resource);
  const object = attributes.object as KubeObject;
  const scopes = limited
    .flatMap(({ matchScopes }) => matchScopes)
    .filter((scope) => evaluator.inScope?.(object, scope));
  const named = new Set(relevant.flatMap(({ quota }) => requirementsOf(quota)).map(({ scopeName }) => scopeName));
  const open = scopes
    .filter(({ scopeName }) => !named.has(scopeName))
    .map(({ scopeName, operator, values = [] }) => `{${scopeName} ${operator} [${values.join(' ')}]}`);
  if (open.length > 0) throw refusal(attributes, `insufficient quota to match these scopes: [${open.join(' ')}]`);
}

/** Why a quota does not allow that much more, in words. */
function shortage({ metadata, status = {} }: ResourceQuota, requested: Amounts): string | undefined {
  const [used, hard] = [readAmounts(status.used), readAmounts(status.hard)];
  const short = exceeded(used, requested, hard);
  if (short.size === 0) return undefined;
  const [asked, now, limit] = [requested, used, hard].map((amounts) =>
    amountsText(only(amounts, (name) => short.has(name))),
  );
  return `exceeded quota: ${metadata.name}, requested: ${asked}, used: ${now}, limited: ${limit}`;
}

/** What a write takes of each quota that is about it. @throws 403 what they cannot count, or does not cover */
function chargesOf(
  attributes: AdmissionAttributes,
  object: KubeObject,
  quotas: readonly ResourceQuota[],
  limited: readonly LimitedResource[],
): readonly Charge[] {
  const { resource } = attributes;
  const evaluator = evaluatorOf(resource.group, resource.resource);
  const relevant = relevantOf(quotas, evaluator, object);
  for (const each of relevant) demandCountable(attributes, evaluator, object, each);
  const more = additional(attributes, evaluator, object);
  const [negative] = [...only(more, (_, { nanos }) => nanos < 0n).keys()].sort();
  if (negative !== undefined) throw refusal(attributes, `quota usage is negative for resource(s): ${negative}`);
  if (more.size === 0) return [];
  demandCover(attributes, limited, more, relevant);
  return relevant.map(({ quota }) => ({
    quota,
    amounts: only(more, (name) => Object.hasOwn(quota.status?.hard ?? {}, name)),
  }));
}

/**
 * Counts what a namespace uses against its quotas and refuses what is too much: `status.hard` is the limit
 * and `status.used` the count, which is raised at once and lowered by a controller only. Each count is raised by
 * one atomic change of the quota that holds the limit, so that no number of writers at the same time gets more.
 */
export const resourceQuota = (
  services: Pick<PluginServices, 'followed' | 'store' | 'clock' | 'configurations'>,
): AdmissionPlugin => {
  const { resourceQuotas } = services.followed;
  const usage = new QuotaUsage(services);
  const limited = limitedResources(services.configurations.get('ResourceQuota'));
  const limitedFor = ({ group, resource }: AdmissionAttributes['resource']) =>
    limited.filter((each) => each.apiGroup === group && each.resource === resource);
  const judge = async (attributes: AdmissionAttributes, object: KubeObject): Promise<void> => {
    const { resource, namespace, dryRun } = attributes;
    const charges = chargesOf(attributes, object, resourceQuotas.in(namespace), limitedFor(resource));
    if (charges.length === 0) return;
    const allow = (quota: ResourceQuota, amounts: Amounts) => {
      const why = shortage(quota, amounts);
      if (why) throw refusal(attributes, why);
    };
    for (const { quota, amounts } of charges) allow(quota, amounts);
    if (dryRun) return;
    const giveBack = await usage.charge(charges, allow);
    attributes.onAbandon(giveBack);
  };
  return {
    name: 'ResourceQuota',
    get cares() {
      return limited.length === 0 && resourceQuotas.isEmpty ? nothing : counted;
    },
    validate(attributes) {
      const { object, namespace } = attributes;
      if (!object || namespace === '') return undefined;
      if (limited.length === 0 && resourceQuotas.in(namespace).length === 0) return undefined;
      return judge(attributes, object);
    },
  };
};
