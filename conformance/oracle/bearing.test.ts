import { expect, it } from 'vitest';
import { rulesBehind, rulesUnder } from './bearing.ts';
import { rulesBehindPromise } from './concurrency.ts';

const divergence = (what: string, method: string, query: Record<string, string>, at: string) => ({
  step: { id: 's1', what, method, path: '/api/v1/secrets', query },
  seen: { status: 200, headers: {}, body: undefined },
  expected: { status: 200, headers: {}, body: undefined },
  differences: [{ at, seen: 1, expected: 2 }],
});

it('names the rules of what was asked before those of the verb', () => {
  const rules = rulesBehind(divergence('list secrets', 'GET', { limit: '2' }, 'items.length'));
  expect(rules[0]).toMatch(/^lists\.paging\./);
  expect(rulesBehind(divergence('update secrets', 'PUT', { dryRun: 'All' }, 'status'))[0]).toMatch(/^dryrun\.all/);
});

it('knows a rule behind each promise to clients that work at once', () => {
  for (const [promise, prefixes] of Object.entries(rulesBehindPromise))
    for (const prefix of prefixes) expect(rulesUnder(prefix), `${promise}: ${prefix}`).not.toEqual([]);
});
