import { expect, it } from 'vitest';
import { leftOn } from './left.ts';
import type { Side } from './play/side.ts';

/** A server without anything, whose connections break so many times. */
function breaking(times: number): Side {
  let left = times;
  const send = async () => {
    if (left-- > 0) throw new Error('other side closed');
    return { status: 404, body: {} };
  };
  return { run: 'some', client: { send } } as unknown as Side;
}

it('looks again for what is left where a connection breaks', async () => {
  expect(await leftOn(breaking(2))).toEqual([]);
});

it('tells by which label it is found where it could not be looked for', async () => {
  expect(await leftOn(breaking(99))).toEqual(['what carries touchstone/run=some: other side closed']);
});
