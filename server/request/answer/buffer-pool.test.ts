import { describe, expect, it } from 'vitest';
import { BufferPool } from './buffer-pool.ts';

const MiB = 1024 * 1024;

describe('a pool of buffers', () => {
  it('gives out again what was given back, when it fits', () => {
    const pool = new BufferPool();
    const large = pool.take(MiB);
    expect(large.length).toBeGreaterThanOrEqual(MiB);
    pool.give(large);
    expect(pool.take(4 * MiB)).not.toBe(large);
    expect(pool.take(MiB - 5)).toBe(large);
    expect(pool.take(MiB)).not.toBe(large);
  });

  it('does not waste large ones on small needs', () => {
    const pool = new BufferPool();
    const large = pool.take(8 * MiB);
    pool.give(large);
    expect(pool.take(MiB)).not.toBe(large);
    expect(pool.take(1000).length).toBe(1000);
  });

  it('keeps no more than it may', () => {
    const pool = new BufferPool({ atMost: 3 * MiB });
    const buffers = [pool.take(MiB), pool.take(MiB), pool.take(MiB), pool.take(MiB)];
    for (const buffer of buffers) pool.give(buffer);
    expect(pool.held).toBe(3 * MiB);
    expect(pool.take(MiB)).toBe(buffers[1]);
    pool.give(pool.take(8 * MiB));
    expect(pool.held).toBe(2 * MiB);
  });
});
