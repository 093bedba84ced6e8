import { textsOf } from '../base/untyped.ts';
import type { PathAction, ResourceAction } from './authorizer.ts';

/** One rule of a Role or ClusterRole, as stored. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** A rule with its lists as sets, made once when the role is read. */
export interface CompiledRule {
  readonly rule: PolicyRule;
  readonly verbs: ReadonlySet<string>;
  readonly anyVerb: boolean;
  readonly groups: ReadonlySet<string>;
  readonly anyGroup: boolean;
  readonly resources: ReadonlySet<string>;
  /** Undefined: every name. */
  readonly names: ReadonlySet<string> | undefined;
  readonly urls: ReadonlySet<string>;
  /** URLs that end in `*`, without it. */
  readonly urlPrefixes: readonly string[];
}

export function compileRule(rule: PolicyRule): CompiledRule {
  const verbs = new Set(textsOf(rule.verbs));
  const groups = new Set(textsOf(rule.apiGroups));
  const names = textsOf(rule.resourceNames);
  const urls = textsOf(rule.nonResourceURLs);
  return {
    rule,
    verbs,
    anyVerb: verbs.has('*'),
    groups,
    anyGroup: groups.has('*'),
    resources: new Set(textsOf(rule.resources)),
    names: names.length ? new Set(names) : undefined,
    urls: new Set(urls),
    urlPrefixes: urls.filter((url) => url.endsWith('*')).map((url) => url.replace(/\*+$/, '')),
  };
}

/** The `rules` of a Role or ClusterRole. */
export const rulesOf = (rules: unknown): readonly PolicyRule[] => (Array.isArray(rules) ? (rules as PolicyRule[]) : []);

/** How a resource and subresource read in a rule: `pods`, `pods/log`. */
export const resourceText = (action: Pick<ResourceAction, 'resource' | 'subresource'>) =>
  action.subresource ? `${action.resource}/${action.subresource}` : action.resource;

/** Whether verb, group and name fit; the resource was matched by the caller (see `resourceKeys`). */
export const holdsBesidesResource = (rule: CompiledRule, { verb, group, name }: ResourceAction): boolean =>
  (rule.anyVerb || rule.verbs.has(verb)) &&
  (rule.anyGroup || rule.groups.has(group)) &&
  (rule.names === undefined || rule.names.has(name));

/** What a rule may list under `resources` to hold this one: itself, everything, or the subresource of everything. */
export const resourceKeys = (action: Pick<ResourceAction, 'resource' | 'subresource'>): readonly string[] =>
  action.subresource ? [resourceText(action), '*', `*/${action.subresource}`] : [action.resource, '*'];

export const ruleHoldsResource = (rule: CompiledRule, action: ResourceAction): boolean =>
  holdsBesidesResource(rule, action) && resourceKeys(action).some((key) => rule.resources.has(key));

export const ruleHoldsPath = (rule: CompiledRule, { verb, path }: Pick<PathAction, 'verb' | 'path'>): boolean =>
  (rule.anyVerb || rule.verbs.has(verb)) &&
  (rule.urls.has(path) || rule.urlPrefixes.some((prefix) => path.startsWith(prefix)));
