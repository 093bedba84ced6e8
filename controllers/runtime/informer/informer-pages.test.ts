import { expect, test } from 'vitest';
import { ApiError } from '../api-error.ts';
import type { Client } from '../client.ts';
import { FakeClock } from '../fake-clock.fixture.ts';
import { silentLog } from '../log.ts';
import { type ConfigMap, configMaps } from '../resources.ts';
import { Informer } from './informer.ts';

const map = (name: string): ConfigMap => ({ metadata: { namespace: 'ns', name, uid: name, resourceVersion: '1' } });

test('a list whose pages the server has forgotten halfway is asked for as a whole: the next pages would be too late too', async () => {
  const asked: string[] = [];
  const ending = new AbortController();
  const client = {
    list: async (_: unknown, __: unknown, query: { limit: number; continue: string }) => {
      asked.push(`${query.limit} ${query.continue}`.trim());
      if (query.continue) throw new ApiError(410, { reason: 'Expired' }, 'list');
      return query.limit > 0
        ? { metadata: { resourceVersion: '5', continue: 'more' }, items: [map('a'), map('gone')] }
        : { metadata: { resourceVersion: '9' }, items: [map('a'), map('b')] };
    },
    async *watch() {
      if (!ending.signal.aborted) await new Promise((resolve) => ending.signal.addEventListener('abort', resolve));
    },
  } as unknown as Client;
  const parts = { client, clock: new FakeClock(), log: silentLog, signal: ending.signal };
  const informer = new Informer({ ...parts, resource: configMaps });
  const running = informer.run();
  await informer.synced;
  expect(asked).toEqual(['500', '500 more', '0']);
  expect(informer.cache.all().map(({ metadata }) => metadata?.name)).toEqual(['a', 'b']);
  ending.abort();
  await running;
});
