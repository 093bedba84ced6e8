import { impliedUnder, type PartyRule } from '../../party.ts';
import { lineOf } from '../answers.ts';
import type { ClientContext } from '../context.ts';
import { follows, keeping } from './keeping.ts';

const rule = impliedUnder<ClientContext>('client.watch');

const changes: readonly PartyRule<ClientContext>[] = [
  rule(
    'changes',
    'What is added, changed and deleted is so in the copy.',
    ['watch.type.added', 'watch.type.modified', 'service.changes-announced-by-watch'],
    ['ignores-deleted', 'ignores-modified', 'merges-changes', 'needs-data'],
    async (context) => {
      const { world } = context;
      const client = await keeping(context);
      world.put('added', { a: '1' });
      await client.shows(world.copy(), 'an added object');
      world.put('added', { a: '2', b: 'ü€😀' });
      await client.shows(world.copy(), 'a changed object');
      world.put('added', { b: 'ü€😀' });
      await client.shows(world.copy(), 'an object with one key less');
      world.put('bare', {});
      await client.shows(world.copy(), 'an object without data');
      world.remove('kept-1');
      await client.shows(world.copy(), 'one object less');
    },
  ),
  rule(
    'same-event-twice',
    'An event that comes twice, or a change of an object that was not seen before, leaves the copy right.',
    ['watch.stream.documents', 'service.list-then-watch-tracks-state'],
    ['wants-no-twice', 'wants-to-know'],
    async (context) => {
      const { world, send } = context;
      const client = await keeping(context);
      const object = world.put('twice', { a: '1' });
      send(lineOf('ADDED', object) + lineOf('MODIFIED', object));
      await follows(context, client, 'after an event came twice');
      world.remove('kept-1');
      send(lineOf('DELETED', { ...object, metadata: { ...object.metadata, name: 'never-seen', uid: 'never' } }));
      // Its creation is never told of.
      const unknown = { ...object, metadata: { ...object.metadata, name: 'unknown', uid: 'u-unknown' } };
      send(lineOf('MODIFIED', unknown));
      await client.shows(
        { ...world.copy(), unknown: unknown.data ?? {} },
        'a change of an object that it did not have',
      );
    },
  ),
  rule(
    'new-fields',
    'An object with members that the client does not know is taken all the same.',
    ['versioning.stable.stays'],
    'wants-no-new-fields',
    async (context) => {
      const { world } = context;
      world.put('newer', { a: '1' }, { later: { version: 'of the API' } });
      const client = await keeping(context);
      world.put('newer', { a: '2' });
      await client.shows(world.copy(), 'a change of an object with an unknown member');
    },
  ),
  rule(
    'terminating',
    'An object that is marked for deletion is there until it is gone.',
    ['deletion.two-phases', 'deletion.removal'],
    'buries-early',
    async (context) => {
      const { world } = context;
      const mark = (name: string): void => {
        const object = world.put(name, { is: 'on its way out' });
        const marks = { finalizers: ['example.com/held'], deletionTimestamp: object.metadata.creationTimestamp };
        world.store({ ...object, metadata: { ...object.metadata, ...marks } });
      };
      mark('marked-before');
      const client = await keeping(context);
      mark('kept-1');
      world.put('marked-before', { is: 'still there' });
      await client.shows(world.copy(), 'objects that wait for their finalizers');
      for (const name of ['marked-before', 'kept-1']) world.remove(name);
      await client.shows(world.copy(), 'that they are gone');
    },
  ),
  rule(
    'recreated',
    'An object that is deleted and made again under its name is there.',
    ['service.changes-announced-by-watch', 'names.reuse-after-delete'],
    'keeps-the-dead',
    async (context) => {
      const { world, expect } = context;
      const client = await keeping(context);
      const old = world.find('kept-1');
      world.remove('kept-1');
      const again = world.put('kept-1', { born: 'again' });
      expect(again.metadata.uid).not.toBe(old?.metadata.uid);
      await client.shows(world.copy(), 'the new object of the old name');
    },
  ),
];

const streams: readonly PartyRule<ClientContext>[] = [
  rule(
    'pieces',
    'An event may come in any pieces, cut within a letter even, and several may come in one.',
    ['watch.stream.chunked', 'watch.stream.documents'],
    'chunk-is-line',
    async (context) => {
      const { send, world, pause, watches, expect } = context;
      const client = await keeping(context);
      const watched = watches().length;
      const put = (a: string) => world.silently(() => world.put('pieces', { a }));
      const object = put('1');
      const metadata = { ...object.metadata, annotations: { letters: 'ü€😀' } };
      const bytes = Buffer.from(lineOf('ADDED', { ...object, metadata }));
      const letter = bytes.indexOf(Buffer.from('😀')) + 2;
      for (const piece of [bytes.subarray(0, 7), bytes.subarray(7, letter), bytes.subarray(letter)]) {
        send(piece);
        await pause(60);
      }
      await client.shows(world.copy(), 'an event that came in pieces');
      send(['2', '3', '4'].map((a) => lineOf('MODIFIED', put(a))).join(''));
      await client.shows(world.copy(), 'the last of the events in one piece');
      expect(watches().length, 'watches: none was given up').toBe(watched);
    },
  ),
  rule(
    'large-event',
    'An event as large as an object may be is read whole.',
    ['watch.stream.documents'],
    'short-lines',
    async (context) => {
      const client = await keeping(context);
      context.world.put('large', { a: 'x'.repeat(1_000_000) });
      await client.shows(context.world.copy(), 'an object of a megabyte');
    },
  ),
  rule(
    'half-line',
    'A stream that stops in the middle of an event loses nothing and breaks nothing.',
    ['watch.stream.documents', 'watch.resume'],
    'crashes-on-half-line',
    async (context) => {
      const { world, send, endWatches } = context;
      const client = await keeping(context);
      const watched = context.watches().length;
      send('{"type":"MODIFIED","object":{"metadata":{"name":"kept-1","resourceVersion":"');
      endWatches();
      world.put('meanwhile', { a: '1' });
      await client.shows(world.copy(), 'what changed after half an event');
      await context.watching(watched + 1);
      await follows(context, client, 'later');
    },
  ),
  rule(
    'ends',
    'A watch that the server ends is taken up where it stopped: what happened meanwhile, deletions too, is not missed.',
    ['watch.resume', 'watch.start.list-first'],
    ['watches-from-now', 'watches-once'],
    async (context) => {
      const { world, endWatches } = context;
      const client = await keeping(context);
      endWatches();
      world.put('meanwhile', { a: '1' });
      world.remove('kept-1');
      await client.shows(world.copy(), 'what happened between two watches');
      await follows(context, client, 'later');
    },
  ),
  rule(
    'cut',
    'A watch whose connection is cut is taken up again, and nothing is missed.',
    ['watch.resume'],
    'crashes-when-cut',
    async (context) => {
      const { world, server } = context;
      const client = await keeping(context);
      server.relay.cut();
      world.put('meanwhile', { a: '1' });
      world.remove('kept-1');
      await client.shows(world.copy(), 'what happened while the connection was cut');
      await follows(context, client, 'later');
    },
  ),
  rule(
    'half-open',
    'A connection that died without a word is given up after a while.',
    ['watch.resume'],
    'waits-for-ever',
    async (context) => {
      const { world, server, watches, until, patience } = context;
      const client = await keeping(context);
      const watched = watches().length;
      server.relay.freeze();
      world.put('meanwhile', { a: '1' });
      const enough = Math.max(2.5 * patience, 20_000);
      await until(
        'the client watches anew',
        () => watches().length,
        (count) => count > watched,
        enough,
      );
      await client.shows(world.copy(), 'what happened while the connection was dead');
    },
    'should',
  ),
];

/** A client that takes no bookmarks cannot be judged by them. */
function needsBookmarks({ open, skip }: ClientContext): void {
  if (open().every(({ bookmarks }) => !bookmarks)) skip('the client does not ask for bookmarks');
}

const bookmarks: readonly PartyRule<ClientContext>[] = [
  rule(
    'bookmark-is-no-change',
    'A bookmark carries a version and no object: the copy stays as it is.',
    ['watch.bookmark.only-version', 'watch.type.bookmark'],
    'bookmark-is-object',
    async (context) => {
      const { world, expect } = context;
      const client = await keeping(context);
      needsBookmarks(context);
      world.pass();
      context.bookmark();
      await follows(context, client, 'after a bookmark');
      const names = new Set(client.printed().flatMap((copy) => Object.keys(copy)));
      expect(names, 'all that was ever shown').toEqual(new Set(Object.keys(world.copy())));
    },
  ),
  rule(
    'bookmark-moves',
    'After a bookmark a watch is taken up at its version.',
    ['watch.bookmark.meaning', 'watch.resume'],
    'forgets-bookmarks',
    async (context) => {
      const { world, bookmark, endWatches, watches, lists, until, expect } = context;
      await keeping(context);
      needsBookmarks(context);
      for (let times = 0; times < 5; times += 1) world.pass();
      bookmark();
      const [version, watched, listed] = [world.version, watches().length, lists().length];
      endWatches();
      await until(
        'the client watches again',
        () => watches().length,
        (count) => count > watched,
      );
      const last = watches().at(-1)?.query.get('resourceVersion');
      if (lists().length === listed) expect(last, 'the version of the next watch').toBe(version);
    },
  ),
];

export default [...changes, ...streams, ...bookmarks];
