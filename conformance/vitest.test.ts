import { afterAll, expect, test } from 'vitest';
import { startFakeServer } from './fake-server.fixture.ts';
import type { RuleResult } from './result.ts';
import { ruleTests } from './vitest.ts';

const told: RuleResult[] = [];
const fake = await startFakeServer();

afterAll(() => fake.stop());

await ruleTests({
  target: { url: fake.url },
  rules: ['meta.metadata', 'authn.oidc.issuer'],
  cells: 1,
  workers: 1,
  onResult: (result) => told.push(result),
});

test('each rule was a test of this file, and told of', () => {
  expect(told.map(({ id, verdict }) => [id, verdict])).toContainEqual(['authn.oidc.issuer', 'skipped']);
  expect(told.map(({ id }) => id)).toContain('meta.metadata');
});
