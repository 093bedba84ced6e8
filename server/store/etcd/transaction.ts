import type { Stored } from '../store.ts';
import type { KeyLayout } from './key-layout.ts';
import { type Compare, type KeyValue, type Operation, type TxnRequest, target } from './messages.ts';

/** What a write is to do with one key, if that still is as it was. */
export interface Write {
  readonly key: string;
  readonly before: Stored | undefined;
  /** Missing: the key is removed. */
  readonly value: Buffer | undefined;
  readonly lease: number | undefined;
  /** What only one object at a time may hold: what this one takes, and what it gives back. */
  readonly takes: readonly string[];
  readonly returns: readonly string[];
  /** Claims that are there although their object holds them no more, by what they claim: their modRevision. */
  readonly stale: ReadonlyMap<string, number>;
  /** Records of others that say what is taken and given back. */
  readonly noted: readonly Noted[];
}

/** A record as it is to be, if it still is as it was at a revision. */
export interface Noted {
  readonly key: Buffer;
  readonly modRevision: number;
  readonly value: Buffer;
}

/** Where it is noted which object holds something that only one may hold. */
export const claimKey = (layout: KeyLayout, what: string): Buffer =>
  Buffer.from(`${layout.root}touchstone/claims/${what}`);

/** The write as one transaction. What failed is told by the keys as they are then: the object's first, then the claims. */
export function transactionOf(layout: KeyLayout, write: Write): TxnRequest {
  const key = Buffer.from(layout.toEtcd(write.key));
  const claims = write.takes.map((what) => ({ what, key: claimKey(layout, what) }));
  const compare: Compare[] = [{ target: target.modRevision, key, modRevision: write.before?.revision ?? 0 }];
  for (const claim of claims) {
    compare.push({ target: target.modRevision, key: claim.key, modRevision: write.stale.get(claim.what) ?? 0 });
  }
  for (const { key, modRevision } of write.noted) compare.push({ target: target.modRevision, key, modRevision });
  const { value, lease } = write;
  const success: Operation[] = [
    value ? { put: { key, value, ...(lease !== undefined && { lease }) } } : { remove: { key } },
    ...claims.map((claim) => ({ put: { key: claim.key, value: Buffer.from(write.key) } })),
    ...write.noted.map(({ key, value }) => ({ put: { key, value } })),
    ...write.returns.map((what) => ({ remove: { key: claimKey(layout, what) } })),
  ];
  const failure = [key, ...claims.map((claim) => claim.key)].map((each) => ({ range: { key: each } }));
  return { compare, success, failure };
}

/** A claim that stood against a write. */
export interface Held {
  readonly what: string;
  readonly holder: string;
  readonly modRevision: number;
}

/** The claims that were there already, among the answers to a failed transaction. */
export function heldClaims(write: Write, answers: readonly (KeyValue | undefined)[]): Held[] {
  return write.takes.flatMap((what, index) => {
    const claim = answers[index + 1];
    return claim ? [{ what, holder: claim.value.toString(), modRevision: claim.modRevision }] : [];
  });
}
