import { expect, test } from 'vitest';
import { catalogue } from '../catalogue/catalogue.ts';
import { loadSections } from '../runner/sections.ts';
import { belongsTo, profileNames, profileOf, profiles } from './profiles.ts';
import { selectedIds } from './selection.ts';

const rule = (id: string, needs: Parameters<typeof profileOf>[0]['needs'] = [], flags?: readonly string[]) => ({
  id,
  needs,
  ...(flags ? { flags } : {}),
});

test.each([
  ['core', rule('lists.paging.limit')],
  ['core', rule('content.protobuf.magic', ['protobuf'])],
  ['extensions', rule('apply.custom', ['crd'])],
  ['auth', rule('errors.wrong-server', ['second-user'])],
  ['admission', rule('metrics.labels', ['webhooks'])],
  ['controllers', rule('job.status', ['job-controller'])],
  ['full', rule('lists.rv.expired', ['short-history'])],
  ['full', rule('fields.flag', [], ['--feature-gates=X=false'])],
] as const)('%s: %j', async (profile, one) => {
  const known = catalogue.find(({ chapter }) => chapter === one.id.split('.')[0]);
  expect(profileOf({ ...one, id: known?.id ?? '' })).toBe(profile);
});

test('every chapter is of one profile', () => {
  const chapters = Object.values(profiles).flatMap((profile) => profile.chapters);
  expect(new Set(chapters).size).toBe(chapters.length);
  const clients = ['exec-plugin'];
  expect([...chapters, ...clients].sort()).toEqual([...new Set(catalogue.map(({ chapter }) => chapter))].sort());
});

test('a profile has its own rules, full has all, and no claim narrows nothing', async () => {
  const sections = await loadSections();
  const counts = profileNames.map((name) => selectedIds(sections, { profiles: [name] }).length);
  const total = selectedIds(sections, {}).length;
  expect(counts.every((count) => count > 0)).toBe(true);
  expect(counts.at(-1)).toBe(total);
  expect(counts.slice(0, -1).reduce((sum, count) => sum + count, 0)).toBeLessThan(total);
  expect(selectedIds(sections, { profiles: ['core', 'apply'] })).toHaveLength((counts[0] ?? 0) + (counts[1] ?? 0));
});

test("rules that judge the suite's own client run only when they are asked for", async () => {
  const sections = await loadSections();
  const clients = (ids: readonly string[]) => ids.filter((id) => id.startsWith('exec-plugin.')).length;
  expect(clients(selectedIds(sections, {}))).toBe(0);
  expect(clients(selectedIds(sections, { profiles: ['full'] }))).toBe(0);
  expect(clients(selectedIds(sections, { chapters: ['exec-plugin'] }))).toBe(10);
  expect(clients(selectedIds(sections, { rules: ['exec-plugin.cache'] }))).toBe(1);
  expect(clients(selectedIds(sections, { withClient: true }))).toBe(10);
});

test('without a claim everything belongs', () => {
  expect(belongsTo(rule('verbs.get', ['lab', 'flags']), [])).toBe(true);
});
