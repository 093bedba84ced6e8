import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../conformance/oracle/play/random.ts';
import type { EtcdClient } from '../../server/store/etcd/etcd-client.ts';
import type { EtcdProcess } from '../../server/store/etcd/etcd-process.fixture.ts';
import type { ServerProcess } from './server-process.ts';
import type { SlowLine } from './slow-line.ts';

/** Something that goes wrong, and is right again when the promise resolves. */
export interface Fault {
  readonly name: string;
  happen(random: Random): Promise<void>;
}

export const killed = (server: ServerProcess): Fault => ({
  name: 'a server is killed',
  async happen(random) {
    await server.end('SIGKILL');
    await pause(random.below(100));
    await server.start();
  },
});

export const stopped = (server: ServerProcess): Fault => ({
  name: 'a server is stopped',
  async happen() {
    await server.end('SIGTERM');
    await server.start();
  },
});

/** Milliseconds that a clock may be moved, to either side or on. */
const jump = { skew: 2 * 3600_000, advance: 20 * 60_000 };

/** The time of day becomes wrong, or time itself passes, with all that waits for it; a server that is started anew is right. */
export const clockJumps = (server: ServerProcess): Fault => ({
  name: 'a clock jumps',
  async happen(random) {
    if (random.once(2)) await server.moveClock({ advance: `${random.below(jump.advance)}ms` });
    else await server.moveClock({ skew: `${random.below(2 * jump.skew) - jump.skew}ms` });
  },
});

/** What can happen to one etcd and to the lines to it. */
export const etcdFaults = (process: EtcdProcess, client: EtcdClient, lines: readonly SlowLine[]): readonly Fault[] => [
  etcdKilled(process),
  etcdPaused(process),
  etcdCompacted(client, lines),
  etcdFull(process),
  lineFault(lines, { name: 'a line is slow', state: 'slow', longest: 1500 }),
  lineFault(lines, { name: 'a line is silent', state: 'silent', longest: 1500 }),
  lineFault(lines, { name: 'a line is cut', state: 'cut', longest: 800 }),
];

const etcdKilled = (process: EtcdProcess): Fault => ({
  name: 'etcd is killed',
  async happen(random) {
    await process.kill();
    await pause(random.below(1000));
    await process.run();
  },
});

const etcdPaused = (process: EtcdProcess): Fault => ({
  name: 'etcd is paused',
  async happen(random) {
    process.pause();
    // Mostly short; now and then longer than a server waits for an answer.
    await pause(random.once(8) ? 10_000 : random.below(1500));
    process.resume();
  },
});

const etcdCompacted = (client: EtcdClient, lines: readonly SlowLine[]): Fault => ({
  name: 'etcd is compacted behind us',
  async happen(random) {
    // Who is cut off meanwhile will not be told any more of what it has missed.
    const line = random.once(2) ? random.pick(lines) : undefined;
    line?.become('cut');
    await pause(random.below(300));
    const { header } = await client.range({ key: Buffer.from('x') });
    await client.compact(header?.revision ?? 0);
    line?.become('open');
  },
});

const etcdFull = (process: EtcdProcess): Fault => ({
  name: 'etcd is full',
  async happen(random) {
    await process.fill();
    await pause(random.below(1000));
    await process.disarm();
  },
});

interface LineTrouble {
  readonly name: string;
  readonly state: 'slow' | 'silent' | 'cut';
  /** Milliseconds. */
  readonly longest: number;
}

const lineFault = (lines: readonly SlowLine[], { name, state, longest }: LineTrouble): Fault => ({
  name,
  async happen(random) {
    const line = random.pick(lines);
    line.become(state);
    await pause(random.below(longest));
    line.become('open');
  },
});

/** What can happen to members of an etcd of which two always are there. */
export function memberFaults(members: readonly EtcdProcess[]): readonly Fault[] {
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
