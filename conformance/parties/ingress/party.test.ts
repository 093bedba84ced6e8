import { expect, onTestFinished, test, vi } from 'vitest';
import { faults } from '../../../fixtures/ingress/faults.ts';
import { judgeFace } from '../face.ts';
import { judgeParty } from '../play.ts';
import { ingressParty } from './party.ts';

const options = { timeout: 60_000, verbose: false };

async function verdict(id: string, fault?: string) {
  const rule = ingressParty.rules.find((one) => one.id === id);
  if (!rule) throw new Error(`no rule ${id}`);
  const { candidate, stop } = await ingressParty.specimen(fault);
  onTestFinished(stop);
  return judgeParty(ingressParty, candidate, rule, options);
}

test.each([
  ['ingress.host.wildcard.one-label', 'deep-wildcards'],
  ['ingress.path-type.prefix', 'prefix-by-letters'],
  ['ingress.tls.sni-conflict', 'routes-by-sni'],
  ['endpointslice.conditions.serving.nil', 'nil-serving'],
  ['ingress.forwards.streams', 'buffers'],
  ['ingress.changes.drop-nothing', 'drops-on-change'],
])('%s holds for a good controller and fails when it %s', { timeout: 120_000 }, async (id, fault) => {
  expect(await verdict(id)).toMatchObject({ verdict: 'pass' });
  const broken = await verdict(id, fault);
  expect(broken).toMatchObject({ verdict: 'fail', finding: { kind: 'assertion' } });
  expect(broken.exchanges.length, 'exchanges that show it').toBeGreaterThan(0);
});

test('every rule has an id of its own and names faults that there are', () => {
  const ids = ingressParty.rules.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const named = ingressParty.rules.flatMap((rule) => rule.faults);
  expect(named.filter((fault) => !Object.hasOwn(faults, fault))).toEqual([]);
  expect([...named, ...ingressParty.dead].toSorted().filter((one, index, all) => one !== all[index - 1])).toEqual(
    Object.keys(faults).toSorted(),
  );
});

test('what is wrong on the command line is said', async () => {
  const said: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean(said.push(String(text))));
  onTestFinished(() => void vi.restoreAllMocks());
  expect(await judgeFace(ingressParty, ['--address', 'h'])).toBe(2);
  expect(await judgeFace(ingressParty, ['--kubeconfig', '/nowhere/kubeconfig', '--address', 'h'])).toBe(2);
  expect(said.join('')).toMatch(/--kubeconfig names the cluster[\s\S]*\/nowhere\/kubeconfig/);
});

test('an address is a host, and a port where it is another than the usual one', async () => {
  const { candidate, stop } = await ingressParty.specimen();
  onTestFinished(stop);
  const read = (...[address, tls]: string[]) =>
    ingressParty.candidate({ server: candidate.target.url, address, ...(tls && { 'tls-address': tls }) }, []);
  expect(read('h').address).toEqual({ host: 'h', port: 80 });
  expect(read('h:80').address).toEqual({ host: 'h', port: 80 });
  expect(read('[::1]:8080')).toMatchObject({
    address: { host: '::1', port: 8080 },
    tlsAddress: { host: '::1', port: 443 },
  });
  expect(read('h', 'other:8443').tlsAddress).toEqual({ host: 'other', port: 8443 });
  for (const wrong of ['h/path', 'h:port', '', 'a b', 'u@h']) expect(() => read(wrong)).toThrow('HOST[:PORT]');
});
