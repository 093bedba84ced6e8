import { expect } from 'vitest';
import { Client } from '../../controllers/runtime/client.ts';
import { systemClock } from '../../controllers/runtime/clock.ts';
import { connect } from '../../controllers/runtime/connection/connection.ts';
import type { Cache } from '../../controllers/runtime/informer/cache.ts';
import { Informers } from '../../controllers/runtime/informer/informers.ts';
import type { KubeObject } from '../../controllers/runtime/kube-object.ts';
import { silentLog } from '../../controllers/runtime/log.ts';
import { configMaps, type Resource } from '../../controllers/runtime/resources.ts';
import { startTestServer } from '../stories/test-server.fixture.ts';

export const maps = '/api/v1/namespaces/default/configmaps';
export const called = (name: string) => ({ metadata: { name } });

/** A server with faults, and clients with and without care. */
export async function startFaultLab() {
  const server = await startTestServer({ faults: true });
  const ending = new AbortController();
  const { signal } = ending;
  const connection = await connect({ text: server.kubeconfig });
  /** Asks again where that helps. */
  const careful = new Client({ connection, clock: systemClock, signal, userAgent: 'careful' });
  const informers = new Informers({ client: careful, clock: systemClock, log: silentLog, signal });

  /** A cache with an informer's care: lists again and watches again as it has to. */
  async function cacheOf<T extends KubeObject>(resource: Resource<T>): Promise<Cache<T>> {
    const { cache } = informers.of(resource);
    informers.run();
    await expect.poll(() => informers.waiting()).toEqual([]);
    return cache;
  }

  /** Gives what waits until such a cache knows a name. */
  async function informed(): Promise<(name: string) => Promise<void>> {
    const cache = await cacheOf(configMaps);
    return (name) => expect.poll(() => cache.find(`default/${name}`)?.metadata?.name, { timeout: 15_000 }).toBe(name);
  }

  const openWatches = async () =>
    Number(/^apiserver_longrunning_requests.* (\d+)$/m.exec((await server.get('/metrics')).text)?.[1] ?? 0);

  /** The events of a client that opens a watch once and believes it to last. */
  async function open(query = '') {
    const { body } = await server.get(maps);
    const before = await openWatches();
    const events: { type: string; object: { metadata: { name?: string; resourceVersion: string } } }[] = [];
    const stop = new AbortController();
    const after = `${maps}?watch=true&resourceVersion=${body.metadata.resourceVersion}${query}`;
    const ended = (async () => {
      for await (const event of server.watch(after, stop.signal)) events.push(event);
    })().then(
      () => 'ended',
      (error: Error) => error.name,
    );
    await expect.poll(openWatches).toBeGreaterThan(before);
    return { events, ended, stop: () => stop.abort() };
  }

  return {
    server,
    careful,
    cacheOf,
    informed,
    openWatches,
    open,
    async stop() {
      ending.abort();
      connection.close();
      await server.stop();
    },
  };
}

export type FaultLab = Awaited<ReturnType<typeof startFaultLab>>;
