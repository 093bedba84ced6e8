import { execFile } from 'node:child_process';
import { type AddressInfo, connect, createServer } from 'node:net';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { EtcdProcess, withoutEtcd } from './store/etcd/etcd-process.fixture.ts';

/** An address at which etcd can be had only from the second connection on. */
async function lateAddress(etcd: EtcdProcess): Promise<string> {
  let connections = 0;
  const line = createServer((socket) => {
    connections += 1;
    if (connections === 1) return socket.destroy();
    const onward = connect(Number(new URL(etcd.url).port), '127.0.0.1');
    for (const each of [socket, onward]) each.on('error', () => {});
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void line.close());
  return `http://127.0.0.1:${(line.address() as AddressInfo).port}`;
}

test.skipIf(withoutEtcd)('a program that does nothing else waits until its server has started', async () => {
  const etcd = await EtcdProcess.start();
  onTestFinished(() => etcd.stop());
  const program = `
    import { startServer } from ${JSON.stringify(pathToFileURL(`${import.meta.dirname}/start.ts`).href)};
    const server = await startServer({ etcdServers: ['${await lateAddress(etcd)}'] });
    await server.stop();
    console.log('stopped');
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  expect(stdout).toBe('stopped\n');
});
