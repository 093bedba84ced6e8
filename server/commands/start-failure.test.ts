import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { holderOf, startFailure } from './start-failure.ts';

const failure = (code: string, more: object = {}) => Object.assign(new Error(`${code}: as it is`), { code, ...more });

it.each([
  [failure('EACCES', { syscall: 'listen' }), /^port 80 is for the system alone: .*--secure-port$/],
  [failure('EADDRNOTAVAIL', { syscall: 'listen' }), /^10\.9\.8\.7 is no address of this machine: .*--bind-address$/],
  [
    failure('EROFS', { syscall: 'mkdir', path: '/certs' }),
    /^\/certs cannot be written \(the file system can only be read\): .*--cert-dir/,
  ],
  [
    failure('ENOENT', { syscall: 'mkdir', path: '/certs/of/mine' }),
    /^\/certs\/of\/mine cannot be written \(it cannot be made there\): .*--cert-dir/,
  ],
  [failure('ENOTDIR', { syscall: 'scandir', path: '/data' }), /^\/data cannot be read .*: .*--data-dir$/],
  [failure('EACCES', { syscall: 'mkdir', path: '/data/objects' }), /^\/data\/objects cannot be written .*--data-dir$/],
  [failure('ENOTFOUND', { syscall: 'getaddrinfo' }), /^10\.9\.8\.7 is no address of this machine: .*--bind-address$/],
  [failure('ENOENT', { syscall: 'open', path: '/elsewhere' }), /^there is no \/elsewhere$/],
  [failure('ENOENT', { syscall: 'access', path: '/ca.crt' }), /^there is no \/ca\.crt$/],
  [failure('EOTHER'), /^EOTHER: as it is$/],
  ['just text', /^just text$/],
])('%s says what to do', (error, expected) => {
  expect(startFailure(error, { bindAddress: '10.9.8.7', securePort: 80, certDir: '/certs', dataDir: '/data' })).toMatch(
    expected,
  );
});

it.each([
  [80, '--secure-port'],
  [8081, '--ingress-http-port'],
  [8444, '--ingress-https-port'],
])('of the port %i says that %s chose it', (port, flag) => {
  const place = { bindAddress: '0.0.0.0', securePort: 80, ingressHttpPort: 8081, ingressHttpsPort: 8444 };
  const taken = failure('EADDRINUSE', { syscall: 'listen', address: '127.0.0.1', port });
  expect(startFailure(taken, place)).toMatch(
    new RegExp(`^port ${port} of 127\\.0\\.0\\.1 is taken .*: choose another with ${flag}, or 0`),
  );
  const system = failure('EACCES', { syscall: 'listen', port });
  expect(startFailure(system, place)).toMatch(new RegExp(`^port ${port} is for the system alone: .* with ${flag}$`));
});

it('tells who holds the port', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const holder = holderOf(port);
  if (process.platform === 'linux')
    expect(holder).toMatchObject({ pid: process.pid, name: expect.stringContaining('node') });
  const message = startFailure(failure('EADDRINUSE'), { securePort: port });
  expect(message).toMatch(
    new RegExp(`^port ${port} of 127\\.0\\.0\\.1 is taken .*: choose another with --secure-port`),
  );
  server.close();
  expect(startFailure(failure('EADDRINUSE'), { securePort: 1 })).toContain('is taken already');
});
