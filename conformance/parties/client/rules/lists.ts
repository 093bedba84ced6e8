import { documented, impliedUnder } from '../../party.ts';
import { failure, gone, isList, json } from '../answers.ts';
import type { ClientContext } from '../context.ts';
import type { Seen } from '../scripted-server.ts';
import type { World } from '../world.ts';
import { follows, keeping } from './keeping.ts';

const further = (seen: readonly Seen[]): readonly Seen[] => seen.filter(({ query }) => query.get('continue'));

/** Puts so many Secrets into the world, of which a page holds two. */
function inPages({ world }: ClientContext, count = 5): void {
  world.mostPerPage = 2;
  for (let nth = 1; nth <= count; nth += 1) world.put(`page-${nth}`, { nth: String(nth) });
}

/** A client that does not ask for pages cannot be judged by how it reads them. */
function needsPages({ lists, skip }: ClientContext): void {
  if (lists().length > 0 && lists().every(({ query }) => !query.get('limit'))) skip('the client lists without a limit');
}

const rule = impliedUnder<ClientContext>('client.list');

export default [
  // Clients get or list first and give the version they got to the watch.
  documented<ClientContext>('watch.start.list-first', {
    fault: ['watches-first', 'watches-from-item'],
    async check({ world, start, server, expect, watching, lists, watches }) {
      world.put('first', { a: '1' });
      // The list is newer than all that it shows.
      world.pass();
      const version = world.version;
      const client = start();
      await client.shows(world.copy(), 'what is there');
      await watching();
      expect(lists().length, 'lists').toBeGreaterThan(0);
      const [first] = server.seen.filter(({ path }) => path.endsWith('/secrets'));
      expect(first && isList(first), 'the first request is a list').toBe(true);
      expect(watches()[0]?.query.get('resourceVersion'), 'the version of the first watch').toBe(version);
    },
  }),

  rule(
    'all-pages',
    'A list is read to its last page before it counts, however few items a page holds.',
    ['lists.paging.continue-token', 'lists.paging.end', 'lists.rv.continue.nonzero'],
    ['first-page-only', 'version-beside-token'],
    async (context) => {
      inPages(context);
      const client = context.start();
      await client.shows(context.world.copy(), 'the objects of all pages');
      needsPages(context);
    },
  ),

  rule(
    'ends-by-token',
    'A list is over where its token is empty, and not where a page happens to be.',
    ['lists.paging.limit', 'lists.paging.end'],
    ['stops-at-empty-page', 'loops-on-empty-token', 'raw-queries'],
    async (context) => {
      const { world, whim, start } = context;
      inPages(context);
      let emptyPages = 1;
      whim((seen) => {
        const token = seen.query.get('continue');
        const page = isList(seen) && token && world.page(2, token);
        if (!page) return undefined;
        const metadata = { continue: '', ...page.metadata };
        emptyPages -= 1;
        return json(
          emptyPages < 0 ? { ...page, metadata } : { ...page, items: [], metadata: { ...metadata, continue: token } },
        );
      });
      const client = start();
      await client.shows(world.copy(), 'the objects of all pages, one of which is empty');
      needsPages(context);
    },
  ),

  rule(
    'broken-page',
    'While a page cannot be read nothing is shown of the others: half a list is none.',
    ['lists.paging.next-chunk', 'lists.paging.end'],
    ['half-lists', 'first-page-only'],
    async (context) => {
      const { world, start, whim, lists, until, pause, expect } = context;
      inPages(context);
      let isBroken = true;
      whim(({ query }) =>
        isBroken && query.get('continue') ? failure(500, 'InternalError', 'the server has trouble') : undefined,
      );
      const client = start();
      await until('the client lists', lists, (seen) => seen.length > 0);
      needsPages(context);
      await until('the client asks for the second page', lists, (seen) => further(seen).length > 0);
      await pause(1_000);
      expect(
        client.printed().flatMap((copy) => Object.keys(copy)),
        'what it showed',
      ).toEqual([]);
      isBroken = false;
      await client.shows(world.copy(), 'the objects of all pages, once all can be read');
    },
  ),

  // Clients repeat the limit when they follow a token.
  documented<ClientContext>('lists.paging.same-limit', {
    fault: 'another-limit',
    async check(context) {
      inPages(context);
      const client = context.start();
      await client.shows(context.world.copy(), 'the objects of all pages');
      needsPages(context);
      const [first] = context.lists();
      const limits = further(context.lists()).map(({ query }) => query.get('limit'));
      context.expect(limits.length, 'further pages').toBeGreaterThan(1);
      context.expect(new Set(limits), 'their limits').toEqual(new Set([first?.query.get('limit')]));
    },
  }),

  rule(
    'same-selectors',
    'All pages of a list and the watch after it have the same selectors.',
    ['lists.paging.same-limit', 'lists.paging.next-chunk'],
    // Nothing is said of how many are left of what was selected.
    ['drops-selector', 'believes-count'],
    async (context) => {
      inPages(context);
      const client = context.start('selected');
      await client.shows(context.world.copy(), 'the objects of all pages');
      await context.watching();
      needsPages(context);
      const seen = [...context.lists(), ...context.watches()];
      if (seen.every(({ query }) => !query.get('labelSelector'))) context.skip('the client selects by itself');
      context.expect(seen.map(({ query }) => query.get('labelSelector'))).toEqual(seen.map(() => 'judged=yes'));
      context.expect(new Set(seen.map(({ query }) => query.get('fieldSelector') ?? '')).size).toBe(1);
    },
  ),

  // Who is told 410 for a token begins again, or lists without a limit.
  documented<ClientContext>('lists.paging.token.client-recovers', {
    fault: 'gives-up-on-gone-page',
    async check(context) {
      inPages(context);
      goneOnce(context);
      const client = context.start();
      await client.shows(context.world.copy(), 'the objects of all pages, after the token was gone');
      needsPages(context);
    },
  }),

  rule(
    'no-ghost-of-pages',
    'Pages that were read before a token was gone leave nothing behind in the copy.',
    ['lists.paging.token.client-recovers', 'service.lists-consistent'],
    'keeps-gone-pages',
    async (context) => {
      const { world } = context;
      inPages(context);
      const isGone = goneOnce(context, () => world.remove('page-1'));
      const client = context.start();
      await context.until('the client lists', context.lists, (seen) => seen.length > 0);
      needsPages(context);
      await context.until('the client asks for the second page', isGone, (gone) => gone);
      await client.shows(world.copy(), 'the list without what was deleted meanwhile');
    },
  ),

  rule(
    'null-items',
    'A list whose items are null is an empty list.',
    ['responses.list.200'],
    'needs-items',
    async (context) => {
      const { world, start, whim, endWatches, lists, until } = context;
      whim((seen) => (isList(seen) && isEmpty(world) ? json({ ...world.page(0), items: null }) : undefined));
      const client = start();
      await context.watching();
      await follows(context, client, 'after an empty list');
      const listed = lists().length;
      world.silently(() => world.remove('last'));
      world.pass();
      world.forget();
      endWatches();
      await until(
        'the client lists anew',
        () => lists().length,
        (count) => count > listed,
      );
      await client.shows({}, 'that nothing is there any more');
      await follows(context, client, 'after another empty list');
    },
    'should',
  ),

  rule(
    'page-of-proxy',
    'What a proxy in between says in HTML, by 502 or even by 200, is no list: the copy stays until there is one.',
    ['content.json.default-response', 'service.lists-consistent'],
    ['takes-page-for-list', 'gives-up-on-page'],
    async (context) => {
      const { world, whim, endWatches, expect } = context;
      const client = await keeping(context);
      const shown = client.printed().length;
      const headers = { 'content-type': 'text/html' };
      const pages = [502, 200].map((status) => ({ status, headers, body: '<!doctype html><p>Please log in' }));
      whim((seen) => (isList(seen) ? pages.shift() : undefined));
      world.pass();
      world.forget();
      endWatches();
      await follows(context, client, 'once a proxy let it through');
      const emptied = client
        .printed()
        .slice(shown)
        .filter((copy) => Object.keys(copy).length < 2);
      expect(emptied, 'copies without what was there').toEqual([]);
      expect(pages.length, 'pages of the proxy that it did not ask for').toBe(0);
    },
    'should',
  ),

  rule(
    'kind-of-items',
    'Items of a list need not say their kind: the list says it for all of them.',
    ['responses.list.200'],
    'needs-kind',
    async (context) => {
      const { world, whim } = context;
      whim((seen) => {
        const { items = [], ...page } = (isList(seen) && world.page(0)) || {};
        const bare = items.map(({ apiVersion: _, kind: __, ...item }) => item);
        return 'kind' in page ? json({ ...page, items: bare }) : undefined;
      });
      await follows(context, await keeping(context), 'of objects whose kind the list alone said');
    },
  ),

  rule(
    'any-name',
    'Whatever an object and its keys are called, it is nothing but a name.',
    ['names.unique.in-namespace', 'service.list-then-watch-tracks-state'],
    'names-are-members',
    async (context) => {
      const { world, start } = context;
      const names = ['constructor', 'null', 'true', '1e3', '007', 'a.b-c', 'x'.repeat(253)];
      for (const name of names.slice(0, 4)) world.put(name, { [`.${name}`]: '1', ['__proto__']: '2', length: '3' });
      const client = start();
      await client.shows(world.copy(), 'objects of strange names');
      await context.watching();
      for (const name of names) world.put(name, { [name]: '4', toString: '5', ['__proto__']: '6' });
      await client.shows(world.copy(), 'changes of objects of strange names');
      for (const name of names.slice(1)) world.remove(name);
      await client.shows(world.copy(), 'that all but one are gone');
    },
  ),
];

const isEmpty = (world: World): boolean => Object.keys(world.copy()).length === 0;

/** The first further page that is asked for is gone, and with it all that was remembered. Gives whether that was. */
function goneOnce({ world, whim }: ClientContext, meanwhile: () => void = () => undefined): () => boolean {
  let done = false;
  whim(({ query }) => {
    if (done || !query.get('continue')) return undefined;
    done = true;
    meanwhile();
    world.forget();
    return gone();
  });
  return () => done;
}
