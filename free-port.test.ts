import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { freePort } from './free-port.ts';

test('is the one that is wanted, unless somebody has it', async () => {
  const wanted = await freePort();
  expect(await freePort(wanted)).toBe(wanted);
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const instead = await freePort(port);
  expect(instead).not.toBe(port);
  expect(instead).toBeGreaterThan(0);
  other.close();
});
