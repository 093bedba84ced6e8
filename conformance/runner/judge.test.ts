import { Agent } from 'undici';
import { afterEach, expect, test } from 'vitest';
import { type FakeServer, startFakeServer, type Whim } from '../fake-server.fixture.ts';
import { type RuleResult, verdictOf } from '../result.ts';
import { defineRule, type Rule } from '../rule.ts';
import { answerStatus } from '../sabotage/transforms.ts';
import { Breach, Skipped } from '../verbs/breach.ts';
import { subjects } from '../verbs/subjects.ts';
import { judge } from './judge.ts';

let fake: FakeServer | undefined;

afterEach(() => fake?.stop());

async function judged(
  parts: Partial<Rule> & Pick<Rule, 'check'>,
  options: { id?: string; whim?: Whim; timeout?: number; keep?: boolean } = {},
): Promise<RuleResult> {
  fake = await startFakeServer(options.whim);
  const rule = {
    ...defineRule(options.id ?? 'verbs.get', { sabotage: answerStatus(500), check: parts.check }),
    ...parts,
  };
  const agent = new Agent();
  const target = { url: fake.url, token: 'secret-token', capabilities: [], version: 'fake' };
  const result = await judge(rule, target, {
    agents: { own: agent, anonymous: agent },
    timeout: options.timeout ?? 5_000,
    patience: 200,
    keep: options.keep ?? false,
  });
  await agent.close();
  return result;
}

const never: Rule['check'] = async () => {
  throw new Error('must not run');
};

test('a check that finds what it expects passes', async () => {
  const result = await judged({ check: async ({ secrets }) => void (await secrets.create()) });
  expect(result).toMatchObject({ id: 'verbs.get', chapter: 'verbs', verdict: 'pass', warnings: [], exchanges: [] });
  expect(result.requests).toBe(2);
});

test('an assertion that does not hold fails a must, with what was expected and seen and all exchanges', async () => {
  const result = await judged({
    check: async ({ secrets, expect }) => {
      const { metadata } = await secrets.create();
      expect(metadata.uid, 'the uid').toBe('another');
    },
  });
  expect(result.verdict).toBe('fail');
  expect(result.finding).toMatchObject({ kind: 'assertion', expected: 'another' });
  expect(result.finding?.seen).toMatch(/^uid-/);
  expect(result.exchanges).toHaveLength(2);
  expect(JSON.stringify(result)).not.toContain('secret-token');
});

test.each([
  ['must', 'verbs.get', 'fail'],
  ['should', 'apply.controllers-force', 'warn'],
  ['may', 'watch.bookmark.optional', 'warn'],
])('what does not hold of a %s is worth: %s → %s', async (_, id, verdict) => {
  const check: Rule['check'] = async ({ expect }) => expect(1).toBe(2);
  expect((await judged({ check }, { id })).verdict).toBe(verdict);
});

test('a missing capability skips the rule, with the reason, and nothing runs', async () => {
  const result = await judged({ check: never, needs: ['webhooks'] });
  expect(result.verdict).toBe('skipped');
  expect(result.reason).toContain('webhooks');
  expect(fake?.requests).toEqual([]);
});

test('a rule may skip itself', async () => {
  const result = await judged({ check: async ({ skip }) => skip('no bookmark came') });
  expect(result).toMatchObject({ verdict: 'skipped', reason: 'no bookmark came' });
});

test('a step on the way that fails is no finding about the rule, but no pass either', async () => {
  const whim: Whim = (_, response) => Boolean(response.writeHead(500).end('{"message":"broken"}'));
  const result = await judged({ check: async ({ secrets }) => void (await secrets.create()) }, { whim });
  expect(result.verdict).toBe('fail');
  expect(result.finding).toEqual({ kind: 'preparation', message: 'could not create a namespace: 500 broken' });
});

test('an error of the suite is an error, not a failure of the target', async () => {
  const result = await judged({
    check: async () => {
      throw new RangeError('our own mistake');
    },
  });
  expect(result.verdict).toBe('error');
  expect(result.finding).toMatchObject({ kind: 'crash' });
});

test('a check that never ends is ended', async () => {
  const result = await judged({ check: () => new Promise(() => {}) }, { timeout: 50 });
  expect(result.verdict).toBe('fail');
  expect(result.finding?.message).toContain('50 ms');
});

test('where a genuine server is looser the verdict is a warning that says so', async () => {
  const result = await judged({ check: async ({ looser, expect }) => looser(() => expect(101).toBeLessThan(100)) });
  expect(result.verdict).toBe('warn');
  expect(result.warnings[0]).toMatch(/^looser than documented; a genuine v1\.25 server is too: /);
});

test('being looser excuses no broken step', async () => {
  const result = await judged({
    check: async ({ looser }) =>
      looser(() => {
        throw new Breach('preparation', 'no namespace');
      }),
  });
  expect(result.finding?.kind).toBe('preparation');
});

test('what a rule has made is gone afterwards', async () => {
  await judged({
    check: async ({ secrets, clusterRoles }) => void [await secrets.create(), await clusterRoles.create()],
  });
  expect([...(fake?.objects.keys() ?? [])].filter((path) => !path.includes('/secrets/'))).toEqual([]);
  expect(fake?.requests.filter((line) => line.startsWith('DELETE'))).toHaveLength(3);
});

test('what a rule has made stays when that is asked for', async () => {
  await judged({ check: async ({ secrets }) => void (await secrets.create()) }, { keep: true });
  expect(fake?.objects.size).toBe(2);
});

test('each request tells the rule it is made for', async () => {
  await judged({ check: async ({ send }) => void (await send('GET', '/version')) });
  expect(fake?.headersSeen[0]?.['user-agent']).toMatch(/^touchstone\/\S+ \(verbs\.get\)$/);
});

test('warnings alone make a warning, at any level', () => {
  expect(verdictOf('must', undefined, 1)).toBe('warn');
  expect(verdictOf('must', undefined, 0)).toBe('pass');
});

/** Judges a rule that needs a controller, on a target that has none. */
async function judgedWithController(parts: {
  flags?: readonly string[];
  beside?: boolean;
  running?: boolean;
  /** None can be started. */
  failure?: Error;
}): Promise<{ result: RuleResult; started: (readonly string[])[]; seen: readonly string[] }> {
  fake = await startFakeServer();
  const other = { url: fake.url };
  const agent = new Agent();
  const started: (readonly string[])[] = [];
  const beside = {
    capabilities: ['job-controller'] as const,
    flags: ['--controllers=*'],
    ...(parts.running ? { target: other } : {}),
  };
  const rule = defineRule('job.completions.count', {
    sabotage: answerStatus(500),
    needs: ['job-controller'],
    ...(parts.flags ? { flags: parts.flags } : {}),
    check: async ({ jobs }) => void (await jobs.create()),
  });
  const target = {
    url: 'http://127.0.0.1:9',
    capabilities: parts.flags ? (['job-controller'] as const) : [],
    version: 'fake',
    ...(parts.beside === false ? {} : { beside }),
  };
  const result = await judge(rule, target, {
    agents: { own: agent, anonymous: agent },
    timeout: 5_000,
    patience: 200,
    keep: false,
    settling: 100,
    launcher: {
      take: async (flags) => {
        started.push(flags);
        if (parts.failure) throw parts.failure;
        return other;
      },
      own: async () => ({ target: other, stop: async () => {} }),
      giveBack: () => {},
      stopAll: async () => {},
    },
  });
  await agent.close();
  return { result, started, seen: fake.requests };
}

test('where the target has no controllers a server that has them is started for the rule', async () => {
  const { result, started, seen } = await judgedWithController({});
  expect(result.verdict).toBe('pass');
  expect(started).toEqual([['--controllers=*']]);
  expect(seen[0]).toBe('POST /api/v1/namespaces');
});

test('a server with controllers that runs already is used', async () => {
  const { result, started } = await judgedWithController({ running: true });
  expect(result.verdict).toBe('pass');
  expect(started).toEqual([]);
});

test('a rule with flags of its own gets a server with these and with controllers', async () => {
  const { result, started } = await judgedWithController({ flags: ['--one'], running: true });
  expect(result.verdict).toBe('pass');
  expect(started).toEqual([['--controllers=*', '--one']]);
});

test('where a server that is started shows no controllers the rule is not judged', async () => {
  const { result, started } = await judgedWithController({ flags: ['--one'], beside: false });
  expect(result).toMatchObject({ verdict: 'skipped', reason: expect.stringContaining('job-controller') });
  expect(started).toEqual([['--one']]);
});

test('a server that cannot be started breaks the rule, and one that is not there in time does not', async () => {
  const broken = await judgedWithController({ flags: ['--one'], failure: new Breach('preparation', 'unknown flag') });
  expect(broken.result).toMatchObject({ verdict: 'fail', finding: { message: 'unknown flag' } });
  const late = await judgedWithController({ flags: ['--one'], failure: new Skipped('not in time') });
  expect(late.result).toMatchObject({ verdict: 'skipped', reason: 'not in time' });
});

test.each([
  ['nothing', [], 'skipped'],
  ['a part of what there is', ['second-user'], 'fail'],
  ['all kinds', ['kinds'], 'fail'],
] as const)('that a server has no core group is missed by who claims %s: %s', async (_, claims, verdict) => {
  fake = await startFakeServer((_, response) => Boolean(response.writeHead(404).end('{}')));
  const agents = { own: new Agent(), anonymous: new Agent() };
  const check: Rule['check'] = async ({ secrets }) => void (await secrets.create());
  const rule = defineRule('verbs.get', { sabotage: answerStatus(500), check });
  const known = { url: fake.url, capabilities: [], version: 'fake', unserved: ['/api/v1/namespaces'], claims };
  const limits = { timeout: 5_000, patience: 200, keep: false };
  expect((await judge(rule, known, { agents, ...limits })).verdict).toBe(verdict);
  await agents.own.close();
});

/** Judges a rule that needs these on a target that lacks them and claims those. */
async function judgedClaiming(
  needs: Rule['needs'],
  claims: Rule['needs'],
  withheld: Rule['needs'] = [],
): Promise<RuleResult> {
  const agent = new Agent();
  const rule = defineRule('verbs.get', { sabotage: answerStatus(500), needs, check: never });
  const absent = { protobuf: 'a look at it was answered 406' };
  const target = { url: 'http://127.0.0.1:9', capabilities: [], version: 'fake', claims, absent, withheld };
  return judge(rule, target, { agents: { own: agent, anonymous: agent }, timeout: 100, patience: 100, keep: false });
}

test('what is claimed and missing breaks the rules that need it, and it is told how that was seen', async () => {
  const result = await judgedClaiming(['protobuf'], ['protobuf']);
  expect(result).toMatchObject({ verdict: 'fail', finding: { kind: 'missing' } });
  expect(result.finding?.message).toContain('a look at it was answered 406');
});

test('what is missing and was never claimed is not judged, and nothing is left out', async () => {
  const result = await judgedClaiming(['protobuf'], ['crd']);
  expect(result).toMatchObject({ verdict: 'skipped', lacking: ['protobuf'] });
  expect(result.leftOut).toBeUndefined();
});

test('what the suite would have to be given is no fault of the target, but left out when it is claimed', async () => {
  expect(await judgedClaiming(['lab'], ['lab'])).toMatchObject({ verdict: 'skipped', leftOut: true });
});

test('nor is what others of its cluster keep the suite from', async () => {
  expect(await judgedClaiming(['pods'], ['pods'], ['pods'])).toMatchObject({ verdict: 'skipped', leftOut: true });
});

test('nor is the controller that runs only where it is asked for, though others are', async () => {
  const [cleaner, jobs] = ['token-cleaner', 'job-controller'] as const;
  expect(await judgedClaiming([cleaner], [cleaner, jobs])).toMatchObject({ verdict: 'skipped', leftOut: true });
  expect(await judgedClaiming([jobs], [cleaner, jobs])).toMatchObject({ verdict: 'fail' });
});

test('a general rule fails as one, with the cells that did not hold and only their exchanges', async () => {
  const rule = defineRule('verbs.get', {
    matrix: { verb: ['get', 'list', 'watch'], form: ['JSON', { name: 'protobuf', needs: ['protobuf'] }] },
    sabotage: answerStatus(500),
    check: async ({ send, expect }, { verb }) => {
      await send('GET', `/${verb}`);
      expect(verb).toBe('list');
    },
  });
  const result = await judged(rule);
  expect(result.verdict).toBe('fail');
  expect(result.finding?.message).toMatch(/^2 of 6 cells:\n {2}get, JSON: .*\n {2}watch, JSON: /);
  expect(result.finding?.cells).toMatchObject([
    { cell: 'get, JSON', kind: 'assertion', expected: 'list', seen: 'get' },
    { cell: 'watch, JSON', kind: 'assertion', expected: 'list', seen: 'watch' },
  ]);
  expect(result.cells).toMatchObject({ judged: 3, held: 1 });
  expect(result.cells?.skipped.map(({ cell }) => cell)).toEqual(['get, protobuf', 'list, protobuf', 'watch, protobuf']);
  expect(result.exchanges.map(({ cell, url }) => `${cell} ${new URL(url).pathname}`)).toEqual([
    'get, JSON /get',
    'watch, JSON /watch',
  ]);
  expect(result.requests).toBe(3);
});

test('a general rule none of whose cells can be judged is skipped', async () => {
  const rule = defineRule('verbs.get', {
    matrix: { form: [{ name: 'protobuf', needs: ['protobuf'] }] },
    sabotage: answerStatus(500),
    check: never,
  });
  expect(await judged(rule)).toMatchObject({ verdict: 'skipped', reason: expect.stringContaining('protobuf') });
});

test('cells of one kind have namespaces of their own', async () => {
  const rule = defineRule('verbs.get', {
    matrix: { kind: [subjects.secrets, subjects.leases], round: ['one', 'two'] },
    sabotage: answerStatus(500),
    check: async ({ objects, expect }) => {
      await objects.createMany(2);
      expect((await objects.list()).items).toHaveLength(2);
    },
  });
  expect(await judged(rule)).toMatchObject({ verdict: 'pass', cells: { judged: 4, held: 4, skipped: [] } });
  expect(fake?.requests.filter((line) => line === 'POST /api/v1/namespaces')).toHaveLength(2);
});
