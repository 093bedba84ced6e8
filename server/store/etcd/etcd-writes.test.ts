import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../base/kube-object.ts';
import { ContendedError, TakenError, UnavailableError } from '../store.ts';
import { StoredValue } from '../stored-value.ts';
import { Versions } from '../versions.ts';
import type { EtcdClient, TxnOutcome } from './etcd-client.ts';
import { EtcdWrites } from './etcd-writes.ts';
import type { Leases } from './leases.ts';
import { plainLayout } from './plain-layout.fixture.ts';
import type { Replica } from './replica.ts';
import { encodeValue } from './value-format.ts';

const object = (data: string, version?: string): KubeObject => ({
  kind: 'Thing',
  apiVersion: 'example.com/v1',
  metadata: { name: 'a', ...(version && { resourceVersion: version }) },
  data,
});
const kv = (data: string, modRevision: number) => ({
  key: Buffer.from('a'),
  value: encodeValue(object(data), 'application/json'),
  modRevision,
  createRevision: 1,
  version: 1,
  lease: 0,
});

/** A replica that has all there is. */
const replicaOf = (versions: Versions) =>
  ({
    versions,
    get: (key: string) => versions.get(key),
    reached: async () => {},
    sends: () => () => {},
  }) as unknown as Replica;

/** Writes to an etcd that holds `a` at revision 5 in the server's eyes, and gives this answer to a repeated transaction. */
function writes(current: ReturnType<typeof kv> | undefined): EtcdWrites {
  const before = new StoredValue('a', 5, object('before', '5'));
  const versions = new Versions({ revision: 5, items: [before] });
  const outcome = {
    succeeded: false,
    repeated: true,
    header: { revision: 9 },
    responses: [{ range: { kvs: current ? [current] : [] } }],
  } as unknown as TxnOutcome;
  return new EtcdWrites({
    layout: plainLayout('/'),
    attempts: 2,
    client: { txn: async () => outcome } as unknown as EtcdClient,
    replica: replicaOf(versions),
    leases: {} as Leases,
    newest: async () => {},
  });
}

describe('a write that had to be sent twice, because etcd did not answer', () => {
  const update = () => ({ write: object('mine') });

  it('was carried out the first time, if the key is as it would leave it', async () => {
    const { revision, outcome } = await writes(kv('mine', 8)).upsert('a', update);
    expect({ revision, outcome }).toEqual({ revision: 8, outcome: 'written' });
  });

  it.each([
    ['an update', update, kv('of another', 8)],
    ['an update of what is gone', update, undefined],
    ['a removal of what is gone', () => ({ remove: true as const }), undefined],
    ['a removal of what came back', () => ({ remove: true as const }), kv('of another', 8)],
  ])('may have been carried out and may not, if the key was changed since: %s', async (_what, decide, current) => {
    await expect(writes(current).upsert('a', decide)).rejects.toThrow(UnavailableError);
  });
});

it('a write gives up when what it takes is claimed in vain and noted anew each time', async () => {
  const before = new StoredValue('a', 5, object('before', '5'));
  let asked = 0;
  const claim = { ...kv('', 7), value: Buffer.from('gone') };
  const outcome = {
    succeeded: false,
    repeated: false,
    header: { revision: 9 },
    responses: [{ range: { kvs: [kv('before', 5)] } }, { range: { kvs: [claim] } }],
  } as unknown as TxnOutcome;
  const client = {
    async txn() {
      if (++asked > 20) throw new Error('it does not give up');
      return outcome;
    },
    range: async () => ({ kvs: [kv('record', asked)] }),
  };
  const contended = new EtcdWrites({
    layout: plainLayout('/'),
    attempts: 3,
    client: client as unknown as EtcdClient,
    replica: replicaOf(new Versions({ revision: 5, items: [before] })),
    leases: {} as Leases,
    newest: async () => {},
    exclusive: (_key, value) => (value['data'] === 'mine' ? ['it'] : []),
    records: { prefix: 'records/', noted: () => Buffer.from('noted') },
  });
  await expect(contended.upsert('a', () => ({ write: object('mine') }))).rejects.toThrow(ContendedError);
});

it.each([
  ['by the same object, which another server has made', true, 'kept'],
  ['by another one', false, TakenError],
])('what a new object takes and is noted as taken %s', async (_whom, isMade, expected) => {
  const versions = new Versions({ revision: 5, items: [] });
  const writes = new EtcdWrites({
    layout: plainLayout('/'),
    client: { range: async () => ({ kvs: [kv('record', 3)] }) } as unknown as EtcdClient,
    replica: replicaOf(versions),
    leases: {} as Leases,
    newest: async () => {
      if (isMade && !versions.get('a'))
        versions.enter({ key: 'a', revision: 6, stored: new StoredValue('a', 6, object('theirs', '6')) });
    },
    exclusive: () => ['it'],
    records: {
      prefix: 'records/',
      noted() {
        throw new TakenError('it is noted');
      },
    },
  });
  const written = writes.upsert('a', (current) => (current ? { keep: true } : { write: object('mine') }));
  expect(
    await written.then(
      ({ outcome }) => outcome,
      (error) => error.constructor,
    ),
  ).toBe(expected);
});
