import { protobufType } from '../../../verbs/protobuf.ts';
import { documented } from '../../party.ts';
import { gone, isList, json } from '../answers.ts';
import type { ClientContext } from '../context.ts';
import { secretListBytes } from '../secret-bytes.ts';

export default [
  // Clients that ask for `Exact` without a limit check the version they got.
  documented<ClientContext>('rv.client.exact-check', {
    fault: 'trusts-exact',
    async check({ world, start, lists, expect }) {
      world.put('kept', { a: '1' });
      const asked = world.version;
      const environment = { TOUCHSTONE_RESOURCE_VERSION: asked };
      const client = start('exact', environment);
      await client.shows(world.copy(), 'the list of the version that it was told');
      expect(await client.ends(), 'exit code when the version is right').toBe(0);
      const [first] = lists();
      expect(first?.query.get('resourceVersion')).toBe(asked);
      expect(first?.query.get('resourceVersionMatch')).toBe('Exact');
      // An old server takes no notice of the match and gives what it has.
      world.put('kept', { a: '2' });
      const other = start('exact', environment);
      expect(await other.ends(), 'exit code when the list is of another version').not.toBe(0);
      expect(other.printed(), 'what it showed').toEqual([]);
    },
  }),
  // Clients that combine `NotOlderThan` with a limit are ready for 410.
  documented<ClientContext>('rv.client.not-older-limit-410', {
    fault: 'not-older-gives-up',
    async check(context) {
      const { world, start, whim, lists, expect } = context;
      world.mostPerPage = 2;
      for (const nth of ['1', '2', '3', '4', '5']) world.put(`page-${nth}`, { nth });
      let left = 1;
      whim(({ query }) => {
        if (!query.get('continue') || left === 0) return undefined;
        left -= 1;
        world.forget();
        return gone();
      });
      const client = start('not-older', { TOUCHSTONE_RESOURCE_VERSION: world.version });
      await client.shows(world.copy(), 'the whole list although a page was gone');
      const [first] = lists();
      expect(first?.query.get('resourceVersionMatch')).toBe('NotOlderThan');
      expect(Number(first?.query.get('limit')), 'limit').toBeGreaterThan(0);
    },
  }),
  // A server too old for `resourceVersionMatch` takes no notice of it.
  documented<ClientContext>('rv.match.old-servers', {
    fault: 'insists-on-version',
    async check({ world, start, whim, lists, expect }) {
      world.put('kept', { a: '1' });
      const asked = world.version;
      world.put('kept', { a: '2' });
      // Knows neither the match nor pages: all that there is, at the newest version.
      whim((seen) => (isList(seen) ? json(world.page(0, undefined)) : undefined));
      const client = start('not-older', { TOUCHSTONE_RESOURCE_VERSION: asked });
      await client.shows(world.copy(), 'the newer list of a server that does not know what a match is');
      expect(await client.ends(), 'exit code').toBe(0);
      expect(lists()[0]?.query.get('resourceVersionMatch')).toBe('NotOlderThan');
    },
  }),
  // A client does not believe a protobuf answer without the four bytes.
  documented<ClientContext>('content.protobuf.client-checks-magic', {
    fault: 'takes-any-protobuf',
    async check({ world, start, whim, lists, expect }) {
      world.put('kept', { a: '1' });
      let prefix = true;
      whim((seen) => {
        if (!isList(seen)) return undefined;
        const body = secretListBytes(world.version, world.copy());
        return { headers: { 'content-type': protobufType }, body: prefix ? body : body.subarray(4) };
      });
      const client = start('protobuf');
      await client.shows(world.copy(), 'the list, which it got as protobuf');
      expect(await client.ends(), 'exit code').toBe(0);
      expect(lists()[0]?.headers['accept'], 'what it takes').toContain(protobufType);
      prefix = false;
      const other = start('protobuf');
      expect(await other.ends(), 'exit code for protobuf without the four bytes in front').not.toBe(0);
      expect(other.printed(), 'what it showed').toEqual([]);
    },
  }),
  // Programs go by the status code and by nothing else.
  documented<ClientContext>('health.machines-use-status', {
    fault: 'reads-health',
    async check({ start, whim, expect }) {
      let [status, body] = [200, '[-]everything failed: not ok\nlivez check failed\n'];
      whim(({ path }) =>
        ['/readyz', '/livez', '/healthz'].includes(path)
          ? { status, headers: { 'content-type': 'text/plain' }, body }
          : undefined,
      );
      const well = start('health');
      expect(await well.ends(), 'exit code for 200 and a text that sounds bad').toBe(0);
      [status, body] = [500, 'ok'];
      const ill = start('health');
      expect(await ill.ends(), 'exit code for 500 and a text that sounds well').not.toBe(0);
    },
  }),
  // Libraries had better bear notes of 64 kB.
  documented<ClientContext>('event.note.libraries', {
    fault: 'short-notes',
    async check({ start, whim, server, expect }) {
      const isEvent = (method: string, path: string): boolean => method === 'POST' && path.endsWith('/events');
      whim(({ method, path, body }) => (isEvent(method, path) ? json(JSON.parse(body), 201) : undefined));
      const client = start('event', { TOUCHSTONE_NOTE: 'ü'.repeat(32 * 1024) });
      expect(await client.ends(), `exit code of the client, which wrote: ${client.output().slice(-300)}`).toBe(0);
      const [sent] = server.seen
        .filter(({ method, path }) => isEvent(method, path))
        .map(({ body }) => JSON.parse(body));
      const note: string = sent?.note ?? sent?.message ?? '';
      expect(note.slice(0, 100), 'the note as it was sent').toBe('ü'.repeat(100));
    },
  }),
];
