import { systemTimers } from '../../../server/base/time/timers.ts';
import { EtcdClient, everything } from '../../../server/store/etcd/etcd-client.ts';
import { EtcdProcess } from '../../../server/store/etcd/etcd-process.fixture.ts';
import type { Side } from '../load.ts';
import type { Aim, Measurement } from './aim.ts';
import { Line } from './line.ts';
import { askAll, configMaps, creation, withServer } from './measured-server.ts';

/** Requests that are on their way at a time. */
const many = 64;
const writes = 4000;
const reads = 8000;
/** The sides take turns, and the best of each counts: other work on the machine only slows down. */
const rounds = 4;

interface Pair {
  readonly mine: number;
  readonly theirs: number;
}

async function bestOf(mine: (round: number) => Promise<number>, theirs: (round: number) => Promise<number>) {
  const best = { mine: 0, theirs: 0 };
  for (let round = 0; round < rounds; round++) {
    best.theirs = Math.max(best.theirs, await theirs(round));
    best.mine = Math.max(best.mine, await mine(round));
  }
  return best;
}

const measurement = ({ mine, theirs }: Pair, beside: string): Measurement => ({
  figure: (100 * mine) / theirs,
  of: `${mine.toFixed(0)}/s beside ${theirs.toFixed(0)}/s ${beside}`,
});

async function withEtcd<T>(use: (etcd: EtcdProcess, client: EtcdClient) => Promise<T>): Promise<T> {
  const etcd = await EtcdProcess.start();
  const now = () => performance.now();
  const client = new EtcdClient({ servers: [etcd.url], timers: systemTimers, now });
  try {
    return await use(etcd, client);
  } finally {
    client.close();
    await etcd.stop();
  }
}

/**
 * Puts a value under ever new keys, by the server's own client over one connection, as the server does. The server is told
 * of each, as it is of what it writes itself. @returns how many a second
 */
async function put(client: EtcdClient, value: Buffer, round: number, atATime: number): Promise<number> {
  const begun = performance.now();
  let next = 0;
  const work = async () => {
    while (next < writes) {
      const key = Buffer.from(`/bench/${round}/${next++}`);
      await client.txn({ compare: [], success: [{ put: { key, value } }], failure: [] });
    }
  };
  await Promise.all(Array.from({ length: atATime }, work));
  return (1000 * writes) / (performance.now() - begun);
}

/** What is stored for an object of the kind that is written. */
async function storedValue(client: EtcdClient, server: Side): Promise<Buffer> {
  const line = await Line.open(server);
  await line.ask(creation('pattern'));
  line.close();
  const { kvs = [] } = await client.range(everything);
  const found = kvs.find(({ key }) => key.toString().endsWith('/pattern'));
  if (!found) throw new Error('etcd does not have what was written');
  return found.value;
}

const writesWithEtcd = (atATime: number): Aim => ({
  name: `creates with etcd, ${atATime} at a time, beside puts of as many bytes into it`,
  unit: '%',
  least: 70,
  measure: () =>
    withEtcd((etcd, client) =>
      withServer({ etcdServers: [etcd.url] }, async (server) => {
        const value = await storedValue(client, server);
        const lines = await Line.many(server, atATime);
        const mine = (round: number) => askAll(lines, writes, (n) => creation(`cm-${round}-${n}`));
        const best = await bestOf(mine, (round) => put(client, value, round, atATime));
        return measurement(best, `of etcd, ${value.length} bytes`);
      }),
    ),
});

export const fewWritesWithEtcd = writesWithEtcd(8);
export const manyWritesWithEtcd = writesWithEtcd(many);

/** Of a request, on a server with etcd and one in memory. */
const readsWithEtcd = (what: string, path: string, count: number): Aim => ({
  name: `${what} with etcd, beside the same in memory`,
  unit: '%',
  least: 80,
  measure: () =>
    withEtcd((etcd) =>
      withServer({ etcdServers: [etcd.url] }, (server) =>
        withServer({}, async (inMemory) => {
          const [mine, theirs] = [await Line.many(server, many), await Line.many(inMemory, many)];
          for (const lines of [mine, theirs]) await askAll(lines, 500, (n) => creation(`cm-${n}`));
          const asked = (lines: Line[]) => () => askAll(lines, count, () => ({ method: 'GET', path }));
          return measurement(await bestOf(asked(mine), asked(theirs)), `in memory, ${many} at a time`);
        }),
      ),
    ),
});

export const getsWithEtcd = readsWithEtcd('gets', `${configMaps()}/cm-7`, reads);
export const listsWithEtcd = readsWithEtcd('lists of 500', configMaps(), reads / 20);
