import { impliedUnder } from '../../party.ts';
import { failure, gone, isWatch } from '../answers.ts';
import type { ClientContext, Whim } from '../context.ts';
import type { Reply } from '../replies.ts';
import { follows, keeping } from './keeping.ts';
import { inTrouble, mostRequests } from './trouble.ts';

const rule = impliedUnder<ClientContext>('client.load');

const forbidden = (verb: string): Reply =>
  failure(403, 'Forbidden', `secrets is forbidden: the user cannot ${verb} resource "secrets"`);
const notFound = failure(404, 'NotFound', 'the server could not find the requested resource');

/** A client may ask for a list and a watch each time. */
const isNotHammered = (trouble: Whim) => async (context: ClientContext) => {
  await inTrouble(context, trouble, 2 * mostRequests);
};

/** Milliseconds for which a client is refused all before it is let in again. */
const refused = 4_000;

export default [
  rule(
    'gone-again',
    'A server that answers 410 to every watch is not asked without a pause.',
    ['watch.history.client-recovers'],
    'hammers',
    isNotHammered((seen) => (isWatch(seen) ? gone() : undefined)),
  ),
  rule(
    'unauthorized',
    'A server that answers 401 to everything is not asked without a pause.',
    ['responses.401'],
    'hammers-on-401',
    isNotHammered(() => failure(401, 'Unauthorized', 'Unauthorized')),
  ),
  rule(
    'forbidden-lists',
    'A list that is answered 403, time after time, is not asked for without a pause.',
    ['errors.403'],
    'hammers-on-403',
    isNotHammered((seen) => (isWatch(seen) ? gone() : forbidden('list'))),
  ),
  rule(
    'forbidden-watches',
    'Who may list and not watch asks neither without a pause.',
    ['errors.403'],
    'hammers-on-403',
    isNotHammered((seen) => (isWatch(seen) ? forbidden('watch') : undefined)),
  ),
  rule(
    'not-found',
    'A resource that is no longer served, which is 404 to lists and watches, is not asked for without a pause.',
    ['service.http-api'],
    'hammers-on-404',
    isNotHammered(() => notFound),
  ),
  rule(
    'refused-for-a-time',
    'Who was told 403 and 404 for a time, its role or the resource having been gone, is at work again after it.',
    ['errors.403', 'watch.resume'],
    'gives-up-on-403',
    async (context) => {
      const { whim, endWatches, pause } = context;
      const client = await keeping(context);
      let refusal: Reply | undefined = forbidden('watch');
      whim(() => refusal);
      endWatches();
      for (const next of [notFound, undefined]) {
        await pause(refused / 2);
        refusal = next;
      }
      await follows(context, client, 'once it was let in again');
    },
    'should',
  ),
  rule(
    'comes-back',
    'However long a server was away, it is tried again within a minute.',
    ['service.http-api'],
    'waits-longer-and-longer',
    async (context) => {
      const { server, expect } = context;
      await keeping(context);
      server.relay.refuse(Number.POSITIVE_INFINITY);
      server.relay.cut();
      expect(await longestWait(context), 'seconds between two tries').toBeLessThanOrEqual(mostSeconds);
    },
    'should',
  ),
];

/** Usual clients wait half a minute at most, and up to twice as long by chance; a busy machine is a little late. */
const mostSeconds = 62;
/** Waits that double from one second on are longer than a minute by then. */
const longEnough = 185_000;
/** A client is not believed to wait no longer before it has been watched for so long. */
const soonest = 20_000;

/** The longest wait of a client that cannot connect, in seconds: as soon as it is too long, or waits grow no more. */
async function longestWait({ server: { relay }, pause }: ClientContext): Promise<number> {
  const began = performance.now();
  for (;;) {
    const now = performance.now();
    const times = [began, ...relay.refusals().filter((at) => at > began)];
    const waits = times.slice(1).map((at, nth) => at - (times[nth] ?? at));
    const longest = Math.max(0, ...waits, now - (times.at(-1) ?? now)) / 1_000;
    if (longest > mostSeconds || now - began > longEnough) return Math.ceil(longest);
    if (now - began > soonest && growNoMore(waits)) return Math.ceil(longest);
    await pause(100);
  }
}

/** The last two waits were hardly longer than one before: those that double are, by whatever chance they may differ. */
function growNoMore(waits: readonly number[]): boolean {
  const [earlier, last] = [waits.slice(0, -2), waits.slice(-2)];
  return earlier.length > 0 && Math.max(...last) <= 1.25 * Math.max(...earlier);
}
