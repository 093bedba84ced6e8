import { expect, test } from 'vitest';
import { openHost } from './reference-host.ts';

test('the thread ends although a server was on its way up, and starts no more', async () => {
  const host = openHost();
  const first = await host.start([]);
  expect(first.target.url).toMatch(/^https:/);
  const late = host.start([]);
  const closed = host.close();
  const never = host.start([]);
  await expect(never).rejects.toThrow('about to end');
  expect((await late).target.url).toMatch(/^https:/);
  await closed;
  await first.stop();
});
