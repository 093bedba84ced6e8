import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { judgeFace } from '../face.ts';
import { judgeParty } from '../play.ts';
import { startClient } from './client-process.ts';
import { clientParty } from './party.ts';

const options = { timeout: 30_000, verbose: false };

async function verdict(id: string, fault?: string, command?: readonly string[]) {
  const rule = clientParty.rules.find((each) => each.id === id);
  if (!rule) throw new Error(`there is no rule ${id}`);
  const { candidate } = await clientParty.specimen(fault);
  const judged = command ? { ...candidate, command } : candidate;
  // A good one may take its time on a busy machine; of a bad one little is to be waited for.
  return judgeParty(clientParty, { ...judged, patience: fault ? 8_000 : 20_000 }, rule, options);
}

test.concurrent.each([
  ['watch.start.list-first', 'watches-first'],
  ['lists.paging.same-limit', 'another-limit'],
  ['client.watch.changes', 'ignores-deleted'],
  ['client.watch.old-stream', 'reads-old-watches'],
  ['client.list.null-items', 'needs-items', 'warn'],
  ['client.credential.redirect', 'takes-token-along', 'warn'],
  ['rv.opaque', 'versions-are-numbers'],
  ['client.write.conflict', 'no-version'],
  ['exec-plugin.input', 'plugin-no-input'],
  ['client.lead.takes-what-is-free', 'leads-without-lease'],
])('%s holds for a good client and fails when it %s', async (id, fault, expected = 'fail') => {
  expect(await verdict(id)).toMatchObject({ verdict: 'pass' });
  const broken = await verdict(id, fault);
  expect(broken).toMatchObject({ verdict: expected, finding: { kind: 'assertion' } });
  expect(broken.exchanges.length, 'exchanges that show it').toBeGreaterThan(0);
});

test('a client that does not know a scenario is not judged by it', async () => {
  const result = await verdict('client.write.conflict', undefined, ['sh', '-c', 'exit 64']);
  expect(result).toMatchObject({ verdict: 'skipped', reason: 'the client does not play this scenario' });
});

test.each([[join('/nowhere', 'client')], ['no-such-client'], [import.meta.dirname]])(
  'a command that there is not, %s, is nothing to judge',
  async (command) => {
    const said: string[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean(said.push(String(text))));
    onTestFinished(() => void vi.restoreAllMocks());
    expect(await judgeFace(clientParty, ['--', command])).toBe(3);
    expect(said.join('')).toBe(`touchstone judge client: ${command} cannot be run: no such program is found.\n`);
  },
);

test('a client that has ended is not waited for', async () => {
  const patience = 600_000;
  for (const id of ['client.watch.changes', 'client.load.jitter']) {
    const rule = clientParty.rules.find((each) => each.id === id) as (typeof clientParty.rules)[number];
    const result = await judgeParty(clientParty, { command: ['true'], patience }, rule, options);
    expect(result, id).toMatchObject({ verdict: rule.level === 'must' ? 'fail' : 'warn', warnings: [] });
    expect(result.finding?.kind, id).toBe('assertion');
  }
});

test('a client that leaves somebody behind holds up nobody', async () => {
  const rule = clientParty.rules.find(({ id }) => id === 'client.watch.changes') as (typeof clientParty.rules)[number];
  const command = ['sh', '-c', 'setsid sleep 30 & exit 0'];
  const judged = judgeParty(clientParty, { command, patience: 1_000 }, rule, options).then(({ verdict }) => verdict);
  const late = new Promise((resolve) => setTimeout(resolve, 7_000, 'late'));
  expect(await Promise.race([judged, late])).toBe('fail');
});

test.each([
  ['line', 'exec node -e "for (;;) require(\'fs\').writeSync(1, Buffer.alloc(1 << 20, 120))"'],
  ['copy', 'exec yes \'{"a":1}\''],
])('a client that writes without end, %s upon %s, is ended', async (_, script) => {
  const command = ['sh', '-c', script];
  const parts = { command, kubeconfig: '', environment: {}, patience: 50_000 };
  const client = startClient(parts);
  onTestFinished(() => client.stop());
  expect(await client.ends()).toBe(-1);
  expect(client.output()).toContain('nobody can read all that it writes');
});

test('a command that cannot be started breaks the rule and says so', async () => {
  const result = await verdict('watch.start.list-first', 'ends-at-once', [join('/nowhere', 'client')]);
  expect(result.verdict).toBe('fail');
  expect(result.finding?.message).toContain('ENOENT');
});

test('what a client shows of its credentials is not in the report', async () => {
  const result = await verdict('watch.start.list-first', 'watches-first');
  expect(JSON.stringify(result)).not.toContain('token-of-the-judge');
});

test('every rule has an id of its own, and a fault that there is', async () => {
  const ids = clientParty.rules.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThanOrEqual(35);
});

test('a client that patches its Lease keeps the rules, too', async () => {
  const { candidate } = await clientParty.specimen();
  const command = [...candidate.command, '--patches'];
  // At once: most of their time is waiting for leases to end.
  const [over, race, blind] = await Promise.all([
    verdict('client.lead.takes-over', undefined, command),
    verdict('client.lead.loses-race', undefined, command),
    verdict('client.lead.loses-race', 'patches-blindly'),
  ]);
  for (const result of [over, race]) expect(result, result.id).toMatchObject({ verdict: 'pass' });
  expect(blind).toMatchObject({ verdict: 'fail' });
});
