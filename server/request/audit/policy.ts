import { readFileSync } from 'node:fs';
import type { Fields } from '../../base/untyped.ts';
import type { User } from '../../base/user.ts';
import { parseYaml } from '../../base/yaml-text.ts';

/** How much of a request is recorded: nothing, what was asked, also what was sent, also what was answered. */
const auditLevels = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
export type AuditLevel = (typeof auditLevels)[number];

const auditStages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;
export type AuditStage = (typeof auditStages)[number];

export const atLeast = (level: AuditLevel, least: AuditLevel) =>
  auditLevels.indexOf(level) >= auditLevels.indexOf(least);

/** What a rule looks at. */
export interface AuditSubject {
  /** Missing when the caller could not be authenticated. */
  readonly user: User | undefined;
  readonly isResource: boolean;
  readonly verb: string;
  readonly path: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/** What a policy decides about one request. */
export interface AuditDecision {
  readonly level: AuditLevel;
  readonly omitStages: ReadonlySet<string>;
  readonly omitManagedFields: boolean;
}

export interface AuditPolicy {
  decide(subject: AuditSubject): AuditDecision;
}

const unrecorded: AuditDecision = { level: 'None', omitStages: new Set(), omitManagedFields: false };

interface GroupResources {
  readonly group: string;
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
}

interface Rule {
  readonly users: readonly string[];
  readonly userGroups: readonly string[];
  readonly verbs: readonly string[];
  readonly resources: readonly GroupResources[];
  readonly namespaces: readonly string[];
  readonly nonResourceURLs: readonly string[];
  readonly decision: AuditDecision;
}

const open = (list: readonly string[], value: string) => list.length === 0 || list.includes(value);

function matchesUser({ users, userGroups }: Rule, user: User | undefined): boolean {
  if (users.length && !users.includes(user?.name ?? '')) return false;
  return userGroups.length === 0 || (user?.groups ?? []).some((group) => userGroups.includes(group));
}

function matchesGroupResources(rule: GroupResources, subject: AuditSubject): boolean {
  if (rule.group !== subject.group) return false;
  if (!rule.resources.length) return true;
  if (!open(rule.resourceNames, subject.name)) return false;
  const { resource, subresource } = subject;
  const whole = subresource ? `${resource}/${subresource}` : resource;
  const wild = subresource ? [`${resource}/*`, `*/${subresource}`] : [];
  return [whole, '*', ...wild].some((key) => rule.resources.includes(key));
}

function matches(rule: Rule, subject: AuditSubject): boolean {
  if (!matchesUser(rule, subject.user) || !open(rule.verbs, subject.verb)) return false;
  const { resources, namespaces, nonResourceURLs } = rule;
  if (resources.length || namespaces.length) {
    if (!subject.isResource || !open(namespaces, subject.namespace)) return false;
    return !resources.length || resources.some((each) => matchesGroupResources(each, subject));
  }
  if (!nonResourceURLs.length) return true;
  return !subject.isResource && nonResourceURLs.some((url) => matchesUrl(url, subject.path));
}

const matchesUrl = (url: string, path: string) =>
  url.endsWith('*') ? path.startsWith(url.slice(0, -1)) : url === path;

/**
 * A policy of `audit.k8s.io/v1`: the first rule that matches decides, no rule at all leaves the request out.
 * @throws Error that says where the text is not such a policy
 */
export function readAuditPolicy(text: string): AuditPolicy {
  const policy = mappingAt(parseYaml(text), 'the policy');
  if (policy.apiVersion !== 'audit.k8s.io/v1' || policy.kind !== 'Policy') {
    throw new Error('the policy must be a Policy of audit.k8s.io/v1');
  }
  const rules = listAt(policy.rules, 'rules').map((rule, i) => readRule(mappingAt(rule, `rules[${i}]`), policy, i));
  if (!rules.length) throw new Error('rules: at least one rule is needed');
  return { decide: (subject) => rules.find((rule) => matches(rule, subject))?.decision ?? unrecorded };
}

export const readAuditPolicyFile = (file: string): AuditPolicy => {
  try {
    return readAuditPolicy(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`);
  }
};

function readRule(rule: Fields, policy: Fields, position: number): Rule {
  const at = (field: string) => `rules[${position}].${field}`;
  const texts = (field: string) => textsAt(rule[field], at(field));
  const resources = listAt(rule.resources, at('resources')).map((each, i) =>
    readResources(each, at(`resources[${i}]`)),
  );
  const nonResourceURLs = texts('nonResourceURLs');
  const namespaces = texts('namespaces');
  if (nonResourceURLs.length && (resources.length || namespaces.length)) {
    throw new Error(`${at('nonResourceURLs')}: a rule is about resources or about other URLs, not both`);
  }
  for (const url of nonResourceURLs) {
    if (url !== '*' && (!url.startsWith('/') || url.slice(0, -1).includes('*'))) {
      throw new Error(`${at('nonResourceURLs')}: ${url} must begin with / and may have * only at its end`);
    }
  }
  const decision = readDecision(rule, policy, at);
  return {
    users: texts('users'),
    userGroups: texts('userGroups'),
    verbs: texts('verbs'),
    resources,
    namespaces,
    nonResourceURLs,
    decision,
  };
}

function readDecision(rule: Fields, policy: Fields, at: (field: string) => string): AuditDecision {
  const level = auditLevels.find((each) => each === rule.level);
  if (!level) throw new Error(`${at('level')}: must be one of ${auditLevels.join(', ')}`);
  const omitted = [...stagesAt(policy.omitStages, 'omitStages'), ...stagesAt(rule.omitStages, at('omitStages'))];
  const omitManagedFields = (rule.omitManagedFields ?? policy.omitManagedFields) === true;
  return { level, omitStages: new Set(omitted), omitManagedFields };
}

function readResources(value: unknown, where: string): GroupResources {
  const { group, resources, resourceNames } = mappingAt(value, where);
  const read = {
    group: typeof group === 'string' ? group : '',
    resources: textsAt(resources, `${where}.resources`),
    resourceNames: textsAt(resourceNames, `${where}.resourceNames`),
  };
  if (read.resourceNames.length && !read.resources.length) throw new Error(`${where}.resourceNames: needs resources`);
  return read;
}

function mappingAt(value: unknown, where: string): Fields {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new Error(`${where}: must be a mapping`);
  return value as Fields;
}

function listAt(value: unknown, where: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new Error(`${where}: must be a list`);
  return value;
}

function textsAt(value: unknown, where: string): readonly string[] {
  const list = listAt(value, where);
  if (!list.every((item) => typeof item === 'string')) throw new Error(`${where}: must be a list of texts`);
  return list as string[];
}

function stagesAt(value: unknown, where: string): readonly string[] {
  const stages = textsAt(value, where);
  for (const stage of stages) {
    if (!auditStages.some((each) => each === stage)) throw new Error(`${where}: unknown stage ${stage}`);
  }
  return stages;
}
