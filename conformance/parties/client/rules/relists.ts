import { impliedUnder } from '../../party.ts';
import { lineOf, type OpenWatch, statusOf } from '../answers.ts';
import type { ClientContext } from '../context.ts';
import type { Seen } from '../scripted-server.ts';
import { follows, keeping } from './keeping.ts';

const rule = impliedUnder<ClientContext>('client.watch');

const tooOld = lineOf('ERROR', statusOf(410, 'Expired', 'too old resource version'));

/**
 * Tells who watches that its version is too old, and leaves the stream open: the client lists and watches anew beside it.
 * Gives the watch of before. @param before comes with the error in one piece
 */
async function relist(context: ClientContext, before = ''): Promise<OpenWatch> {
  const { world, open, lists, until, skip, patience } = context;
  const old = open().at(-1) ?? skip('the client has no watch open');
  const listed = lists().length;
  world.pass();
  world.forget();
  old.stream.write(before + tooOld);
  const last = (some: readonly Seen[]): number => some.at(-1)?.at ?? 0;
  const watchesAnew = (): boolean => lists().length > listed && last(open().map(({ seen }) => seen)) > last(lists());
  // Some hear of an error, and give up the watch only when it has been silent for half a minute.
  await until('the client lists and watches anew', watchesAnew, (is) => is, 1.5 * patience).catch(() =>
    skip('the client waits for the server to end a watch'),
  );
  return old;
}

export default [
  rule(
    'old-stream',
    'What an old watch tells, before a new list or still after it, leaves the copy as the list shows it.',
    ['watch.history.client-recovers', 'service.list-then-watch-tracks-state'],
    ['reads-old-watches', 'applies-late'],
    async (context) => {
      const { world, pause } = context;
      const client = await keeping(context, 3);
      const [first, second, third] = ['kept-1', 'kept-2', 'kept-3'].map((name) => world.find(name) ?? {});
      world.silently(() => {
        world.remove('kept-1');
        world.put('kept-2', { nth: 'another by now' });
      });
      const told = [first, second].map((object) => lineOf('MODIFIED', object ?? {})).join('');
      const old = await relist(context, told);
      await client.shows(world.copy(), 'the new list');
      old.stream.write(told + lineOf('DELETED', third ?? {}));
      await pause(settled);
      await follows(context, client, 'after an old watch has told what was long ago');
    },
  ),
  rule(
    'one-at-a-time',
    'A watch that has ended in an error is closed by the client: of several in a row one is open in the end.',
    ['watch.history.client-recovers'],
    'leaves-watches-open',
    async (context) => {
      const { open, until } = context;
      const client = await keeping(context);
      for (let times = 0; times < 3; times += 1) await relist(context);
      await follows(context, client, 'after three errors');
      await until(
        'one watch is open',
        () => open().length,
        (count) => count === 1,
        closed,
      );
    },
    'should',
  ),
];

/** Within so many milliseconds a stream is closed that nobody reads any more. */
const closed = 4_000;

/** What a client does with an event it has done by then, in milliseconds. */
const settled = 1_500;
