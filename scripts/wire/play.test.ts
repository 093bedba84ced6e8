import { expect, it } from 'vitest';
import { playBytes } from './play.ts';

it('a server outlives clients that send what they like, and keeps nothing of them', { timeout: 120_000 }, async () => {
  expect(await playBytes({ seed: 5, connections: 300 })).toEqual([]);
});
