import { type FieldError, invalidValue } from '../base/field-error.ts';
import type { KubeObject } from '../base/kube-object.ts';
import { badRequest, invalid } from '../base/status-error.ts';
import { type Fields, fieldsOf, textOf, textsOf } from '../base/untyped.ts';
import type { User } from '../base/user.ts';
import type { Operation, OperationResult } from '../kinds/strategy.ts';
import type { Action, Authorizer } from './authorizer.ts';
import type { PolicyRule } from './policy-rule.ts';

const group = 'authorization.k8s.io';
const apiVersion = `${group}/v1`;

/** Who may do what in a namespace, as far as the authorizers in force can tell. */
export interface RuleSource {
  rulesFor(
    user: User,
    namespace: string,
  ): { readonly rules: readonly PolicyRule[]; readonly incomplete: boolean; readonly error: string };
}

/** These kinds name themselves in no refusal: only the group is told. */
const refused = (errors: readonly FieldError[]) => invalid({ group, resource: '' }, '', errors);

const answer = (kind: string, metadata: KubeObject['metadata'], spec: unknown, status: Fields): OperationResult => ({
  code: 201,
  object: { kind, apiVersion, metadata, spec, status },
});

function actionOf(spec: Fields): Action {
  if (spec.nonResourceAttributes) {
    const path = fieldsOf(spec.nonResourceAttributes);
    return { type: 'path', verb: textOf(path.verb), path: textOf(path.path) };
  }
  const asked = fieldsOf(spec.resourceAttributes);
  return {
    type: 'resource',
    verb: textOf(asked.verb),
    group: textOf(asked.group),
    version: textOf(asked.version),
    resource: textOf(asked.resource),
    subresource: textOf(asked.subresource),
    namespace: textOf(asked.namespace),
    name: textOf(asked.name),
  };
}

/** How the value reads in a refusal. */
const pathText = ({ path, verb }: Fields) =>
  `Invalid value: authorization.NonResourceAttributes{Path:${JSON.stringify(textOf(path))}, Verb:${JSON.stringify(textOf(verb))}}`;

function oneKindOfAttributes(spec: Fields): FieldError[] {
  const both = spec.resourceAttributes && spec.nonResourceAttributes;
  if (both) {
    const why = 'cannot be specified in combination with resourceAttributes';
    const shown = pathText(fieldsOf(spec.nonResourceAttributes));
    return [{ reason: 'FieldValueInvalid', field: 'spec.nonResourceAttributes', text: `${shown}: ${why}` }];
  }
  if (spec.resourceAttributes || spec.nonResourceAttributes) return [];
  const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return [invalidValue('spec.resourceAttributes', 'null', why)];
}

function somebodyNamed(spec: Fields): FieldError[] {
  return textOf(spec.user) || textsOf(spec.groups).length
    ? []
    : [invalidValue('spec.user', '', 'at least one of user or group must be specified')];
}

/** Nothing is stored, so there is nothing that metadata could describe. */
function emptyMetadata(metadata: KubeObject['metadata']): FieldError[] {
  const { managedFields: _fields, namespace: named, creationTimestamp: _made, ...rest } = metadata;
  const kept = Object.values(rest).some((value) => value !== undefined && value !== null && value !== '');
  return kept || named ? [invalidValue('metadata', rest, 'must be empty')] : [];
}

function insideNamespace(spec: Fields, namespace: string): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.nonResourceAttributes) {
    const shown = pathText(fieldsOf(spec.nonResourceAttributes));
    const text = `${shown}: disallowed on this kind of request`;
    errors.push({ reason: 'FieldValueInvalid', field: 'spec.nonResourceAttributes', text });
  }
  const asked = textOf(fieldsOf(spec.resourceAttributes).namespace);
  if (spec.resourceAttributes && asked !== namespace)
    errors.push(invalidValue('spec.resourceAttributes.namespace', asked, 'must match metadata.namespace'));
  return errors;
}

/** Whom a review asks about; groups are taken as they are, none is added. */
function subjectOf(spec: Fields): User {
  const extra: Record<string, readonly string[]> = Object.create(null);
  for (const [key, values] of Object.entries(fieldsOf(spec.extra))) extra[key] = textsOf(values);
  return { name: textOf(spec.user), uid: textOf(spec.uid), groups: textsOf(spec.groups), extra };
}

async function decide(authorizer: Authorizer, user: User, spec: Fields): Promise<Fields> {
  const { decision, reason, error } = await authorizer.authorize(user, actionOf(spec));
  return {
    allowed: decision === 'allow',
    ...(decision === 'deny' && { denied: true }),
    ...(reason && { reason }),
    ...(error && { evaluationError: error }),
  };
}

function check(errors: readonly FieldError[]): void {
  if (errors.length) throw refused(errors);
}

/** Who sent which fields is told as for any object. */
const managersIn = ({ managedFields }: KubeObject['metadata']) => ({ ...(managedFields && { managedFields }) });

const sent = (body: KubeObject | undefined) => ({ spec: fieldsOf(body?.spec), metadata: body?.metadata ?? {} });

/** What a named user or group may do. Each kind answers 201 with `status`, whatever the decision. */
export const subjectAccessReview =
  (authorizer: Authorizer): Operation =>
  async ({ body }) => {
    const { spec, metadata } = sent(body);
    check([...somebodyNamed(spec), ...oneKindOfAttributes(spec), ...emptyMetadata(metadata)]);
    return answer('SubjectAccessReview', managersIn(metadata), spec, await decide(authorizer, subjectOf(spec), spec));
  };

/** What the caller may do. */
export const selfSubjectAccessReview =
  (authorizer: Authorizer): Operation =>
  async ({ body, context }) => {
    const { spec, metadata } = sent(body);
    check([...oneKindOfAttributes(spec), ...emptyMetadata(metadata)]);
    return answer('SelfSubjectAccessReview', managersIn(metadata), spec, await decide(authorizer, context.user, spec));
  };

/** What a named user or group may do inside one namespace, which need not exist. */
export const localSubjectAccessReview =
  (authorizer: Authorizer): Operation =>
  async ({ body, namespace }) => {
    const { spec, metadata } = sent(body);
    const { namespace: _namespace, ...rest } = metadata;
    const named = insideNamespace(spec, namespace);
    const about = named.length ? named : oneKindOfAttributes(spec);
    check([...somebodyNamed(spec), ...about, ...emptyMetadata(rest)]);
    const status = await decide(authorizer, subjectOf(spec), spec);
    return answer('LocalSubjectAccessReview', { ...managersIn(metadata), namespace }, spec, status);
  };

/** Every rule the caller holds in one namespace; `spec` is not told back. */
export const selfSubjectRulesReview =
  (source: RuleSource): Operation =>
  async ({ body, context }) => {
    const namespace = textOf(sent(body).spec.namespace);
    if (!namespace) throw badRequest('no namespace on request');
    const { rules, incomplete, error } = source.rulesFor(context.user, namespace);
    return answer(
      'SelfSubjectRulesReview',
      {},
      {},
      {
        resourceRules: rules.filter((rule) => !rule.nonResourceURLs?.length).map(resourceRule),
        nonResourceRules: rules.filter((rule) => rule.nonResourceURLs?.length).map(pathRule),
        incomplete,
        ...(error && { evaluationError: error }),
      },
    );
  };

const resourceRule = ({ verbs, apiGroups, resources, resourceNames }: PolicyRule) => ({
  verbs,
  apiGroups: apiGroups ?? [],
  resources: resources ?? [],
  ...(resourceNames?.length && { resourceNames }),
});

const pathRule = ({ verbs, nonResourceURLs }: PolicyRule) => ({ verbs, nonResourceURLs });
