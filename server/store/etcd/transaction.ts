import type { Basis, Stored } from '../store.ts';
import type { KeyLayout } from './key-layout.ts';
import { type Compare, type KeyValue, type Operation, result, type TxnRequest, target } from './messages.ts';
import { rangeOf } from './ranges.ts';

/** What a write is to do with one key, if that still is as it was. */
export interface Write {
  readonly key: string;
  readonly before: Stored | undefined;
  /** Another key that is to be as it was, too. */
  readonly basis?: Basis | undefined;
  /** Missing: the key is removed. */
  readonly value: Buffer | undefined;
  readonly lease: number | undefined;
  /** What only one object at a time may hold: what this one takes, and what it gives back. */
  readonly takes: readonly string[];
  readonly returns: readonly string[];
  /** Claims that are there although their object holds them no more, by what they claim: their modRevision. */
  readonly stale: ReadonlyMap<string, number>;
  /** Of this revision all claims were looked at, and none of them is in the way; missing: each is compared. */
  readonly claimsKnown?: number;
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
export const claimsPrefix = (layout: KeyLayout): string => `${layout.root}touchstone/claims/`;
const claimKey = (layout: KeyLayout, what: string): Buffer => Buffer.from(claimsPrefix(layout) + what);

/** Claims up to which each is compared and written by itself: with all else etcd takes 128 operations, unless told otherwise. */
export const fewClaims = 100;
/** Operations of a group; with as many groups they are no more than etcd takes. */
const groupSize = 60;

/** The write as one transaction. What failed is told by the keys as they are then: the object's first, then the claims. */
export function transactionOf(layout: KeyLayout, write: Write): TxnRequest {
  const key = Buffer.from(layout.toEtcd(write.key));
  const { value, lease, noted, claimsKnown, basis } = write;
  const claims = write.takes.map((what) => ({ what, key: claimKey(layout, what) }));
  const compared = claimsKnown === undefined ? claims : [];
  const compare = [
    isOf(key, write.before?.revision),
    ...(basis ? [isOf(Buffer.from(layout.toEtcd(basis.key)), basis.revision)] : []),
    ...compared.map((claim) => isOf(claim.key, write.stale.get(claim.what))),
    ...(claimsKnown === undefined ? [] : [noneSince(layout, claimsKnown)]),
    ...noted.map((record) => isOf(record.key, record.modRevision)),
  ];
  const success: Operation[] = [
    value ? { put: { key, value, ...(lease !== undefined && { lease }) } } : { remove: { key } },
    ...noted.map(({ key, value }) => ({ put: { key, value } })),
    ...grouped([
      ...claims.map((claim) => ({ put: { key: claim.key, value: Buffer.from(write.key) } })),
      ...write.returns.map((what) => ({ remove: { key: claimKey(layout, what) } })),
    ]),
  ];
  const failure = [key, ...compared.map((claim) => claim.key)].map((each) => ({ range: { key: each } }));
  return { compare, success, failure };
}

/** @param modRevision 0: it is not there */
const isOf = (key: Buffer, modRevision = 0): Compare => ({ target: target.modRevision, key, modRevision });

/** No claim was made or changed after a revision. */
const noneSince = (layout: KeyLayout, revision: number): Compare => ({
  result: result.less,
  target: target.modRevision,
  ...rangeOf(claimsPrefix(layout)),
  modRevision: revision + 1,
});

/** Few are left as they are. */
function grouped(operations: readonly Operation[]): readonly Operation[] {
  if (operations.length <= fewClaims) return operations;
  const groups: Operation[] = [];
  for (let start = 0; start < operations.length; start += groupSize)
    groups.push({ group: { success: operations.slice(start, start + groupSize) } });
  return groups;
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
