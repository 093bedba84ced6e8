import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect } from 'vitest';
import { pause, systemTimers } from '../../base/time/timers.ts';
import { type RunningServer, type ServerOptions, startServer } from '../../start.ts';
import { EtcdClient } from '../../store/etcd/etcd-client.ts';
import { EtcdProcess, withoutEtcd } from '../../store/etcd/etcd-process.fixture.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every kind
export type Body = any;

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** The JSON of the text; undefined where it is none. */
  readonly body: Body;
}

/** An etcd for the tests of one file, what may be done there past all servers, and servers on it. */
export interface SharedEtcd {
  readonly etcd: EtcdProcess;
  readonly client: EtcdClient;
  /** A server that keeps all in the etcd. */
  started(options?: Partial<ServerOptions>): Promise<RunningServer>;
  /** Ends a server with the others. */
  ends(server: RunningServer): RunningServer;
  /** Asks a server as its administrator, or by another token; a patch is a merge patch. */
  call(server: RunningServer, method: string, path: string, body?: object, token?: string): Promise<Answer>;
  /** Writes a value into etcd. */
  put(key: string, value: Buffer): ReturnType<EtcdClient['txn']>;
  valueAt(key: string): Promise<Buffer | undefined>;
  /** Makes a namespace and gives its path. */
  namespaceOf(server: RunningServer, name: string): Promise<string>;
}

/** Starts an etcd before the tests of the file, where there is one on the machine; it ends after them, with all servers on it. */
export function sharedEtcd(): SharedEtcd {
  let etcd: EtcdProcess;
  let client: EtcdClient;
  const agent = new Agent({ connect: { rejectUnauthorized: false } });
  const servers: RunningServer[] = [];
  beforeAll(async () => {
    if (withoutEtcd) return;
    etcd = await EtcdProcess.start();
    client = new EtcdClient({ servers: [etcd.url], timers: systemTimers, now: () => performance.now() });
  });
  afterAll(async () => {
    for (const server of servers) await server.stop();
    await agent.close();
    client?.close();
    await etcd?.stop();
  });
  const ends = (server: RunningServer): RunningServer => {
    servers.push(server);
    return server;
  };
  const call = callBy(agent);
  return {
    get etcd() {
      return etcd;
    },
    get client() {
      return client;
    },
    ends,
    call,
    started: async (options = {}) => ends(await startServer({ etcdServers: [etcd.url], ...options })),
    put: (key, value) => client.txn({ compare: [], success: [{ put: { key: Buffer.from(key), value } }], failure: [] }),
    valueAt: async (key) => (await client.range({ key: Buffer.from(key) })).kvs?.[0]?.value,
    async namespaceOf(server, name) {
      expect((await call(server, 'POST', '/api/v1/namespaces', { metadata: { name } })).status).toBe(201);
      return `/api/v1/namespaces/${name}`;
    },
  };
}

const callBy =
  (agent: Agent): SharedEtcd['call'] =>
  async (server, method, path, body, token = server.adminToken) => {
    const answer = await request(server.url + path, {
      dispatcher: agent,
      method: method as 'GET',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, text, body: jsonOf(text) };
  };

function jsonOf(text: string): Body {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Milliseconds until this holds. */
export async function until(holds: () => Promise<boolean>, limit = 10_000): Promise<number> {
  const begun = performance.now();
  while (!(await holds())) {
    if (performance.now() - begun > limit) throw new Error(`not within ${limit} ms`);
    await pause(systemTimers, 10);
  }
  return performance.now() - begun;
}

export const namesOf = (body: Body): string[] => body.items.map((item: Body) => item.metadata.name);
