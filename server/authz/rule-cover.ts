import { perObject } from '../base/caches/memo.ts';
import type { PolicyRule } from './policy-rule.ts';

/**
 * Rights compared with rights: what of some rules is not held already. A rule stands for every combination of its
 * lists, so it is taken apart, each part is looked for, and what is missing is put together again for the message.
 */

/** Above this many combinations a rule is only compared as a whole, so that nobody can make the server count. */
const mostParts = 10_000;

/** What all comparisons of one request may cost, in words looked up. What is not found by then counts as not held. */
const budget = 30_000_000;
const costOfPart = 100;
const costOfRule = 5;

interface ResourcePart {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  /** Undefined: every name. */
  readonly name: string | undefined;
}

interface PathPart {
  readonly verb: string;
  readonly url: string;
}

const none: readonly string[] = [];

const setOf = perObject((list: readonly string[]): ReadonlySet<string> => new Set(list));
const short = 16;

/** Long lists become sets, once: those of two rules are compared with each other in full. */
function contains(list: readonly string[], value: string): boolean {
  return list.length < short ? list.includes(value) : setOf(list).has(value);
}

const has = (list: readonly string[] | undefined, value: string) =>
  list !== undefined && (contains(list, value) || contains(list, '*'));

function holdsResourceName(held: readonly string[] | undefined, asked: string): boolean {
  if (has(held, asked)) return true;
  const slash = asked.indexOf('/');
  return slash >= 0 && held !== undefined && contains(held, `*/${asked.slice(slash + 1)}`);
}

function holdsPart(held: PolicyRule, part: ResourcePart): boolean {
  const names = held.resourceNames ?? none;
  return (
    has(held.verbs, part.verb) &&
    has(held.apiGroups, part.group) &&
    holdsResourceName(held.resources, part.resource) &&
    (names.length === 0 || (part.name !== undefined && contains(names, part.name)))
  );
}

const holdsUrl = (held: readonly string[] | undefined, url: string) =>
  held !== undefined &&
  (contains(held, url) || held.some((each) => each.endsWith('*') && url.startsWith(each.replace(/\*+$/, ''))));

const holdsPathPart = (held: PolicyRule, { verb, url }: PathPart) =>
  has(held.verbs, verb) && holdsUrl(held.nonResourceURLs, url);

/** Whether one held rule holds all of the asked one. */
function holdsWhole(held: PolicyRule, asked: PolicyRule): boolean {
  const all = (values: readonly string[] | undefined, test: (value: string) => boolean) => (values ?? none).every(test);
  const names = held.resourceNames ?? none;
  return (
    all(asked.verbs, (verb) => has(held.verbs, verb)) &&
    all(asked.apiGroups, (group) => has(held.apiGroups, group)) &&
    all(asked.resources, (resource) => holdsResourceName(held.resources, resource)) &&
    all(asked.nonResourceURLs, (url) => holdsUrl(held.nonResourceURLs, url)) &&
    (names.length === 0 ||
      ((asked.resourceNames ?? none).length > 0 && all(asked.resourceNames, (name) => contains(names, name))))
  );
}

function countParts({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): number {
  const onResources = (apiGroups?.length ?? 0) * (resources?.length ?? 0) * (resourceNames?.length || 1);
  return verbs.length * (onResources + (nonResourceURLs?.length ?? 0));
}

function* resourceParts(rule: PolicyRule): Generator<ResourcePart> {
  const names = rule.resourceNames?.length ? rule.resourceNames : [undefined];
  for (const group of rule.apiGroups ?? none)
    for (const resource of rule.resources ?? none)
      for (const name of names) for (const verb of rule.verbs) yield { verb, group, resource, name };
}

/** Looks through the held rules as long as there is something to spend. */
class Search {
  readonly #held: readonly PolicyRule[];
  #left = budget;

  constructor(held: readonly PolicyRule[]) {
    this.#held = held;
  }

  spend(cost: number): boolean {
    this.#left -= cost;
    return this.#left >= 0;
  }

  /** Whether one of them passes the test, at a cost each. */
  find(cost: number, test: (rule: PolicyRule) => boolean): boolean {
    for (const rule of this.#held) {
      if (!this.spend(cost)) return false;
      if (test(rule)) return true;
    }
    return false;
  }
}

/** The parts of `asked` that no held rule holds, with verbs of the same thing in one rule. */
function missingParts(asked: PolicyRule, search: Search): PolicyRule[] {
  const missing = new Map<string, PolicyRule & { verbs: string[] }>();
  const add = (key: string, verb: string, rest: Omit<PolicyRule, 'verbs'>) => {
    const rule = missing.get(key);
    if (!rule) missing.set(key, { ...rest, verbs: [verb] });
    else if (!rule.verbs.includes(verb)) rule.verbs.push(verb);
  };
  for (const part of resourceParts(asked)) {
    if (search.find(costOfRule, (each) => holdsPart(each, part))) continue;
    const { group, resource, name, verb } = part;
    const named = name === undefined ? {} : { resourceNames: [name] };
    add(JSON.stringify([group, resource, name]), verb, { apiGroups: [group], resources: [resource], ...named });
  }
  for (const url of asked.nonResourceURLs ?? none) {
    for (const verb of asked.verbs) {
      if (search.find(costOfRule, (each) => holdsPathPart(each, { verb, url }))) continue;
      add(JSON.stringify([url]), verb, { nonResourceURLs: [url] });
    }
  }
  return [...missing.values()];
}

function missingOf(asked: PolicyRule, search: Search): readonly PolicyRule[] {
  const { verbs, apiGroups = none, resources = none, resourceNames = none, nonResourceURLs = none } = asked;
  const words = [verbs, apiGroups, resources, resourceNames, nonResourceURLs].reduce(
    (sum, list) => sum + list.length,
    0,
  );
  if (search.find(costOfRule + words, (each) => holdsWhole(each, asked))) return [];
  const parts = countParts(asked);
  return parts <= mostParts && search.spend(parts * costOfPart) ? missingParts(asked, search) : [asked];
}

/** What of `asked` is not held, as rules; empty when all is. */
export function missingRules(asked: readonly PolicyRule[], held: readonly PolicyRule[]): readonly PolicyRule[] {
  const search = new Search(held);
  return asked.flatMap((rule) => missingOf(rule, search));
}

const quoted = (values: readonly string[]) => `[${values.map((value) => JSON.stringify(value)).join(', ')}]`;

/** A rule in one line, such as `{APIGroups:[""], Resources:["pods"], Verbs:["get"]}`. */
export function ruleText(rule: PolicyRule): string {
  const parts: string[] = [];
  const add = (name: string, values: readonly string[] | undefined) => {
    if (values?.length) parts.push(`${name}:${quoted(values)}`);
  };
  add('APIGroups', rule.apiGroups);
  add('Resources', rule.resources);
  add('ResourceNames', rule.resourceNames);
  add('NonResourceURLs', rule.nonResourceURLs);
  add('Verbs', rule.verbs);
  return `{${parts.join(', ')}}`;
}
