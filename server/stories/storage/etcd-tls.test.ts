import { KeyObject } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../fixtures/temporary-folder.fixture.ts';
import { EtcdProcess, withoutEtcd } from '../../store/etcd/etcd-process.fixture.ts';
import { authority } from '../../x509/certificates.fixture.ts';
import { configMaps, startTestServer } from '../test-server.fixture.ts';

const folder = temporaryFolder();
const [certificate, key] = [join(folder, 'etcd.crt'), join(folder, 'etcd.key')];

/** One pair for both sides, which is its own authority. */
async function renew(): Promise<void> {
  const now = Date.now();
  const issued = await authority('etcd', { hosts: ['127.0.0.1'], from: now - 60_000, until: now + 3_600_000 });
  writeFileSync(certificate, String(issued.certificate));
  writeFileSync(key, KeyObject.from(issued.keys.privateKey).export({ type: 'pkcs8', format: 'pem' }));
}

it.skipIf(withoutEtcd)(
  'an etcd over TLS is reached again once the certificates of both were renewed',
  async () => {
    await renew();
    const etcd = await EtcdProcess.start({
      scheme: 'https',
      flags: [
        `--cert-file=${certificate}`,
        `--key-file=${key}`,
        `--trusted-ca-file=${certificate}`,
        '--client-cert-auth',
      ],
    });
    const files = { etcdCafile: certificate, etcdCertfile: certificate, etcdKeyfile: key };
    onTestFinished(() => etcd.stop());
    const server = await startTestServer({ etcdServers: [etcd.url], ...files });
    onTestFinished(() => server.stop());
    await renew();
    await etcd.kill();
    await etcd.run();
    expect((await server.get(configMaps)).status).toBe(200);
    await server.stop();
    await etcd.stop();
  },
  30_000,
);
