import { Agent } from 'undici';
import { expect, test } from 'vitest';
import { catalogue } from './catalogue/catalogue.ts';
import { exemption, heldBy } from './holds-for.ts';
import { defineRule } from './rule.ts';
import { judge } from './runner/judge.ts';
import { answerStatus } from './sabotage/transforms.ts';

const ranges = {
  jobs: { from: 22 },
  'jobs.old': { to: 24 },
  'jobs.now': { from: 25, to: 25 },
  lists: { from: 20, to: 28 },
};

test.each([
  ['jobs.any', 'v1.21.3', 'from v1.22 on'],
  ['jobs.any', 'v1.22.0', undefined],
  ['jobs', 'v1.21.3', 'from v1.22 on'],
  ['jobs.old', 'v1.24.1', undefined],
  ['jobs.old', 'v1.25.1', 'up to v1.24'],
  ['jobs.old', 'v1.20.1', 'from v1.22 on'],
  ['jobs.older', 'v1.25.1', undefined],
  ['jobs.now', 'v1.25.9+k3s1', undefined],
  ['jobs.now', 'v1.26.0-gke.1', 'for v1.25 alone'],
  ['lists.paging', 'v1.29.0', 'from v1.20 to v1.28'],
  ['verbs.get', 'v1.31.0', undefined],
  ['jobs.old', 'unknown', undefined],
  ['jobs.old', 'v2.31.0', undefined],
])('%s of %s: %s', (id, version, why) => {
  const said = exemption(id, version, ranges);
  expect(said?.split('it is documented ')[1]).toBe(why);
  if (why) expect(said).toContain(version);
});

test('all that is named is of the catalogue, and the described version is exempt from nothing', () => {
  for (const of of Object.keys(heldBy))
    expect(
      catalogue.some(({ id }) => id === of || id.startsWith(`${of}.`)),
      of,
    ).toBe(true);
  expect(catalogue.filter(({ id }) => exemption(id, 'v1.25.16'))).toEqual([]);
});

test('what a server of its version is documented to do otherwise is not judged', async () => {
  const own = new Agent();
  const check = () => Promise.reject(new Error('must not run'));
  const result = await judge(
    defineRule('impersonate.uid', { sabotage: answerStatus(500), check }),
    { url: 'http://127.0.0.1:9', capabilities: [], version: 'v1.21.4' },
    { agents: { own, anonymous: own }, timeout: 1_000, patience: 200, keep: false },
  );
  await own.close();
  expect(result).toMatchObject({ verdict: 'skipped', reason: expect.stringContaining('from v1.22 on') });
});
