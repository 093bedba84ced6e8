import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { TargetFault } from '../target/inspect.ts';
import { judgeFace } from './face.ts';
import { main } from './main.ts';
import { documented, implied, type PartyRun } from './party.ts';
import { judgeParty } from './play.ts';
import { checkPartyTeeth } from './self-check.ts';
import { toyParty } from './toy-party.fixture.ts';

let said = '';

beforeEach(() => {
  said = '';
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      said += String(text);
      return true;
    });
});

afterEach(() => void vi.restoreAllMocks());

const judged = async (...argv: readonly string[]) => {
  const out = temporaryFolder(onTestFinished);
  return { out, code: await judgeFace(toyParty, ['--out', out, ...argv]) };
};

describe('exit codes', () => {
  test.each([
    ['a good one', ['TREE'], 0],
    ['one that only breaks a should', ['lynx'], 0],
    ['a broken must', ['at'], 1],
    ['an unknown flag', ['--nothing', 'at'], 2],
    ['an unknown rule', ['--rule', 'toy.nothing', 'at'], 2],
    ['a time that is none', ['--timeout', 'soon', 'at'], 2],
    ['no rule at all', ['--level', 'may', 'at'], 2],
    ['--help', ['--help'], 0],
  ])('%s', async (_, argv, code) => {
    expect((await judged(...argv)).code).toBe(code);
  });

  test('a rule that is nearly one, or one of its chapters', async () => {
    await judged('--rule', 'toy.vowle', 'at');
    expect(said).toContain('--rule: there is no rule "toy.vowle" (did you mean toy.vowel?)');
    await judged('--skip', 'tyo', 'at');
    expect(said).toContain('(did you mean toy?)');
  });

  test('nothing to judge', async () => {
    const nowhere = { ...toyParty, inspect: () => Promise.reject(new TargetFault('nobody is there.')) };
    expect(await judgeFace(nowhere, ['word'])).toBe(3);
    expect(said).toContain('touchstone judge toy: nobody is there.');
  });

  test('no such party', async () => {
    expect(await main(['toy'])).toBe(2);
    expect(await main(['constructor'])).toBe(2);
    expect(said).toContain('there is no party "toy"');
    expect(await main(['--help'])).toBe(0);
  });
});

test.each(['client', 'ingress', 'signer', 'webhook'])('the judge of a %s explains itself', async (name) => {
  expect(await main([name, '--help'])).toBe(0);
  const [help = '', examples = ''] = said.split('\n\nExamples:\n');
  expect(help).toMatch(new RegExp(`^Usage: touchstone judge ${name} `));
  expect(examples).toMatch(new RegExp(`^  touchstone judge ${name} -`));
  for (const [flag] of examples.matchAll(/ --[a-z-]+/g)) expect(help).toContain(` ${flag} `);
});

test('a run that is ended clears up, judges nothing more and says so', async () => {
  const undone: string[] = [];
  const open = async (_: string, { ruleId, release }: PartyRun) => {
    release(() => undone.push(ruleId));
    process.emit('SIGINT');
    return new Promise<never>(() => undefined);
  };
  const out = temporaryFolder(onTestFinished);
  const code = await judgeFace({ ...toyParty, open }, ['--workers', '1', '--out', out, 'word']);
  expect(code).toBe(130);
  expect(undone).toEqual([toyParty.rules[0]?.id]);
  expect(said).toContain('Not judged: 3 rules, as the run was ended.');
});

test('what would not go again is told', async () => {
  const open = async (_: string, run: PartyRun) => {
    run.release(() => run.left.push('/api/v1/namespaces/mine: 403'));
    return { word: 'TREE', done: [] };
  };
  await judgeFace({ ...toyParty, open }, ['--rule', 'toy.vowel', '--out', temporaryFolder(onTestFinished), 'word']);
  expect(said).toContain('touchstone judge toy: could not remove /api/v1/namespaces/mine: 403\n');
});

test('one that all rules meet is judged again, without the others, by what is broken', async () => {
  let isOpen = 0;
  // It cannot bear two rules at once.
  const open: typeof toyParty.open = async (word, run) => {
    isOpen += 1;
    run.release(() => (isOpen -= 1));
    await new Promise(setImmediate);
    return { word: isOpen > 1 ? 'x' : word, done: [] };
  };
  const argv = ['--out', temporaryFolder(onTestFinished), 'TREE'];
  expect(await judgeFace({ ...toyParty, open }, argv)).toBe(1);
  said = '';
  expect(await judgeFace({ ...toyParty, open, isShared: true }, argv)).toBe(0);
  expect(said).toContain('broken rules are judged again, one at a time');
  expect(said).toMatch(/^all +\d +0 +\d/m);
});

test('the list shows the chosen rules and runs none', async () => {
  const { code } = await judged('--list', '--rule', 'toy', '--skip', 'toy.capital');
  expect(code).toBe(0);
  expect(said).toBe('should toy.vowel  A word has a vowel.\n');
});

test('a run ends with the table, the failures and the reports', async () => {
  const { code, out } = await judged('At');
  expect(code).toBe(1);
  expect(said).toMatch(/^watch +· +1/m);
  expect(said).toContain('FAIL watch.start.list-first: letters');
  const report = JSON.parse(readFileSync(join(out, 'toy.json'), 'utf8'));
  expect(report.counts).toEqual({ pass: 0, fail: 2, warn: 1, skipped: 0, error: 0 });
  expect(JSON.stringify(report)).not.toContain('secret');
  expect(report.target).toBe('toy At');
  expect(readFileSync(join(out, 'toy.xml'), 'utf8')).toContain('<testsuite name="toy" tests="2"');
  expect(readFileSync(join(out, 'toy.html'), 'utf8')).toContain('<title>Conformance of toy At</title>');
  expect(readFileSync(join(out, 'toy.md'), 'utf8')).toContain('## Conformance of `toy At`\n');
  expect(readFileSync(join(out, 'toy.svg'), 'utf8')).toContain('2 of 3 broken');
});

test('a named rule tells all it did', async () => {
  await judged('--rule', 'watch.start.list-first', 'tree');
  expect(said).toContain('PASS watch.start.list-first');
  expect(said).toContain("$ curl -sS --globoff 'http://h/word'");
});

test('what a rule opens is undone, also when its check fails or lasts too long', async () => {
  const undone: string[] = [];
  const open = async (_: string, { release }: { release: (undo: () => unknown) => void }) => {
    release(() => undone.push('first'));
    release(() => Promise.reject(new Error('cannot')));
    release(() => undone.push('last'));
    return 0;
  };
  const endless = implied<number>(
    'toy.endless',
    { statement: 'Never ends.', from: ['rv.opaque'] },
    { fault: 'x', check: () => new Promise(() => undefined) },
  );
  const result = await judgeParty({ open }, '', endless, { timeout: 20, verbose: false });
  expect(result).toMatchObject({ verdict: 'fail', finding: { kind: 'timeout' } });
  expect(undone).toEqual(['last', 'first']);
});

test('the self-check tells which rules cannot fail', async () => {
  const [first] = toyParty.rules;
  const toothless = { ...toyParty, rules: [{ ...first, check: async () => undefined }] } as unknown as typeof toyParty;
  const told: boolean[] = [];
  const options = { timeout: 1_000, workers: 2, verbose: false, onPlay: (isRight: boolean) => void told.push(isRight) };
  const teeth = await checkPartyTeeth(toothless, toothless.rules, options);
  expect(teeth[0]?.problems).toEqual(['pass with the fault: short', 'passes on a dead one: .']);
  expect(told, 'a good one, a faulty one, a dead one').toEqual([true, false, false]);
  const sound = await checkPartyTeeth(toyParty, toyParty.rules, options);
  expect(sound.map(({ problems }) => problems)).toEqual([
    [],
    ["warn (assertion: expected 'HEALTHY' to match /[aeiou]/) on a good specimen"],
    [],
  ]);
});

test('what the self-check did not notice at first, as on a busy machine, is played again alone', async () => {
  const words: string[] = [];
  const check = async ({ word }: { readonly word: string }): Promise<void> => {
    words.push(word);
    expect(words.filter((one) => one === 'sh').length, 'times').toBeLessThan(2);
  };
  const statement = { statement: 'It comes late.', from: ['rv.opaque'] };
  const late = implied('toy.late', statement, { fault: 'short', check });
  const options = { timeout: 1_000, workers: 2, verbose: false };
  const [teeth] = await checkPartyTeeth({ ...toyParty, dead: [] }, [late], options);
  expect(words).toEqual(['HEALTHY', 'sh', 'sh']);
  expect(teeth?.problems).toEqual([]);
});

test('the self-check tells how far it is, by each play', async () => {
  const { code } = await judged('--self-check');
  expect(code).toBe(1);
  expect(said).toMatch(/^10\/10 plays, 1 broken\n/m);
  expect(said).toContain('NO TEETH toy.vowel\n');
  expect(said).toContain('3 rules, 4 sabotages, 3 runs on dead servers: 2 proven, 1 not, 0 skipped.');
});

test('a rule is of the catalogue and names a fault, or it is none', () => {
  const check = async () => undefined;
  expect(() => documented('toy.nothing', { fault: 'x', check })).toThrow('no documented rule');
  expect(() => documented('rv.opaque', { fault: [], check })).toThrow('names no fault');
  expect(() => implied('toy.x', { statement: '', from: ['toy.y'] }, { fault: 'x', check })).toThrow('no documented');
});
