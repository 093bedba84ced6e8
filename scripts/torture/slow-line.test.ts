import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { SlowLine } from './slow-line.ts';

it('a line that is slow and fast by turns hands over everything in order', async () => {
  const target = createServer().listen(0, '127.0.0.1');
  await once(target, 'listening');
  const line = await SlowLine.to(`http://127.0.0.1:${(target.address() as { port: number }).port}`);
  const near = connect(Number(new URL(line.url).port), '127.0.0.1').setNoDelay(true);
  const [far] = (await once(target, 'connection')) as [Socket];
  let text = '';
  const all = Array.from({ length: 20 }, (_, n) => `${n} `).join('');
  const whole = new Promise<void>((resolve) => {
    far.on('data', (bytes) => {
      text += bytes;
      if (text.length >= all.length) resolve();
    });
  });
  for (let n = 0; n < 20; n++) {
    line.become(n % 7 < 3 ? 'slow' : 'open');
    near.write(`${n} `);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await whole;
  expect(text).toBe(all);
  await line.close();
  target.close();
});
