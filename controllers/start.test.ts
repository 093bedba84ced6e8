import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startControllers, withDefaults } from './start.ts';

const at = (path: string): string => JSON.stringify(pathToFileURL(`${import.meta.dirname}/../${path}`).href);

/** What a program prints that ends by itself. */
async function printed(program: string): Promise<string> {
  const args = ['--input-type=module', '--eval', program];
  return (await promisify(execFile)(process.execPath, args, { timeout: 20_000 })).stdout;
}

const nobody = JSON.stringify({
  clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
  contexts: [{ name: 'c', context: { cluster: 'c' } }],
  'current-context': 'c',
});

test('a kubeconfig under another name does not mean the cluster that kubectl finds', async () => {
  const mistyped: object = { kubeconfg: nobody, controllers: [] };
  const message = 'there is no option "kubeconfg" (did you mean kubeconfig?)';
  await expect(startControllers(mistyped)).rejects.toMatchObject({ name: 'TypeError', message });
});

test('a text that stands for a list names no controllers', async () => {
  const mistyped = { kubeconfig: nobody, controllers: '*' as never };
  const message = 'controllers is a list, not "*"';
  await expect(startControllers(mistyped)).rejects.toMatchObject({ name: 'TypeError', message });
});

test('what is undefined is left out', () => {
  expect(withDefaults({ controllers: undefined, ingressHttpPort: 1 } as object)).toMatchObject({
    controllers: ['*'],
    ingressHttpPort: 1,
  });
});

test('a program runs until its controllers are stopped, though the server is away', async () => {
  const output = await printed(`
    import { startControllers } from ${at('controllers/index.ts')};
    const running = await startControllers({ kubeconfig: ${JSON.stringify(nobody)}, controllers: [] });
    setTimeout(() => running.stop().then(() => console.log('stopped')), 100).unref();
  `);
  expect(output).toBe('stopped\n');
});

test('a program ends whose controllers could not start, since a port is taken', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const { port } = holder.address() as AddressInfo;
  const output = await printed(`
    import { startServer } from ${at('server/start.ts')};
    const starting = startServer({ controllers: ['*', 'ingress'], ingressHttpPort: ${port} });
    await starting.catch(({ code }) => console.log(code));
  `);
  holder.close();
  expect(output).toBe('EADDRINUSE\n');
});
