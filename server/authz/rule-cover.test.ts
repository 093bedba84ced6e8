import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { worked } from '../../fixtures/worked.fixture.ts';
import { compileRule, type PolicyRule, ruleHoldsPath, ruleHoldsResource } from './policy-rule.ts';
import { asks } from './rbac.fixture.ts';
import { missingRules, ruleText } from './rule-cover.ts';

const rule = (verbs: string[], resources: string[], more: Partial<PolicyRule> = {}): PolicyRule => ({
  verbs,
  apiGroups: [''],
  resources,
  ...more,
});
const url = (verbs: string[], ...nonResourceURLs: string[]): PolicyRule => ({ verbs, nonResourceURLs });
const missing = (asked: PolicyRule[], held: PolicyRule[]) => missingRules(asked, held).map(ruleText);

describe('rights that are held', () => {
  it.each([
    ['the same rule', [rule(['get'], ['pods'])], [rule(['get'], ['pods'])]],
    ['part of a rule', [rule(['get'], ['pods'])], [rule(['get', 'list'], ['pods', 'nodes'])]],
    ['a rule held in several', [rule(['get', 'list'], ['pods'])], [rule(['get'], ['pods']), rule(['list'], ['pods'])]],
    ['anything by *', [rule(['get'], ['pods/log'])], [rule(['*'], ['*'], { apiGroups: ['*'] })]],
    ['a name where all names are held', [rule(['get'], ['pods'], { resourceNames: ['a'] })], [rule(['get'], ['pods'])]],
    ['a status by */status', [rule(['get'], ['pods/status'])], [rule(['get'], ['*/status'])]],
    ['a URL below a prefix', [url(['get'], '/logs/a')], [url(['get'], '/logs/*')]],
    ['no rules at all', [], []],
  ])('%s', (_, asked, held) => {
    expect(missing(asked, held)).toEqual([]);
  });
});

describe('rights that are missing', () => {
  it.each([
    [
      'only the verb that is not held',
      [rule(['get', 'delete'], ['pods'])],
      [rule(['get'], ['pods'])],
      ['{APIGroups:[""], Resources:["pods"], Verbs:["delete"]}'],
    ],
    [
      'verbs of one thing in one line',
      [rule(['patch', 'delete'], ['pods'])],
      [],
      ['{APIGroups:[""], Resources:["pods"], Verbs:["patch", "delete"]}'],
    ],
    [
      '* although verbs are held one by one',
      [rule(['*'], ['pods'])],
      [rule(['get', 'list'], ['pods'])],
      ['{APIGroups:[""], Resources:["pods"], Verbs:["*"]}'],
    ],
    [
      'all names where one is held',
      [rule(['get'], ['pods'])],
      [rule(['get'], ['pods'], { resourceNames: ['a'] })],
      ['{APIGroups:[""], Resources:["pods"], Verbs:["get"]}'],
    ],
    [
      'the other name',
      [rule(['get'], ['pods'], { resourceNames: ['a', 'b'] })],
      [rule(['get'], ['pods'], { resourceNames: ['a'] })],
      ['{APIGroups:[""], Resources:["pods"], ResourceNames:["b"], Verbs:["get"]}'],
    ],
    [
      'a subresource by pods/*',
      [rule(['get'], ['pods/log'])],
      [rule(['get'], ['pods/*'])],
      ['{APIGroups:[""], Resources:["pods/log"], Verbs:["get"]}'],
    ],
    [
      'a URL prefix where one URL is held',
      [url(['get'], '/logs/*')],
      [url(['get'], '/logs/a')],
      ['{NonResourceURLs:["/logs/*"], Verbs:["get"]}'],
    ],
  ])('%s', (_, asked, held, lines) => {
    expect(missing(asked, held)).toEqual(lines);
  });

  it('reports a rule of too many combinations as a whole, quickly', () => {
    const many = Array.from({ length: 500 }, (_, i) => `x${i}`);
    const huge = rule(many, many, { apiGroups: many });
    const started = worked();
    expect(missingRules([huge], [rule(['get'], ['pods'])])).toEqual([huge]);
    expect(missingRules([huge], [rule(['*'], ['*'], { apiGroups: ['*'] })])).toEqual([]);
    expect(worked() - started).toBeLessThan(1000);
  });
});

const words = (...all: string[]) => fc.subarray(all, { minLength: 1 });
const anyRule = fc.record({
  verbs: words('get', 'list', '*'),
  apiGroups: words('', 'apps', '*'),
  resources: words('pods', 'pods/log', '*', '*/log'),
  resourceNames: fc.subarray(['a', 'b']),
});

it('never finds nothing missing while a request is allowed by the asked rules and not by the held ones', () => {
  const request = fc.record({
    verb: fc.constantFrom('get', 'list', 'watch'),
    group: fc.constantFrom('', 'apps', 'batch'),
    resource: fc.constantFrom('pods', 'pods/log', 'nodes'),
    name: fc.constantFrom('', 'a', 'b', 'c'),
  });
  fc.assert(
    fc.property(
      fc.array(anyRule, { maxLength: 3 }),
      fc.array(anyRule, { maxLength: 3 }),
      request,
      (asked, held, it) => {
        if (missingRules(asked, held).length) return;
        const action = asks(it.verb, it.resource, { group: it.group, name: it.name });
        const holds = (rules: readonly PolicyRule[]) =>
          rules.some((each) => ruleHoldsResource(compileRule(each), action));
        expect(!holds(asked) || holds(held)).toBe(true);
      },
    ),
    { numRuns: 500 },
  );
});

it('agrees with the rules about URLs', () => {
  const urls = words('/a', '/a/*', '/a/b', '*');
  fc.assert(
    fc.property(urls, urls, fc.constantFrom('/a', '/a/b', '/a/c', '/'), (asked, held, path) => {
      if (missingRules([url(['get'], ...asked)], [url(['get'], ...held)]).length) return;
      const holds = (list: string[]) => ruleHoldsPath(compileRule(url(['get'], ...list)), { verb: 'get', path });
      expect(!holds(asked) || holds(held)).toBe(true);
    }),
  );
});

describe('what takes long to compare', () => {
  const numbered = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i}`);
  const getting = (resourceNames: string[]) => rule(['get'], ['pods'], { resourceNames });

  it('long lists are compared in linear time', () => {
    const names = numbered('n', 100_000);
    expect(missingRules([getting(names)], [getting(names.toReversed())])).toEqual([]);
  });

  it('a thousand rules are found among a thousand others', () => {
    const rules = numbered('r', 1000).map((name) => rule(['get'], [name]));
    expect(missingRules(rules, rules.toReversed())).toEqual([]);
  });

  it('what is not found in time counts as not held', () => {
    const rules = numbered('r', 30_000).map((name) => rule(['get'], [name]));
    expect(missingRules(rules, rules.toReversed()).length).toBeGreaterThan(20_000);
  });
});
