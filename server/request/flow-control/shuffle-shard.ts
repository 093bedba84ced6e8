import { createHash } from 'node:crypto';

/** 60 bits that stand for a flow: the same for the same schema and distinguisher. */
export function flowHash(schema: string, distinguisher: string): bigint {
  const digest = createHash('sha256').update(schema).update('\0').update(distinguisher).digest();
  return digest.readBigUInt64LE() & ((1n << 60n) - 1n);
}

/**
 * The hand of queues that a flow is dealt: `size` different ones of `queues`. Two flows rarely share all of theirs, so
 * that a flow which fills its own leaves others a queue.
 */
export function deal(hash: bigint, queues: number, size: number): number[] {
  const hand: number[] = [];
  let rest = hash;
  for (let dealt = 0; dealt < size && dealt < queues; dealt++) {
    const left = BigInt(queues - dealt);
    let card = Number(rest % left);
    rest /= left;
    // The card's place among those that are left; those that were dealt, in ascending order, move it on.
    let at = 0;
    for (; at < hand.length && (hand[at] as number) <= card; at++) card++;
    hand.splice(at, 0, card);
  }
  return hand;
}
