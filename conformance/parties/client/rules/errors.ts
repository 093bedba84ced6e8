import { documented, impliedUnder } from '../../party.ts';
import { isList, isWatch, json, lineOf, statusOf, streamOf } from '../answers.ts';
import type { ClientContext } from '../context.ts';
import { follows, keeping } from './keeping.ts';

const rule = impliedUnder<ClientContext>('client.watch');

const tooOld = lineOf('ERROR', statusOf(410, 'Expired', 'too old resource version'));

/** Who watches from what is forgotten is told so by an event, and not by the status of the answer. */
const goneAsEvent = ({ whim, world }: ClientContext): void =>
  whim((seen) =>
    isWatch(seen) && !world.since(seen.query.get('resourceVersion') ?? '') ? streamOf(tooOld) : undefined,
  );

export default [
  // Who is told 410 drops its cache, lists anew and watches from there.
  documented<ClientContext>('watch.history.client-recovers', {
    fault: ['ignores-errors', 'keeps-ghosts'],
    async check(context) {
      const { world, send, endWatches, lists, watches, expect } = context;
      const client = await keeping(context);
      const listed = lists().length;
      goneAsEvent(context);
      send(tooOld);
      endWatches();
      loseHistory(context);
      await client.shows(world.copy(), 'the new list and nothing else');
      expect(lists().length, 'lists').toBeGreaterThan(listed);
      const last = () => watches().at(-1)?.query.get('resourceVersion');
      await context.until('the client watches from the version of the new list', last, (at) => at === world.version);
    },
  }),
  rule(
    'gone-as-status',
    'A watch that is answered 410 leads to a new list, which replaces the copy.',
    ['watch.history.gone', 'watch.history.client-recovers'],
    ['clings-to-version', 'keeps-ghosts', 'keeps-known', 'goes-by-reason'],
    async (context) => {
      const client = await keeping(context);
      context.endWatches();
      loseHistory(context);
      await client.shows(context.world.copy(), 'the new list and nothing else');
      await follows(context, client, 'later');
    },
  ),
  rule(
    'gone-empty',
    'A new list that is empty leaves nothing in the copy.',
    ['watch.history.client-recovers'],
    'distrusts-empty-list',
    async (context) => {
      const { world, endWatches, lists, until } = context;
      const client = await keeping(context);
      const listed = lists().length;
      goneAsEvent(context);
      endWatches();
      for (const name of Object.keys(world.copy())) world.remove(name);
      world.pass();
      world.forget();
      await until(
        'the client lists anew',
        () => lists().length,
        (count) => count > listed,
      );
      await follows(context, client, 'after nothing was there');
    },
  ),
  rule(
    'gone-stale',
    'After 410 a list at version 0, which may be of any age, is not all that is tried.',
    ['watch.history.client-recovers', 'rv.meaning.any'],
    'lists-at-zero',
    async (context) => {
      const { world, endWatches, whim } = context;
      const client = await keeping(context);
      const old = world.page(0);
      goneAsEvent(context);
      whim((seen) => (isList(seen) && seen.query.get('resourceVersion') === '0' ? json(old) : undefined));
      endWatches();
      loseHistory(context);
      await client.shows(world.copy(), 'the newest list');
      await follows(context, client, 'later');
    },
    'should',
  ),
  rule(
    'error-event',
    'An ERROR event is no object, and the client goes on after it.',
    ['watch.stream.documents'],
    'error-is-object',
    async (context) => {
      const { world, send, endWatches, expect } = context;
      const client = await keeping(context);
      send(lineOf('ERROR', statusOf(500, 'InternalError', 'the server has trouble')));
      endWatches();
      world.put('meanwhile', { a: '1' });
      await follows(context, client, 'after an error');
      const names = new Set(client.printed().flatMap((copy) => Object.keys(copy)));
      expect(names, 'all that was ever shown').toEqual(new Set(Object.keys(world.copy())));
    },
  ),
];

/** Something happens of which no watch tells, and what happened so far is forgotten. */
function loseHistory({ world }: ClientContext): void {
  world.remove('kept-1');
  world.put('kept-2', { nth: 'another by now' });
  world.put('meanwhile', { a: '1' });
  world.pass();
  world.forget();
}
