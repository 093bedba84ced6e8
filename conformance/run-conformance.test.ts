import { afterEach, expect, test } from 'vitest';
import { startServer } from '../server/start.ts';
import type { ConformanceOptions } from './conformance-options.ts';
import { type FakeServer, startFakeServer } from './fake-server.fixture.ts';
import { runRules } from './own-rules.ts';
import { exitCodeOf } from './report/summary.ts';
import type { RuleResult } from './result.ts';
import { defineOwnRule } from './rule.ts';
import { runConformance } from './run-conformance.ts';
import { TargetFault } from './target/inspect.ts';

let fake: FakeServer | undefined;

const own = defineOwnRule('house.nothing', { statement: 'Nothing is asked.', check: async () => undefined });

function fullDisk(): never {
  throw new Error('a full disk');
}

afterEach(() => fake?.stop());

test('the rules of a profile are judged on a given target, and told of one by one', async () => {
  fake = await startFakeServer();
  const told: RuleResult[] = [];
  const options = { target: { url: fake.url }, profile: 'apply', workers: 1, timeout: 5_000 } as const;
  const report = await runConformance({ ...options, onResult: (result) => told.push(result) });
  expect(report.profiles).toEqual(['apply']);
  expect(report.results.length).toBeGreaterThan(20);
  expect(new Set(report.results.map(({ chapter }) => chapter))).toEqual(new Set(['apply']));
  expect(told.map(({ id }) => id).sort()).toEqual(report.results.map(({ id }) => id).sort());
  expect(exitCodeOf(report)).toBe(1);
});

test('what a claimed profile needs and the target lacks is broken, what nobody claims is not judged', async () => {
  fake = await startFakeServer(
    ({ path }, response) => path.endsWith('definitions') && Boolean(response.writeHead(404).end('{}')),
  );
  const { url } = fake;
  const chapters = { target: { url }, workers: 1, timeout: 5_000 };
  const claimed = await runConformance({ ...chapters, profile: 'extensions' });
  expect(claimed.results.length).toBeGreaterThan(3);
  expect(claimed.results.filter(({ finding }) => finding?.kind !== 'missing')).toEqual([]);
  expect(exitCodeOf(claimed)).toBe(1);
  const ids = claimed.results.slice(0, 2).map(({ id }) => id);
  const unclaimed = await runConformance({ ...chapters, rules: ids });
  expect(unclaimed.results.map(({ verdict }) => verdict)).toEqual(['skipped', 'skipped']);
  expect(exitCodeOf(unclaimed)).toBe(0);
});

test('a run that may store nothing stores nothing, and has nothing to remove', async () => {
  fake = await startFakeServer();
  const reading = { target: { url: fake.url }, readOnly: true, workers: 1, timeout: 5_000 } as const;
  const report = await runConformance({ ...reading, rules: ['apply.field-manager.default', 'lists.paging.limit'] });
  expect(report.results.map(({ reason }) => reason?.includes('--read-only'))).toEqual([true, true]);
  expect(report.left).toEqual([]);
  expect([...fake.objects.keys()]).toEqual([]);
});

test('credentials that are over when all was judged are told: nothing can be swept up with them', async () => {
  let isOver = false;
  fake = await startFakeServer((_, response) => isOver && Boolean(response.writeHead(401).end('{}')));
  const options = { target: { url: fake.url, token: 't' }, rules: ['lists.paging.limit'], workers: 1, timeout: 5_000 };
  const report = await runConformance({ ...options, onResult: () => (isOver = true) });
  expect(report.left).toEqual([`what the run made: ${fake.url} refuses the credentials.`]);
});

test.each([
  ['throws', () => fullDisk()],
  ['rejects', async () => fullDisk()],
])(
  'who is told and %s hears of it once the run has cleaned up',
  async (_, onResult) => {
    fake = await startFakeServer();
    const options = { target: { url: fake.url }, profile: 'core', workers: 1, timeout: 5_000 } as const;
    await expect(runConformance({ ...options, onResult })).rejects.toMatchObject({ message: 'a full disk' });
    expect([...fake.objects.keys()].filter((path) => /^\/api\/v1\/namespaces\/[^/]+$/.test(path))).toEqual([]);
    await expect(runRules([own], { target: { url: fake.url }, onResult })).rejects.toMatchObject({
      message: 'a full disk',
    });
  },
  60_000,
);

test('a target that is not there is one error, and no rule is played', async () => {
  const told: RuleResult[] = [];
  const run = runConformance({ target: { url: 'http://127.0.0.1:1' }, onResult: (result) => told.push(result) });
  await expect(run).rejects.toThrow(TargetFault);
  expect(told).toEqual([]);
});

test('an option that there is none of is refused, and nothing is judged instead', async () => {
  const told: RuleResult[] = [];
  const options = { server: 'https://h', rules: ['lists.paging.limit'], onResult: (one: RuleResult) => told.push(one) };
  await expect(runConformance(options)).rejects.toMatchObject({ message: 'there is no option "server"' });
  expect(told).toEqual([]);
});

test.each([
  [{ rules: ['lists.paging.limt'] }, 'there is no rule "lists.paging.limt" (did you mean lists.paging.limit?)'],
  [{ rules: 'lists.paging.limit' }, 'rules is a list, not "lists.paging.limit"'],
  [{ skip: ['x'] }, 'there is no rule "x"'],
  [{ chapters: ['list'] }, 'there is no chapter "list" (did you mean lists?)'],
  [{ levels: ['musst'] }, 'there is no level "musst" (did you mean must?)'],
  [{ profile: 'cor' }, 'there is no profile "cor" (did you mean core?)'],
  [{ capabilities: ['nod'] }, 'there is no capability "nod"'],
  [{ profile: 'apply', chapters: ['lists'] }, 'no rule with a check is selected'],
  [{ workers: 0 }, 'workers: 0 is no number from 1 to 256'],
  [{ cells: -1 }, 'cells: -1 is no number from 0 to 2147483648'],
  [{ timeout: 0 }, 'timeout: 0 is no number from 1 to 86400000'],
  [{ target: { server: 'https://h' } }, 'target needs a url, such as https://127.0.0.1:6443'],
  [{ target: 'https://secret@h' }, 'target is an object, not a text'],
  [{ target: { url: 'https://h', token: 5 } }, 'target.token is a text, not a number'],
  [{ target: { url: 'https://h', tokn: 'x' } }, 'target: there is no option "tokn" (did you mean token?)'],
  [{ timeout: '5000' }, 'timeout is a number, not "5000"'],
  [{ readOnly: 'no' }, 'readOnly is true or false, not "no"'],
  [{ onResult: 'log' }, 'onResult is a function, not "log"'],
  [{ signal: new AbortController() }, 'signal is an AbortSignal, not an object'],
  [{ launch: 'serve' }, 'launch is a list, not "serve"'],
  [{ workers: null }, 'workers is a number, not null'],
  [null, 'options are an object, not null'],
])('of what cannot be meant it is not said that nothing is broken: %j', async (options, message) => {
  const run = runConformance(options as unknown as ConformanceOptions);
  await expect(run).rejects.toMatchObject({ name: 'TypeError', message });
});

test('a target that falls silent is given up, and it is told', async () => {
  let asked = 0;
  fake = await startFakeServer((_, response) => {
    asked += 1;
    if (asked > 30) response.destroy();
    return asked > 30;
  });
  const report = await runConformance({ target: { url: fake.url }, profile: 'core', workers: 1, timeout: 5_000 });
  expect(report.errors).toEqual([`${fake.url} no longer answers; the run was ended`]);
  expect(report.results.filter(({ reason }) => reason === 'the target no longer answered').length).toBeGreaterThan(50);
  expect(exitCodeOf(report)).toBe(1);
});

test('a run that is ended plays no further rule', async () => {
  fake = await startFakeServer();
  const ended = new AbortController();
  const options = { target: { url: fake.url }, profile: 'core', workers: 1, signal: ended.signal } as const;
  const report = await runConformance({ ...options, onResult: () => ended.abort() });
  const reasons = report.results.map(({ reason }) => reason);
  expect(reasons.filter((reason) => reason === 'the run was ended').length).toBeGreaterThan(150);
  expect([...fake.objects.keys()].filter((path) => /^\/api\/v1\/namespaces\/[^/]+$/.test(path))).toEqual([]);
});

test('on a cluster of others too, types are kept apart by a delete that says which objects it means', async () => {
  await using server = await startServer();
  const { url, adminToken: token, certificateAuthority } = server;
  const rules = ['paths.cluster.collection', 'paths.namespaced.collection'];
  const report = await runConformance({ target: { url, token, certificateAuthority }, rules, workers: 1 });
  expect(report.results.map(({ verdict }) => verdict)).toEqual(['pass', 'pass']);
});
