import { expect, onTestFinished, test, vi } from 'vitest';
import { startCluster } from '../../../controllers/testing/cluster.fixture.ts';
import { faults } from '../../../fixtures/signer/specimen.ts';
import { TargetFault } from '../../target/inspect.ts';
import { judgeFace } from '../face.ts';
import { judgeParty, playParty } from '../play.ts';
import { signerParty } from './party.ts';

const options = { timeout: 30_000, verbose: false };

test.each([
  ['csr.state.deny.not-issued', 'signs-denied'],
  ['csr.status.certificate.first-block', 'authority-first'],
  ['signer.usages', 'adds-usages'],
])('%s holds for a good signer and fails when it %s', { timeout: 90_000 }, async (id, fault) => {
  const rule = signerParty.rules.find((one) => one.id === id);
  if (!rule) throw new Error(`no rule ${id}`);
  const verdicts = [undefined, fault].map(async (one) => {
    const { candidate, stop } = await signerParty.specimen(one);
    onTestFinished(stop);
    return judgeParty(signerParty, candidate, rule, options);
  });
  const [good, bad] = await Promise.all(verdicts);
  expect(good).toMatchObject({ verdict: 'pass' });
  expect(bad).toMatchObject({ verdict: 'fail', finding: { kind: 'assertion' } });
});

test('our own signers keep every rule', async () => {
  const cluster = await startCluster(
    { controllers: [] },
    { controllers: ['csrsigning', 'csrapproving', 'example-signer', 'serviceaccount'] },
  );
  onTestFinished(cluster.stop);
  const { url: server, adminToken: token, certificateAuthority } = cluster.server;
  const own = {
    subject: 'CN={}.default.svc',
    hosts: ['{}.default.svc'],
    usages: ['digital signature', 'server auth'],
  };
  for (const signerName of [
    'kubernetes.io/kube-apiserver-client',
    'kubernetes.io/kubelet-serving',
    'kubernetes.io/kube-apiserver-client-kubelet',
    'example.com/workload',
  ]) {
    const { form: known } = signerParty.candidate({ server, 'signer-name': signerName }, []);
    const form = signerName.startsWith('example.com') ? own : known;
    const target = { url: server, token, certificateAuthority };
    const candidate = { target, signerName, form, patience: 10_000, finalize: true };
    const { results } = await playParty(signerParty, candidate, signerParty.rules, { ...options, workers: 4 });
    const broken = results.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'skipped');
    expect(broken.map(({ id, finding }) => [signerName, id, finding?.message])).toEqual([]);
    // What the approver is quick to approve can be denied no more.
    const skipped = results.filter(({ verdict }) => verdict === 'skipped').map(({ id }) => id);
    const unasked = form.hosts.length === 0 ? ['signer.names.kept'] : [];
    expect([unasked, ['csr.state.deny.not-issued', ...unasked]], signerName).toContainEqual(skipped);
  }
});

test('every fault is named by a rule, or is that of a dead one', () => {
  const named = [...signerParty.rules.flatMap((rule) => rule.faults), ...signerParty.dead];
  expect([...new Set(named)].toSorted()).toEqual(Object.keys(faults).toSorted());
});

test('a signer that cannot be asked in this version is nothing to judge', { timeout: 90_000 }, async () => {
  const { candidate, stop } = await signerParty.specimen();
  onTestFinished(stop);
  await expect(signerParty.inspect?.(candidate)).resolves.toBeUndefined();
  const old = { ...candidate, signerName: 'kubernetes.io/legacy-unknown' };
  const fault = await signerParty.inspect?.(old).catch((error: Error) => error);
  expect(fault).toBeInstanceOf(TargetFault);
  expect(String(fault)).toContain('does not take what would be sent');
});

test('the command line must name a signer and a cluster', async () => {
  vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
  onTestFinished(() => void vi.restoreAllMocks());
  expect(await judgeFace(signerParty, ['--kubeconfig', '/nowhere'])).toBe(2);
  expect(await judgeFace(signerParty, ['--signer-name', 'example.com/x'])).toBe(2);
});
