import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../fixtures/temporary-folder.fixture.ts';
import { startServer } from '../../start.ts';
import { withoutEtcd } from '../../store/etcd/etcd-process.fixture.ts';
import { sharedEtcd, until } from './shared-etcd.fixture.ts';

const folder = temporaryFolder();
const shared = sharedEtcd();
const { started, call } = shared;

describe.skipIf(withoutEtcd)('an etcd that says nothing', () => {
  it('keeps nobody waiting whom any state will do', async () => {
    const tokenAuthFile = join(folder, 'tokens.csv');
    writeFileSync(tokenAuthFile, 'bobtoken,bob,2\n');
    const server = await started({ tokenAuthFile, authorizationMode: ['AlwaysAllow'] });
    const base = '/api/v1/namespaces/default/configmaps';
    const { body } = await call(server, 'POST', base, { metadata: { name: 'known' } });
    shared.etcd.pause();
    try {
      const begun = performance.now();
      const paths = [base, `${base}/known`, `${base}?watch=1&timeoutSeconds=1`].flatMap((path) =>
        ['0', body.metadata.resourceVersion].map(
          (version) => `${path}${path.includes('?') ? '&' : '?'}resourceVersion=${version}`,
        ),
      );
      const answers = await Promise.all(paths.map((path) => call(server, 'GET', path, undefined, 'bobtoken')));
      expect(answers.map(({ status, text }) => status === 200 && !text.includes('"ERROR"'))).toEqual(
        paths.map(() => true),
      );
      expect(performance.now() - begun).toBeLessThan(4000);
    } finally {
      shared.etcd.resume();
    }
  });

  it('makes the server neither ready nor healthy, and that is said soon', async () => {
    const server = await started({ etcdHealthcheckTimeout: 200, etcdReadycheckTimeout: 100 });
    shared.etcd.pause();
    try {
      const begun = performance.now();
      const [ready, live] = await Promise.all([call(server, 'GET', '/readyz'), call(server, 'GET', '/livez')]);
      expect([ready.status, live.status]).toEqual([500, 500]);
      expect(ready.text).toContain('[-]etcd-readiness failed');
      expect(performance.now() - begun).toBeLessThan(2000);
    } finally {
      shared.etcd.resume();
    }
    await until(async () => (await call(server, 'GET', '/readyz')).status === 200, 15_000);
  });
});

describe('options of etcd', () => {
  it.each([
    [{ etcdServers: ['localhost:2379'] }, 'is no http or https URL'],
    [{ etcdServers: ['http://a:1'], dataDir: '/x' }, 'exclude each other'],
    [{ etcdServers: ['http://a:1'], etcdCertfile: '/dev/null' }, 'need each other'],
    [{ etcdServers: ['http://a:1'], etcdCafile: '/nowhere' }, '--etcd-cafile: there is no /nowhere'],
    [{ storageMediaType: 'text/plain' as 'application/json' }, '--storage-media-type takes'],
  ])('%j are refused', async (options, message) => {
    await expect(startServer(options)).rejects.toThrow(message);
  });
});
