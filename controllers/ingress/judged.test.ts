import { expect, onTestFinished, test } from 'vitest';
import { ingressParty } from '../../conformance/parties/ingress/party.ts';
import { playParty } from '../../conformance/parties/play.ts';
import { freePort } from '../../free-port.ts';
import { startCluster } from '../testing/cluster.fixture.ts';

test('the controller keeps every rule that ingress controllers are judged by', async () => {
  const [http, https] = [await freePort(), await freePort()];
  const cluster = await startCluster({
    controllers: ['ingress', 'serviceaccount', 'namespace'],
    ingressHttpPort: http,
    ingressHttpsPort: https,
  });
  onTestFinished(cluster.stop);
  const { url, adminToken: token, certificateAuthority } = cluster.server;
  const candidate = {
    target: { url, token, certificateAuthority },
    address: { host: '127.0.0.1', port: http },
    tlsAddress: { host: '127.0.0.1', port: https },
    ...{ className: 'touchstone', backendHost: '127.0.0.1', patience: 10_000 },
  };
  const { results } = await playParty(ingressParty, candidate, ingressParty.rules, {
    ...{ timeout: 60_000, workers: 4, verbose: false },
  });
  const broken = results.filter(({ verdict }) => verdict !== 'pass');
  expect(broken.map(({ id, verdict, finding }) => [id, verdict, finding?.message])).toEqual([]);
}, 90_000);
