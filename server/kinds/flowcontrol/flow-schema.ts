import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { dnsLabel, dnsSubdomain } from '../../base/names.ts';
import { eachOf, oneOf, requiredName, requiredText } from '../field-rules.ts';
import { specChanged } from '../same-value.ts';
import { defineKind } from '../strategy.ts';
import { age, ageColumn, column, nameColumn } from '../table-cells.ts';
import { conditionsStatus } from './conditions-status.ts';
import { followLevels } from './dangling.ts';
import { fixedSpec } from './mandatory.ts';

interface Subject {
  kind?: string;
  user?: { name?: string };
  group?: { name?: string };
  serviceAccount?: { namespace?: string; name?: string };
}

interface ResourceRule {
  verbs?: string[];
  apiGroups?: string[];
  resources?: string[];
  clusterScope?: boolean;
  namespaces?: string[];
}

interface Rule {
  subjects?: Subject[];
  resourceRules?: ResourceRule[];
  nonResourceRules?: { verbs?: string[]; nonResourceURLs?: string[] }[];
}

interface FlowSchema extends KubeObject {
  spec?: {
    priorityLevelConfiguration?: { name?: string };
    matchingPrecedence?: number;
    distinguisherMethod?: { type?: string };
    rules?: Rule[];
  };
  status?: { conditions?: { type?: string; status?: string }[] };
}

const at = FieldPath.of('spec');
const highestPrecedence = 10_000;
const usualPrecedence = 1_000;

const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', 'proxy'];

/** A list that must say something, and where `*` stands alone. */
function listed(list: readonly string[] | undefined, here: FieldPath): FieldError[] {
  if (!list?.length) return [required(here)];
  return list.includes('*') && list.length > 1
    ? [invalidValue(here, list, "if '*' is present, must not specify others")]
    : [];
}

function validateVerbs(list: readonly string[] | undefined, here: FieldPath): FieldError[] {
  const errors = listed(list, here);
  return !list?.includes('*') && list?.some((verb) => !verbs.includes(verb))
    ? [...errors, notSupported(here, list, verbs)]
    : errors;
}

const subjectFields = { User: 'user', Group: 'group', ServiceAccount: 'serviceAccount' } as const;

function validateSubject(subject: Subject, here: FieldPath): FieldError[] {
  const { kind = '' } = subject;
  if (!Object.hasOwn(subjectFields, kind))
    return [notSupported(here.child('kind'), kind, ['Group', 'ServiceAccount', 'User'])];
  const field = subjectFields[kind as keyof typeof subjectFields];
  const value = subject[field];
  const others = Object.values(subjectFields)
    .filter((other) => other !== field && subject[other])
    .map((other) => forbiddenField(here.child(other), `${other} is forbidden when subject kind is not its own`));
  if (!value) return [...others, required(here.child(field), `${field} is required when subject kind is '${kind}'`)];
  return [
    ...others,
    ...(kind === 'ServiceAccount'
      ? validateAccount(value, here.child(field))
      : requiredText(value.name, here.child(field).child('name'))),
  ];
}

/** One account of a namespace, or all of them. */
const validateAccount = (
  { name, namespace }: NonNullable<Subject['serviceAccount']>,
  here: FieldPath,
): FieldError[] => [
  ...(name === '*' ? [] : requiredName(name, dnsSubdomain, here.child('name'))),
  ...requiredName(namespace, dnsLabel, here.child('namespace')),
];

/** As `listed`; the entries are looked at where `*` is none of them. */
const eachListed = (
  list: readonly string[] | undefined,
  here: FieldPath,
  fits: (text: string) => boolean,
  what: string,
) => [
  ...listed(list, here),
  ...(list?.includes('*')
    ? []
    : eachOf(list, here, (text, spot) => (fits(text) ? [] : [invalidValue(spot, text, what)]))),
];

const isNamespace = (name: string) => dnsLabel(name).length === 0;

/** `/`, or a path without blanks and empty segments, of which `*` can be the last. */
const isNonResourcePath = (path: string) => /^\/(?:[^* /]+\/)*(?:[^* /]+|\*)?$/.test(path);

function validateRule({ subjects, resourceRules = [], nonResourceRules = [] }: Rule, here: FieldPath): FieldError[] {
  return [
    ...(subjects?.length
      ? eachOf(subjects, here.child('subjects'), validateSubject)
      : [required(here.child('subjects'), 'subjects must contain at least one value')]),
    ...(resourceRules.length + nonResourceRules.length === 0
      ? [required(here, 'at least one of resourceRules and nonResourceRules has to be non-empty')]
      : []),
    ...eachOf(resourceRules, here.child('resourceRules'), (rule, spot) => [
      ...validateVerbs(rule.verbs, spot.child('verbs')),
      ...listed(rule.apiGroups, spot.child('apiGroups')),
      ...listed(rule.resources, spot.child('resources')),
      ...(rule.namespaces?.length
        ? eachListed(rule.namespaces, spot.child('namespaces'), isNamespace, "must be '*' or a DNS label")
        : rule.clusterScope
          ? []
          : [
              required(
                spot.child('namespaces'),
                'resource rules that are not cluster scoped must supply at least one namespace',
              ),
            ]),
    ]),
    ...eachOf(nonResourceRules, here.child('nonResourceRules'), (rule, spot) => [
      ...validateVerbs(rule.verbs, spot.child('verbs')),
      ...eachListed(
        rule.nonResourceURLs,
        spot.child('nonResourceURLs'),
        isNonResourcePath,
        "must be '*' or an absolute path, with '*' only as its last part",
      ),
    ]),
  ];
}

function validate(object: FlowSchema): FieldError[] {
  const { metadata, spec = {} } = object;
  const { matchingPrecedence: precedence = 0, distinguisherMethod: method } = spec;
  const here = at.child('matchingPrecedence');
  return [
    ...(precedence <= 0 ? [invalidValue(here, precedence, 'must be a positive value')] : []),
    ...(precedence > highestPrecedence
      ? [invalidValue(here, precedence, `must not be greater than ${highestPrecedence}`)]
      : []),
    ...(precedence === 1 && metadata.name !== 'exempt'
      ? [invalidValue(here, precedence, "only the schema named 'exempt' may have matchingPrecedence 1")]
      : []),
    ...(method
      ? oneOf(method.type ?? '', ['ByNamespace', 'ByUser'], at.child('distinguisherMethod').child('type'))
      : []),
    ...requiredName(
      spec.priorityLevelConfiguration?.name,
      dnsSubdomain,
      at.child('priorityLevelConfiguration').child('name'),
    ),
    ...eachOf(spec.rules, at.child('rules'), validateRule),
    ...fixedSpec(object, 'flowschemas'),
  ];
}

const compareText = (one = '', other = '') => (one < other ? -1 : one > other ? 1 : 0);

/** Whether the priority level that is named is missing: `?` while nobody has looked. */
function missingLevel({ status }: FlowSchema): string {
  const condition = status?.conditions?.find(({ type }) => type === 'Dangling');
  return condition?.status ?? '?';
}

export const flowSchema = defineKind<FlowSchema>({
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1beta2',
  kind: 'FlowSchema',
  resource: 'flowschemas',
  default(object) {
    object.spec ??= {};
    object.status ??= {};
    object.spec.matchingPrecedence ||= usualPrecedence;
  },
  deprecations: {
    v1beta1:
      'flowcontrol.apiserver.k8s.io/v1beta1 FlowSchema is deprecated in v1.23+, unavailable in v1.26+; use flowcontrol.apiserver.k8s.io/v1beta2 FlowSchema',
  },
  generationRises: specChanged,
  validate,
  subresources: { status: conditionsStatus },
  start: followLevels,
  table: {
    columns: [
      nameColumn,
      column('PriorityLevel'),
      column('MatchingPrecedence'),
      column('DistinguisherMethod'),
      ageColumn,
      column('MissingPL'),
    ],
    // As requests are matched; names break ties.
    order: (one, other) =>
      (one.spec?.matchingPrecedence ?? 0) - (other.spec?.matchingPrecedence ?? 0) ||
      compareText(one.metadata.name, other.metadata.name),
    cells: (object, now) => [
      object.metadata.name,
      object.spec?.priorityLevelConfiguration?.name ?? '<none>',
      object.spec?.matchingPrecedence,
      object.spec?.distinguisherMethod?.type ?? '<none>',
      age(object, now),
      missingLevel(object),
    ],
  },
});
