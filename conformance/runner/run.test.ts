import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { type FakeServer, startFakeServer } from '../fake-server.fixture.ts';
import type { RuleResult } from '../result.ts';
import { allOf } from '../verbs/guest/permit.ts';
import { runPlan } from './run.ts';
import { loadRules } from './sections.ts';

let fake: FakeServer;
let folder: string;

beforeEach(async () => {
  fake = await startFakeServer();
  folder = temporaryFolder(onTestFinished);
});

afterEach(() => fake.stop());

/** Plays rules with these checks, each a function's source by the id of its rule; a text for each file. */
async function played(
  files: readonly Readonly<Record<string, string>>[],
  parts: { workers?: number; rulesAtOnce?: number; failFast?: boolean } = {},
): Promise<{ results: RuleResult[]; errors: readonly string[] }> {
  const sections = await Promise.all(
    files.map(async (checks, index) => {
      const file = join(folder, `part-${index}.rules.ts`);
      const rules = Object.entries(checks).map(
        ([id, check]) => `{ id: '${id}', sabotages: [{}], needs: [], cells: [], check: ${check} }`,
      );
      writeFileSync(file, `export default [${rules.join(',\n')}];\n`);
      return { file, prefix: Object.keys(checks)[0] ?? '', rules: await loadRules(file) };
    }),
  );
  const results: RuleResult[] = [];
  const { errors } = await runPlan({
    sections,
    plan: {
      target: { url: fake.url, capabilities: [], version: 'fake' },
      ids: files.flatMap((checks) => Object.keys(checks)),
      timeout: 5_000,
      patience: 200,
      keep: false,
      permit: allOf('test'),
      verbose: false,
      rulesAtOnce: parts.rulesAtOnce ?? 12,
    },
    workers: parts.workers ?? 2,
    failFast: parts.failFast ?? false,
    onResult: (result) => results.push(result),
  });
  return { results, errors };
}

const passes =
  'async ({ secrets, expect }) => { expect((await secrets.create()).metadata.uid).toMatch(/^uid-/); return []; }';
const fails = 'async ({ expect }) => { expect(1).toBe(2); return []; }';

test('every rule of every file is played, and told of with its verdict', async () => {
  const { results, errors } = await played([
    { 'verbs.get': passes, 'verbs.create': fails },
    { 'meta.metadata': passes },
  ]);
  expect(errors).toEqual([]);
  const verdicts = Object.fromEntries(results.map(({ id, verdict }) => [id, verdict]));
  expect(verdicts).toEqual({ 'verbs.get': 'pass', 'verbs.create': 'fail', 'meta.metadata': 'pass' });
});

test('a worker that breaks is an error that names the rule, and another one goes on with the next file', async () => {
  const { results, errors } = await played(
    [
      {
        'verbs.get':
          'async () => { setTimeout(() => { throw new Error("thrown aside"); }); await new Promise(() => {}); }',
      },
      ...Array.from({ length: 13 }, () => ({ 'meta.metadata': passes })),
    ],
    { workers: 1 },
  );
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain('verbs.get');
  expect(errors[0]).toContain('thrown aside');
  expect(results.map(({ id }) => id)).toContain('meta.metadata');
});

test('a worker that ends itself is an error that names the rule', async () => {
  const { errors } = await played([{ 'verbs.get': 'async () => process.exit(0)' }]);
  expect(errors).toEqual(['a worker ended while it ran verbs.get']);
});

test('a promise that nobody waited for is an error, and the rule goes on', async () => {
  const aside =
    'async () => { void Promise.reject(new Error("left alone")); await new Promise((done) => setTimeout(done, 20)); return []; }';
  const { results, errors } = await played([{ 'verbs.get': aside }]);
  expect(errors).toEqual([expect.stringContaining('left alone')]);
  expect(results.map(({ verdict }) => verdict)).toEqual(['pass']);
});

test('after the first broken rule no other begins, when that is asked for', async () => {
  const files = [{ 'verbs.create': fails }, ...Array.from({ length: 20 }, () => ({ 'meta.metadata': passes }))];
  const { results } = await played(files, { workers: 1, failFast: true });
  expect(results.length).toBeLessThan(20);
});

test.each([3, 20])('a worker runs %i rules at the same time', async (rulesAtOnce) => {
  const counted = `async () => {
    globalThis.running = (globalThis.running ?? 0) + 1;
    globalThis.most = Math.max(globalThis.most ?? 0, globalThis.running);
    const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
    for (let n = 0; n < 1000 && globalThis.most < ${rulesAtOnce}; n++) await pause(5);
    // One more than there may be would have begun by now.
    await pause(100);
    globalThis.running -= 1;
    if (globalThis.most !== ${rulesAtOnce}) throw new Error('at once: ' + globalThis.most);
    return [];
  }`;
  const files = Array.from({ length: 2 * rulesAtOnce }, () => ({ 'meta.metadata': counted }));
  const { results } = await played(files, { workers: 1, rulesAtOnce });
  expect(results.map(({ verdict, finding }) => finding?.message ?? verdict)).toEqual(files.map(() => 'pass'));
});

test('what waits more than it works begins first', async () => {
  const files = [...Array.from({ length: 20 }, () => ({ 'meta.metadata': passes })), { 'watch.bookmark.kind': fails }];
  const { results } = await played(files, { workers: 1, failFast: true });
  expect(results.length).toBeLessThan(20);
  expect(results.map(({ id }) => id)).toContain('watch.bookmark.kind');
});
