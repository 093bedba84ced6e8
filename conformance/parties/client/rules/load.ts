import { impliedUnder } from '../../party.ts';
import { failure, isList, isWatch, lineOf, statusOf, streamOf } from '../answers.ts';
import type { ClientContext } from '../context.ts';
import type { Stream } from '../replies.ts';
import { packed, type Seen } from '../scripted-server.ts';
import { busy, tolerance } from './busy.ts';
import { follows, keeping } from './keeping.ts';
import { counted, countRequests, inTrouble, mostRequests } from './trouble.ts';

const rule = impliedUnder<ClientContext>('client.load');

/** The list is turned away twice; each time the client waits as long as it was told, and then it goes on. */
const obeys = (code: number) => async (context: ClientContext) => {
  const { world, start, whim, lists, expect } = context;
  world.put('kept', { a: '1' });
  whim(busy(2, isList, code, 2));
  const client = start();
  await client.shows(world.copy(), 'what is there, once the server has time');
  const times = lists().map(({ at }) => at);
  expect(times.length, 'lists').toBeGreaterThanOrEqual(3);
  for (const nth of [1, 2])
    expect((times[nth] ?? 0) - (times[nth - 1] ?? 0), `milliseconds before try ${nth + 1}`).toBeGreaterThan(
      2_000 - tolerance,
    );
};

export default [
  rule(
    'too-many-requests',
    'A list that is answered 429 with Retry-After is asked for again, and not before that time.',
    ['rv.too-large.retry-after'],
    ['ignores-retry-after', 'gives-up-on-busy'],
    obeys(429),
  ),
  rule(
    'unavailable',
    'A list that is answered 503 with Retry-After is asked for again, and not before that time.',
    ['rv.too-large.retry-after'],
    ['ignores-retry-after', 'gives-up-on-busy'],
    obeys(503),
  ),
  rule(
    'watch-too-many-requests',
    'A watch that is answered 429 with Retry-After is asked for again, and not before that time.',
    ['rv.too-large.retry-after'],
    ['ignores-retry-after', 'gives-up-on-busy'],
    async (context) => {
      const { whim, endWatches, server, expect, until } = context;
      const client = await keeping(context);
      whim(busy(1, isWatch, 429, 2));
      const began = performance.now();
      endWatches();
      const since = () => server.seen.filter((seen) => seen.at >= began && (isWatch(seen) || isList(seen)));
      await until('the client tries again', since, (seen) => seen.filter(isWatch).length > 1);
      await follows(context, client, 'once the server has time');
      const times = since();
      const refused = times.findIndex(isWatch);
      const wait = (times[refused + 1]?.at ?? 0) - (times[refused]?.at ?? 0);
      expect(wait, 'milliseconds before the next request').toBeGreaterThan(2_000 - tolerance);
    },
  ),
  rule(
    'failing-lists',
    'Lists that fail again and again are asked for with longer and longer waits.',
    ['rv.too-large.retry-after'],
    ['hammers'],
    async (context) => {
      const { world, start, whim, lists, until, expect } = context;
      world.put('kept', { a: '1' });
      let broken = true;
      whim((seen) => (broken && isList(seen) ? failure(500, 'InternalError', 'the server has trouble') : undefined));
      const client = start();
      await until('the client lists', lists, (seen) => seen.length > 0);
      const requests = await countRequests(context);
      expect(requests.length, `requests in ${counted / 1000} s`).toBeLessThanOrEqual(mostRequests);
      broken = false;
      await client.shows(world.copy(), 'what is there, once the server is well');
    },
  ),
  rule(
    'ending-watches',
    'Watches that end at once, time after time, are not asked for without a pause.',
    ['watch.resume'],
    'hammers',
    async (context) => {
      const endless = (seen: Seen) => (isWatch(seen) ? { open: (stream: Stream) => stream.end() } : undefined);
      const client = await inTrouble(context, endless, mostRequests);
      await context.watching();
      await follows(context, client, 'once watches last');
    },
  ),
  rule(
    'failing-watches',
    'Watches that begin with an ERROR event, time after time, are not asked for without a pause.',
    ['watch.resume', 'watch.stream.documents'],
    'hammers',
    async (context) => {
      const trouble = lineOf('ERROR', statusOf(500, 'InternalError', 'the server has trouble'));
      const failing = (seen: Seen) => (isWatch(seen) ? streamOf(trouble) : undefined);
      const client = await inTrouble(context, failing, 2 * mostRequests);
      await context.watching();
      await follows(context, client, 'once watches are well');
    },
  ),
  rule(
    'unreachable',
    'A server that refuses connections is not tried without a pause.',
    ['service.http-api'],
    'hammers-when-refused',
    async (context) => {
      const { server, pause, expect } = context;
      const client = await keeping(context);
      server.relay.refuse(Number.POSITIVE_INFINITY);
      server.relay.cut();
      await pause(counted);
      expect(server.relay.refusals().length, `connections in ${counted / 1000} s`).toBeLessThanOrEqual(
        2 * mostRequests,
      );
      server.relay.refuse(0);
      await follows(context, client, 'while the server could not be reached');
    },
  ),
  rule(
    'jitter',
    'Clients that failed together do not come back together: their waits differ.',
    ['rv.too-large.retry-after'],
    'no-jitter',
    async (context) => {
      const { start, whim, until, server, expect, configuration } = context;
      whim((seen) => (isList(seen) ? failure(500, 'InternalError', 'the server has trouble') : undefined));
      const names = ['one', 'two', 'three', 'four'];
      for (const name of names) {
        configuration.save({ token: `token-of-${name}` });
        start();
        const isItsOwn = ({ headers }: Seen) => headers['authorization'] === `Bearer token-of-${name}`;
        await until(
          'the client asks',
          () => server.seen.filter(isItsOwn),
          (seen) => seen.length > 0,
        );
      }
      const waits = await wellSpread(context, names);
      expect(waits, 'the longest of their waits as a part of the shortest').toBeGreaterThan(1.1);
    },
    'should',
  ),
  rule(
    'reached-late',
    'A server whose connections are reset at first is tried again.',
    ['service.http-api'],
    'gives-up-at-first',
    async ({ world, server, start }) => {
      world.put('kept', { a: '1' });
      server.relay.refuse(2);
      const client = start();
      await client.shows(world.copy(), 'what is there, once the server can be reached');
    },
  ),
  rule(
    'gzip',
    'Who says that it takes gzip can read it.',
    ['content.json.default-response'],
    'cannot-unpack',
    async (context) => {
      const { world, start, whim, skip, lists } = context;
      world.put('kept', { a: 'x'.repeat(200_000) });
      whim((seen) => {
        if (!isList(seen) || !/\bgzip\b/.test(seen.headers['accept-encoding'] ?? '')) return undefined;
        const page = world.page(0);
        return packed({ body: JSON.stringify(page) });
      });
      const client = start();
      await client.shows(world.copy(), 'a list that was packed');
      if (!lists().some(({ headers }) => /\bgzip\b/.test(headers['accept-encoding'] ?? '')))
        skip('the client does not ask for gzip');
    },
  ),
  rule(
    'connection-closed',
    'A connection that the server closes in good order, by GOAWAY where it is HTTP/2, is followed by another.',
    ['watch.resume'],
    'one-connection',
    async (context) => {
      const { world, server, endWatches } = context;
      const client = await keeping(context);
      server.goAway();
      endWatches();
      world.put('meanwhile', { a: '1' });
      await client.shows(world.copy(), 'what changed while the connection closed');
      await follows(context, client, 'on another connection');
    },
  ),
];

/** How far the waits of clients differ, the same of each in a row: the longest by the shortest, where they differ most. */
async function wellSpread({ until, server }: ClientContext, names: readonly string[]): Promise<number> {
  const timesOf = (name: string): number[] =>
    server.seen
      .filter((seen) => isList(seen) && seen.headers['authorization'] === `Bearer token-of-${name}`)
      .map(({ at }) => at);
  const enough = 5;
  await until(
    'each has tried five times',
    () => Math.min(...names.map((name) => timesOf(name).length)),
    (least) => least >= enough,
  );
  const waits = names.map((name) =>
    timesOf(name)
      .slice(1, enough)
      .map((at, nth) => at - (timesOf(name)[nth] ?? 0)),
  );
  const spreads = Array.from({ length: enough - 1 }, (_, nth) => {
    const some = waits.map((own) => own[nth] ?? 0);
    return Math.max(...some) / Math.min(...some);
  });
  return Math.max(...spreads.slice(-2));
}
