import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { kubeconfigFor } from '../kubeconfig.ts';
import { sweep } from './left-behind.ts';

const folder = temporaryFolder();
const server = createServer();
afterEach(() => void server.close());

it('takes away what belongs to nobody any more, and leaves that of a server which is slow to answer', async () => {
  // It takes connections and says nothing.
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const slow = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // Nobody may listen there.
  const gone = 'https://127.0.0.1:1';
  for (const [name, url] of Object.entries({ slow, gone })) {
    writeFileSync(join(folder, `kubeconfig-${name}`), kubeconfigFor({ url, certificateAuthority: '', token: 't' }));
    writeFileSync(join(folder, `up-${name}.json`), JSON.stringify({ pid: 1, url }));
  }
  await sweep(folder);
  expect(readdirSync(folder).sort()).toEqual(['kubeconfig-slow', 'up-slow.json']);
});
