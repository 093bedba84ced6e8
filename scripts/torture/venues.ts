import { join } from 'node:path';
import type { Random } from '../../conformance/oracle/play/random.ts';
import { systemTimers } from '../../server/base/timers.ts';
import { EtcdClient } from '../../server/store/etcd/etcd-client.ts';
import { EtcdProcess, freePort } from '../../server/store/etcd/etcd-process.fixture.ts';
import { ServerProcess } from './server-process.ts';
import { SlowLine } from './slow-line.ts';

/** Something that goes wrong, and is right again when the promise resolves. */
export interface Fault {
  readonly name: string;
  happen(random: Random): Promise<void>;
}

/** Servers that clients work with, and what can happen to them. */
export interface Venue {
  readonly urls: readonly string[];
  readonly token: string;
  readonly faults: readonly Fault[];
  close(): Promise<void>;
}

export type VenueName = 'data-dir' | 'etcd' | 'etcd-cluster';

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

const killed = (server: ServerProcess): Fault => ({
  name: 'a server is killed',
  async happen(random) {
    await server.end('SIGKILL');
    await pause(random.below(100));
    await server.start();
  },
});

const stopped = (server: ServerProcess): Fault => ({
  name: 'a server is stopped',
  async happen() {
    await server.end('SIGTERM');
    await server.start();
  },
});

/** One server that keeps its objects in a folder. */
async function dataDir(folder: string): Promise<Venue> {
  const flags = [`--data-dir=${join(folder, 'data')}`];
  const server = new ServerProcess(await freePort(), join(folder, 'certificates'), flags);
  await server.start();
  return {
    urls: [server.url],
    token: server.token,
    // Kills are what it is about.
    faults: [killed(server), killed(server), killed(server), stopped(server)],
    close: () => server.end('SIGKILL'),
  };
}

/** Two servers over one etcd, each by a line of its own. */
async function etcd(folder: string): Promise<Venue> {
  const process = await EtcdProcess.start();
  const lines = [await SlowLine.to(process.url), await SlowLine.to(process.url)];
  const servers: ServerProcess[] = [];
  for (const { url } of lines) {
    const flags = [`--etcd-servers=${url}`, '--etcd-compaction-interval=0'];
    servers.push(new ServerProcess(await freePort(), join(folder, 'certificates'), flags));
  }
  for (const server of servers) await server.start();
  const client = new EtcdClient({
    servers: [process.url],
    credentials: {},
    timers: systemTimers,
    now: () => performance.now(),
  });
  return {
    urls: servers.map(({ url }) => url),
    token: servers[0]?.token ?? '',
    faults: [...servers.flatMap((server) => [killed(server), stopped(server)]), ...etcdFaults(process, client, lines)],
    async close() {
      client.close();
      await Promise.all(servers.map((server) => server.end('SIGKILL')));
      await Promise.all(lines.map((line) => line.close()));
      await process.stop();
    },
  };
}

function etcdFaults(process: EtcdProcess, client: EtcdClient, lines: readonly SlowLine[]): readonly Fault[] {
  const lineFault = (name: string, state: 'slow' | 'silent' | 'cut', longest: number): Fault => ({
    name,
    async happen(random) {
      const line = random.pick(lines);
      line.become(state);
      await pause(random.below(longest));
      line.become('open');
    },
  });
  return [
    {
      name: 'etcd is killed',
      async happen(random) {
        await process.kill();
        await pause(random.below(1000));
        await process.run();
      },
    },
    {
      name: 'etcd is paused',
      async happen(random) {
        process.pause();
        // Mostly short; now and then longer than a server waits for an answer.
        await pause(random.once(8) ? 10_000 : random.below(1500));
        process.resume();
      },
    },
    {
      name: 'etcd is compacted behind us',
      async happen() {
        const { header } = await client.range({ key: Buffer.from('x') });
        await client.compact(header?.revision ?? 0);
      },
    },
    lineFault('a line is slow', 'slow', 1500),
    lineFault('a line is silent', 'silent', 1500),
    lineFault('a line is cut', 'cut', 800),
  ];
}

/** Two servers over three members of one etcd, of which two always are there. */
async function etcdCluster(folder: string): Promise<Venue> {
  const members = await EtcdProcess.startCluster(3);
  const flags = [`--etcd-servers=${members.map(({ url }) => url).join(',')}`, '--etcd-compaction-interval=0'];
  const servers: ServerProcess[] = [];
  for (const _ of ['one', 'other'])
    servers.push(new ServerProcess(await freePort(), join(folder, 'certificates'), flags));
  for (const server of servers) await server.start();
  return {
    urls: servers.map(({ url }) => url),
    token: servers[0]?.token ?? '',
    faults: [...servers.flatMap((server) => [killed(server), stopped(server)]), ...memberFaults(members)],
    async close() {
      await Promise.all(servers.map((server) => server.end('SIGKILL')));
      await Promise.all(members.map((member) => member.stop()));
    },
  };
}

function memberFaults(members: readonly EtcdProcess[]): readonly Fault[] {
  const leader = async () => {
    for (const member of members) if (await member.leads()) return member;
    return undefined;
  };
  const fault = (name: string, pick: (random: Random) => Promise<EtcdProcess | undefined>): Fault[] => [
    {
      name: `${name} is killed`,
      async happen(random) {
        const member = await pick(random);
        await member?.kill();
        await pause(random.below(3000));
        await member?.run();
      },
    },
    {
      name: `${name} is paused`,
      async happen(random) {
        const member = await pick(random);
        member?.pause();
        await pause(random.below(3000));
        member?.resume();
      },
    },
  ];
  return [...fault('the leader', leader), ...fault('a member', async (random) => random.pick(members))];
}

export const venues: Readonly<Record<VenueName, (folder: string) => Promise<Venue>>> = {
  'data-dir': dataDir,
  etcd,
  'etcd-cluster': etcdCluster,
};
