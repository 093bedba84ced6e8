import { duplicate, type FieldError, invalidValue, required } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import { dns1035Label, dnsSubdomain } from '../../base/names.ts';
import { eachOf, oneOf } from '../field-rules.ts';
import { validateLabelSelector } from '../label-selector-field.ts';
import { validateClientConfig } from './client-config-rules.ts';
import type { Webhook, WebhookConfiguration, WebhookRule } from './webhook-shape.ts';

/** In place. */
export function defaultWebhook(webhook: Webhook): void {
  webhook.failurePolicy ??= 'Fail';
  webhook.matchPolicy ??= 'Equivalent';
  webhook.namespaceSelector ??= {};
  webhook.objectSelector ??= {};
  webhook.timeoutSeconds ??= 10;
  webhook.clientConfig ??= {};
  if (webhook.clientConfig.service) webhook.clientConfig.service.port ??= 443;
  for (const rule of webhook.rules ?? []) rule.scope ??= '*';
}

export function validateWebhooks({ webhooks }: WebhookConfiguration): FieldError[] {
  const names = new Set<string>();
  return eachOf(webhooks, FieldPath.of('webhooks'), (webhook, at) => {
    const twice = webhook.name !== undefined && names.has(webhook.name);
    if (webhook.name) names.add(webhook.name);
    return [
      ...validateWebhook(webhook, at),
      ...reviewVersions(webhook.admissionReviewVersions, at.child('admissionReviewVersions')),
      ...(twice ? [duplicate(at.child('name'), webhook.name)] : []),
    ];
  });
}

/** A name of at least three parts, such as `policy.example.com`. */
function qualifiedByDomain(name: string | undefined, at: FieldPath): FieldError[] {
  if (!name) return [required(at)];
  const problems = dnsSubdomain(name).map((problem) => invalidValue(at, name, problem));
  if (problems.length > 0) return problems;
  return name.split('.').length < 3
    ? [invalidValue(at, name, 'should be a domain with at least three segments separated by dots')]
    : [];
}

const longestTimeout = 30;

function validateWebhook(webhook: Webhook, at: FieldPath): FieldError[] {
  const { sideEffects, timeoutSeconds: seconds = 10 } = webhook;
  return [
    ...qualifiedByDomain(webhook.name, at.child('name')),
    ...eachOf(webhook.rules, at.child('rules'), validateRule),
    ...oneOf(webhook.failurePolicy, ['Fail', 'Ignore'], at.child('failurePolicy')),
    ...oneOf(webhook.matchPolicy, ['Equivalent', 'Exact'], at.child('matchPolicy')),
    ...(sideEffects === undefined
      ? [required(at.child('sideEffects'), 'must specify one of None, NoneOnDryRun')]
      : oneOf(sideEffects, ['None', 'NoneOnDryRun'], at.child('sideEffects'))),
    ...(seconds < 1 || seconds > longestTimeout
      ? [invalidValue(at.child('timeoutSeconds'), seconds, 'the timeout value must be between 1 and 30 seconds')]
      : []),
    ...validateLabelSelector(webhook.namespaceSelector, at.child('namespaceSelector')),
    ...validateLabelSelector(webhook.objectSelector, at.child('objectSelector')),
    ...oneOf(webhook.reinvocationPolicy, ['IfNeeded', 'Never'], at.child('reinvocationPolicy')),
    ...validateClientConfig(webhook.clientConfig, at.child('clientConfig')),
  ];
}

const knownVersions = ['v1', 'v1beta1'];

function reviewVersions(versions: readonly string[] | undefined, at: FieldPath): FieldError[] {
  if (!versions?.length) return [required(at, `must specify one of ${knownVersions.join(', ')}`)];
  const seen = new Set<string>();
  const errors = eachOf(versions, at, (version, here) => {
    if (seen.has(version)) return [invalidValue(here, version, 'duplicate version')];
    seen.add(version);
    return dns1035Label(version).map((problem) => invalidValue(here, version, problem));
  });
  return versions.some((version) => knownVersions.includes(version))
    ? errors
    : [...errors, invalidValue(at, versions, `must include at least one of ${knownVersions.join(', ')}`)];
}

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];

function validateRule(rule: WebhookRule, at: FieldPath): FieldError[] {
  return [
    ...filled(rule.operations, at.child('operations')),
    ...alone(rule.operations, at.child('operations'), 'operations'),
    ...eachOf(rule.operations, at.child('operations'), (operation, here) => oneOf(operation, operations, here)),
    ...filled(rule.apiGroups, at.child('apiGroups')),
    ...alone(rule.apiGroups, at.child('apiGroups'), 'API groups'),
    ...filled(rule.apiVersions, at.child('apiVersions')),
    ...alone(rule.apiVersions, at.child('apiVersions'), 'API versions'),
    ...eachOf(rule.apiVersions, at.child('apiVersions'), notEmpty),
    ...validateResources(rule.resources, at.child('resources')),
    ...oneOf(rule.scope, ['*', 'Cluster', 'Namespaced'], at.child('scope')),
  ];
}

const filled = (list: readonly string[] | undefined, at: FieldPath): FieldError[] =>
  list?.length ? [] : [required(at)];

const notEmpty = (text: string, at: FieldPath): FieldError[] => (text === '' ? [required(at)] : []);

const alone = (list: readonly string[] | undefined, at: FieldPath, what: string): FieldError[] =>
  list && list.length > 1 && list.includes('*')
    ? [invalidValue(at, list, `if '*' is present, must not specify other ${what}`)]
    : [];

/** `*`, `pods`, `pods/log`, `pods/*`, `*` with a subresource, and `*` with `*`: none may make another needless. */
function validateResources(resources: readonly string[] | undefined, at: FieldPath): FieldError[] {
  if (!resources?.length) return [required(at)];
  const errors = eachResource(resources, at);
  if (resources.length > 1 && resources.includes('*/*'))
    errors.push(invalidValue(at, resources, "if '*/*' is present, must not specify other resources"));
  // Real servers look at the last of those without a subresource alone.
  const plain = resources.filter((text) => text !== '' && !text.includes('/'));
  if (plain.includes('*') && plain.at(-1) !== '*')
    errors.push(
      invalidValue(at, resources, "if '*' is present, must not specify other resources without subresources"),
    );
  return errors;
}

/** What is needless itself makes others needless as well. */
function eachResource(resources: readonly string[], at: FieldPath): FieldError[] {
  const everySubresourceOf = new Set<string>();
  const everywhere = new Set<string>();
  return eachOf(resources, at, (text, here) => {
    if (text === '') return [required(here)];
    const [resource = '', ...rest] = text.split('/');
    if (rest.length === 0) return [];
    const subresource = rest.join('/');
    const wider = [
      ...(everySubresourceOf.has(resource) ? [`${resource}/*`] : []),
      ...(everywhere.has(subresource) ? [`*/${subresource}`] : []),
    ];
    if (subresource === '*') everySubresourceOf.add(resource);
    if (resource === '*') everywhere.add(subresource);
    return wider.map((other) => invalidValue(here, text, `if '${other}' is present, must not specify ${text}`));
  });
}
