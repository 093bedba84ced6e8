import { base64 } from '../../../../fixtures/certificates.ts';
import { makeAuthority } from '../../../lab/certificates.ts';
import { documented, impliedUnder } from '../../party.ts';
import { failure, isList, isWatch } from '../answers.ts';
import type { ClientContext, Whim } from '../context.ts';
import { follows, keeping, staysOut } from './keeping.ts';

/** Lets in only who shows this token at the moment. */
export const wants =
  (token: () => string): Whim =>
  ({ headers }) =>
    headers['authorization'] === `Bearer ${token()}` ? undefined : failure(401, 'Unauthorized', 'Unauthorized');

const rule = impliedUnder<ClientContext>('client.credential');

export default [
  rule(
    'token-expired',
    'After 401 the token is read anew from its file, and the client goes on.',
    ['responses.401', 'authn.bearer.header'],
    'keeps-token',
    async (context) => {
      const { world, configuration, whim, start, endWatches, watching, patience } = context;
      let token = 'token-1';
      const tokenFile = configuration.write('token', token);
      configuration.save({ tokenFile });
      whim(wants(() => token));
      world.put('kept', { a: '1' });
      const client = start();
      await client.shows(world.copy(), 'what is there');
      await watching();
      token = 'token-2';
      configuration.write('token', token);
      endWatches();
      world.put('meanwhile', { a: '1' });
      // Some read such a file once a minute, and by then pause for up to a minute between two tries.
      const enough = Math.max(5 * patience, 20_000);
      const shown = () => Object.keys(client.printed().at(-1) ?? {});
      await context.until(
        'the client shows what changed since its token expired',
        shown,
        (names) => names.includes('meanwhile'),
        enough,
      );
      await follows(context, client, 'with the new token');
    },
  ),
  // A token has only characters that a header can carry.
  documented<ClientContext>('authn.bearer.characters', {
    fault: 'raw-token',
    async check({ world, configuration, whim, start, server, expect }) {
      world.put('kept', { a: '1' });
      configuration.save({ tokenFile: configuration.write('token', 'token-with-a-line-end\n') });
      whim(wants(() => 'token-with-a-line-end'));
      const client = start();
      await client.shows(world.copy(), 'what is there, by a token from a file that ends with a line end');
      const shown = new Set(server.seen.map(({ headers }) => headers['authorization']));
      expect(shown, 'the tokens that it showed').toEqual(new Set(['Bearer token-with-a-line-end']));
    },
  }),
  rule(
    'unknown-authority',
    'A server whose certificate is not of the authority in the configuration is shown no credential.',
    ['authn.bearer.header'],
    'any-authority',
    async (context) => {
      const { world, configuration, start } = context;
      world.put('kept', { a: '1' });
      const client = start();
      await client.shows(world.copy(), 'what is there');
      await client.stop();
      const { certificate } = await makeAuthority('somebody-else');
      configuration.save({ token: 'token-of-the-judge' }, { 'certificate-authority-data': base64(certificate) });
      await staysOut(context, start(), 'of a server that nobody vouches for');
    },
  ),
  rule(
    'wrong-certificate',
    'A server whose certificate is of another host, or out of date, is shown no credential.',
    ['authn.bearer.header'],
    ['any-host', 'any-authority'],
    async (context) => {
      const { world, present, start } = context;
      world.put('kept', { a: '1' });
      const client = start();
      await client.shows(world.copy(), 'what is there');
      await client.stop();
      await present({ isElsewhere: true, hosts: ['elsewhere.example.com'] });
      await staysOut(context, start(), 'of a server that is another host');
      await present({ fromDay: -20, untilDay: -10 });
      await staysOut(context, start(), 'of a server whose certificate is out of date');
    },
  ),
  rule(
    'not-told',
    'What a client writes of what went wrong does not tell its token.',
    ['authn.bearer.header'],
    'tells-token',
    async (context) => {
      const { whim, endWatches, pause, server, expect } = context;
      const client = await keeping(context);
      const troubles = [
        failure(500, 'InternalError', 'the server has trouble'),
        failure(401, 'Unauthorized', 'Unauthorized'),
      ];
      whim(() => troubles[0]);
      while (troubles.length > 0) {
        endWatches();
        await pause(1_500);
        troubles.shift();
      }
      server.relay.cut();
      await pause(1_500);
      expect(client.output().includes('token-of-the-judge'), 'the token is in what it wrote').toBe(false);
    },
    'should',
  ),
  rule(
    'redirect',
    'A redirect to another host is not followed with the token: it is for the server of the configuration alone.',
    ['authn.bearer.header'],
    'takes-token-along',
    async (context) => {
      const { whim, elsewhere, endWatches, until, expect } = context;
      const client = await keeping(context);
      const other = await elsewhere();
      let left = 2;
      whim((seen) => {
        if (left === 0 || !(isWatch(seen) || isList(seen))) return undefined;
        left -= 1;
        return { status: 307, headers: { location: `${other.url}${seen.path}?${seen.query}` }, body: '' };
      });
      endWatches();
      await until(
        'the client asks again, although it was redirected',
        () => left,
        (more) => more === 0,
      );
      await follows(context, client, 'after it was redirected');
      const shown = other.seen.filter(({ headers }) => headers['authorization'] !== undefined);
      expect(
        shown.map(({ path }) => path),
        'requests to the other host with a token',
      ).toEqual([]);
    },
    'should',
  ),
  rule(
    'groups',
    'Who acts as another user does so with the groups that the configuration names, each in a header of its own.',
    ['impersonate.group', 'impersonate.flow.replaced'],
    'drops-groups',
    async ({ world, configuration, start, server, expect, skip }) => {
      world.put('kept', { a: '1' });
      configuration.save({ token: 't', as: 'jane', 'as-groups': ['devs', 'ops'] });
      const client = start();
      await client.shows(world.copy(), 'what is there');
      const asJane = server.seen.filter(({ headers }) => headers['impersonate-user'] === 'jane');
      if (asJane.length === 0) skip('the client does not act as another user');
      for (const { headers, headerNames } of asJane) {
        expect(headers['impersonate-group'] ?? '', 'groups').toMatch(/^devs, ?ops$/);
        expect(headerNames.filter((name) => /^impersonate-group$/i.test(name)).length, 'their headers').toBe(2);
      }
    },
  ),
  // The name in `Impersonate-Extra-<name>` is in lower case.
  documented<ClientContext>('impersonate.extra.lower-case', {
    fault: 'writes-extra-large',
    async check({ world, configuration, start, server, expect, skip }) {
      world.put('kept', { a: '1' });
      const extra = { scopes: ['view'], 'example.com/team': ['blue'] };
      configuration.save({ token: 't', as: 'jane', 'as-groups': ['devs'], 'as-user-extra': extra });
      const client = start();
      await client.shows(world.copy(), 'what is there');
      const names = new Set(server.seen.flatMap(({ headerNames }) => headerNames));
      const written = [...names].filter((name) => /^impersonate-extra-/i.test(name));
      if (written.length === 0) skip('the client sends no extra values of the user it acts as');
      const ends = written.map((name) => name.slice('impersonate-extra-'.length));
      const plain = ends.map((name) => decodeURIComponent(name));
      expect(plain, 'the names of extra values').toEqual(plain.map((name) => name.toLowerCase()));
    },
  }),
  rule(
    'certificate-rotates',
    'A client certificate that was replaced in its file is shown at the next connection.',
    ['authn.certificate.flag', 'exec-plugin.new-certificate'],
    'keeps-certificate',
    async (context) => {
      const { world, configuration, certificate, server, start, watching, pause, patience, expect } = context;
      const save = async (name: string): Promise<void> => {
        const pair = await certificate(name);
        configuration.save({
          'client-certificate': configuration.write('client.crt', pair.certificate),
          'client-key': configuration.write('client.key', pair.key),
        });
      };
      await save('first');
      world.put('kept', { a: '1' });
      const client = start();
      await client.shows(world.copy(), 'what is there');
      await watching();
      await save('second');
      server.relay.cut();
      world.put('meanwhile', { a: '1' });
      await client.shows(world.copy(), 'what changed while the connection was cut');
      const shown = () => server.seen.at(-1)?.certificate;
      // Some look at such files now and then.
      const end = performance.now() + patience;
      while (shown() !== 'second' && performance.now() < end) {
        server.relay.cut();
        await pause(1_000);
      }
      expect(shown(), 'the certificate that it shows').toBe('second');
    },
  ),
];
