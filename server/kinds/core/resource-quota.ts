import { type FieldError, invalidValue, required } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { eachOf, immutable } from '../field-rules.ts';
import { checkedStatus } from '../status-subresource.ts';
import { defineKind } from '../strategy.ts';
import { age, ageColumn, column, nameColumn } from '../table-cells.ts';
import type { Quantities, SelectorRequirement } from './pod/shape.ts';
import { isStandardQuotaResource, quotaResourceName, resourceAmounts } from './resource-names.ts';

interface ScopedRequirement {
  scopeName?: string;
  operator?: string;
  values?: string[];
}

export interface ResourceQuota extends KubeObject {
  spec?: { hard?: Quantities; scopes?: string[]; scopeSelector?: { matchExpressions?: ScopedRequirement[] } };
  status?: { hard?: Quantities; used?: Quantities };
}

const scopes = [
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
];

const opposites: readonly [string, string][] = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
];

const clashes = (names: readonly string[]) => opposites.some((pair) => pair.every((scope) => names.includes(scope)));

const podScoped = /^(?:pods|(?:(?:requests|limits)\.)?(?:cpu|memory))$/;

/** Pods without requests and limits can only be counted. What is no standard resource goes with any scope. */
function scopeFits(scope: string, hard: Quantities, at: FieldPath, names: readonly string[]): FieldError[] {
  return Object.keys(hard).flatMap((resource) => {
    const fits =
      !isStandardQuotaResource(resource) || (scope === 'BestEffort' ? resource === 'pods' : podScoped.test(resource));
    return fits ? [] : [invalidValue(at, names, 'unsupported scope applied to resource')];
  });
}

function validateScopes({ spec = {} }: ResourceQuota): FieldError[] {
  const names = spec.scopes ?? [];
  const at = FieldPath.of('spec', 'scopes');
  const errors = names.flatMap((scope) =>
    scopes.includes(scope)
      ? scopeFits(scope, spec.hard ?? {}, at, names)
      : [invalidValue(at, names, 'unsupported scope')],
  );
  if (clashes(names)) errors.push(invalidValue(at, names, 'conflicting scopes'));
  return errors;
}

const onlyExists = new Set([
  'BestEffort',
  'NotBestEffort',
  'Terminating',
  'NotTerminating',
  'CrossNamespacePodAffinity',
]);

function validateScopeSelector({ spec = {} }: ResourceQuota): FieldError[] {
  const list = spec.scopeSelector?.matchExpressions;
  const at = FieldPath.of('spec', 'scopeSelector', 'matchExpressions');
  const errors = eachOf(list, at, ({ scopeName = '', operator, values = [] }) => {
    const found: FieldError[] = [];
    if (!scopes.includes(scopeName)) found.push(invalidValue(at.child('scopeName'), scopeName, 'unsupported scope'));
    else found.push(...scopeFits(scopeName, spec.hard ?? {}, at, [scopeName]));
    if (onlyExists.has(scopeName) && operator !== 'Exists')
      found.push(
        invalidValue(
          at.child('operator'),
          operator ?? '',
          `must be 'Exist' only operator when scope is any of ${[...onlyExists].join(', ')}`,
        ),
      );
    return [...found, ...operatorFits({ ...(operator && { operator }), values }, at)];
  });
  if (clashes((list ?? []).map(({ scopeName = '' }) => scopeName)))
    errors.push(invalidValue(at, list, 'conflicting scopes'));
  return errors;
}

function operatorFits({ operator, values = [] }: SelectorRequirement, at: FieldPath): FieldError[] {
  if (operator === 'In' || operator === 'NotIn')
    return values.length === 0
      ? [required(at.child('values'), `must be at least one value when operator is ${operator}`)]
      : [];
  if (operator === 'Exists' || operator === 'DoesNotExist')
    return values.length > 0
      ? [invalidValue(at.child('values'), values, 'must be no value when operator is Exists or DoesNotExist')]
      : [];
  return [invalidValue(at.child('operator'), operator ?? '', 'not a valid selector operator')];
}

/** `used/hard` of each resource, in order of names. */
function usage({ status = {} }: ResourceQuota, wanted: (name: string) => boolean): string {
  const hard = status.hard ?? {};
  return Object.keys(hard)
    .filter(wanted)
    .sort()
    .map((name) => `${name}: ${status.used?.[name] ?? '0'}/${hard[name]}`)
    .join(', ');
}

export const resourceQuota = defineKind<ResourceQuota>({
  group: '',
  version: 'v1',
  kind: 'ResourceQuota',
  resource: 'resourcequotas',
  loosePrefixOnUpdate: true,
  deleteAnswersObject: true,
  validate: (quota) => [
    ...resourceAmounts(quota.spec?.hard, quotaResourceName, FieldPath.of('spec', 'hard')),
    ...validateScopes(quota),
    ...validateScopeSelector(quota),
  ],
  validateUpdate: (next, previous) =>
    sortedScopes(next) === sortedScopes(previous)
      ? []
      : immutable(next.spec?.scopes, previous.spec?.scopes, FieldPath.of('spec', 'scopes')),
  subresources: {
    status: checkedStatus<ResourceQuota>(({ status = {} }) => [
      ...resourceAmounts(status.hard, quotaResourceName, FieldPath.of('status', 'hard')),
      ...resourceAmounts(status.used, quotaResourceName, FieldPath.of('status', 'used')),
    ]),
  },
  default(quota) {
    quota.spec ??= {};
    quota.status ??= {};
  },
  table: {
    columns: [nameColumn, ageColumn, column('Request'), column('Limit')],
    cells: (quota, now) => [
      quota.metadata.name,
      age(quota, now),
      usage(quota as ResourceQuota, (name) => !name.startsWith('limits.')),
      usage(quota as ResourceQuota, (name) => name.startsWith('limits.')),
    ],
  },
});

const sortedScopes = ({ spec }: ResourceQuota) => JSON.stringify([...new Set(spec?.scopes)].sort());
