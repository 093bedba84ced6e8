import { join } from 'node:path';
import { freePort } from '../../free-port.ts';
import { systemTimers } from '../../server/base/time/timers.ts';
import { EtcdClient } from '../../server/store/etcd/etcd-client.ts';
import { EtcdProcess } from '../../server/store/etcd/etcd-process.fixture.ts';
import { clockJumps, etcdFaults, type Fault, killed, memberFaults, stopped } from './faults.ts';
import { ServerProcess } from './server-process.ts';
import { SlowLine } from './slow-line.ts';

/** Servers that clients work with, and what can happen to them. */
export interface Venue {
  readonly urls: readonly string[];
  readonly token: string;
  readonly faults: readonly Fault[];
  close(): Promise<void>;
}

export type VenueName = 'data-dir' | 'etcd' | 'etcd-cluster';

/** One server that keeps its objects in a folder. */
async function dataDir(folder: string): Promise<Venue> {
  const flags = [`--data-dir=${join(folder, 'data')}`, '--faults'];
  const server = new ServerProcess(await freePort(), join(folder, 'certificates'), flags);
  await server.start();
  return {
    urls: [server.url],
    token: server.token,
    // Kills are what it is about.
    faults: [killed(server), killed(server), killed(server), stopped(server), clockJumps(server)],
    close: () => server.end('SIGKILL'),
  };
}

const serverFaults = (server: ServerProcess): Fault[] => [killed(server), stopped(server), clockJumps(server)];

/** Two servers over one etcd, each by a line of its own. */
async function etcd(folder: string): Promise<Venue> {
  const process = await EtcdProcess.start();
  const lines = [await SlowLine.to(process.url), await SlowLine.to(process.url)];
  const servers: ServerProcess[] = [];
  for (const { url } of lines) {
    const flags = [`--etcd-servers=${url}`, '--etcd-compaction-interval=0', '--faults'];
    servers.push(new ServerProcess(await freePort(), join(folder, 'certificates'), flags));
  }
  for (const server of servers) await server.start();
  const client = new EtcdClient({
    servers: [process.url],
    timers: systemTimers,
    now: () => performance.now(),
  });
  return {
    urls: servers.map(({ url }) => url),
    token: servers[0]?.token ?? '',
    faults: [...servers.flatMap(serverFaults), ...etcdFaults(process, client, lines)],
    async close() {
      client.close();
      await Promise.all(servers.map((server) => server.end('SIGKILL')));
      await Promise.all(lines.map((line) => line.close()));
      await process.stop();
    },
  };
}

/** Two servers over three members of one etcd, of which two always are there. */
async function etcdCluster(folder: string): Promise<Venue> {
  const members = await EtcdProcess.startCluster(3);
  const flags = [
    `--etcd-servers=${members.map(({ url }) => url).join(',')}`,
    '--etcd-compaction-interval=0',
    '--faults',
  ];
  const servers: ServerProcess[] = [];
  for (const _ of ['one', 'other'])
    servers.push(new ServerProcess(await freePort(), join(folder, 'certificates'), flags));
  for (const server of servers) await server.start();
  return {
    urls: servers.map(({ url }) => url),
    token: servers[0]?.token ?? '',
    faults: [...servers.flatMap(serverFaults), ...memberFaults(members)],
    async close() {
      await Promise.all(servers.map((server) => server.end('SIGKILL')));
      await Promise.all(members.map((member) => member.stop()));
    },
  };
}

export const venues: Readonly<Record<VenueName, (folder: string) => Promise<Venue>>> = {
  'data-dir': dataDir,
  etcd,
  'etcd-cluster': etcdCluster,
};
