import { base64 } from '../../../../fixtures/certificates.ts';
import { documented, impliedUnder } from '../../party.ts';
import { failure, json, secretsPath, statusOf } from '../answers.ts';
import type { ClientContext } from '../context.ts';
import type { Seen } from '../scripted-server.ts';
import type { Data } from '../world.ts';
import { busy, tolerance } from './busy.ts';

const isUpdate = ({ method, path }: Seen): boolean => method === 'PUT' && path === `${secretsPath}/counter`;
const updates = ({ server }: ClientContext): readonly Seen[] => server.seen.filter(isUpdate);

/** Puts a counter there, has the client count, and waits for its end. */
async function counting(context: ClientContext, more: object = {}): Promise<void> {
  const { world, start, server, expect, skip } = context;
  world.put('counter', { count: '7', other: 'kept' }, more);
  const client = start('update');
  expect(await client.ends(), `exit code of the client, which wrote: ${client.output().slice(-300)}`).toBe(0);
  if (server.seen.some(({ method }) => method === 'PATCH')) skip('the client patches instead of replacing');
}

const countOf = ({ world }: ClientContext): Data => world.find('counter')?.data ?? {};

/** Where a client applies a configuration. */
const appliedPath = `${secretsPath}/applied`;

/** Who is told no may ask whether that was meant. */
const mostTries = 5;

const rule = impliedUnder<ClientContext>('client.write');

export default [
  rule(
    'conflict',
    'After 409 on a replacement the object is read again, so that no write of others is lost.',
    ['verbs.update', 'rv.object'],
    ['same-again', 'no-version'],
    async (context) => {
      const { world, whim, expect } = context;
      let others = 1;
      whim((seen) => {
        if (isUpdate(seen) && others > 0) {
          others -= 1;
          world.put('counter', { count: '20', other: 'changed' });
        }
        return undefined;
      });
      await counting(context);
      expect(countOf(context)).toEqual({ count: base64('21'), other: base64('changed') });
    },
  ),
  rule(
    'sends-version',
    'A replacement of what was read carries the resourceVersion that was read.',
    ['rv.opaque', 'rv.object'],
    'no-version',
    async (context) => {
      const { world, expect } = context;
      world.versionOf = (step) => `opaque-${'x'.repeat(40)}-${step}`;
      const read = () =>
        context.server.seen.filter(({ method, path }) => method === 'GET' && path.startsWith(secretsPath));
      await counting(context);
      const sent = updates(context).map(({ body }) => JSON.parse(body).metadata?.resourceVersion);
      expect(read().length, 'reads').toBeGreaterThan(0);
      expect(sent).toEqual([world.versionOf(2)]);
    },
  ),
  rule(
    'unknown-fields',
    'A field that the client does not know survives when it reads an object, changes it and writes it.',
    ['verbs.update', 'versioning.stable.stays'],
    'drops-unknown',
    async (context) => {
      await counting(context, { later: { version: 'of the API' } });
      const [sent] = updates(context).map(({ body }) => JSON.parse(body));
      context.expect(sent?.later, 'the field as it was sent back').toEqual({ version: 'of the API' });
    },
    'should',
  ),
  rule(
    'letters',
    'Letters beyond ASCII are read whole, in whatever pieces they come, and written back as they were.',
    ['content.json.default-response', 'verbs.update'],
    ['cuts-letters', 'counts-letters'],
    async (context) => {
      const { world, whim, pause } = context;
      const annotations = { letters: 'ü€😀' };
      const counter = world.put('counter', { count: '7' });
      world.store({ ...counter, metadata: { ...counter.metadata, annotations } });
      whim(({ method, path }) => {
        if (method !== 'GET' || path !== `${secretsPath}/counter`) return undefined;
        const bytes = Buffer.from(JSON.stringify(world.find('counter')));
        const cut = bytes.indexOf(Buffer.from('😀')) + 2;
        return {
          async open({ write, end }) {
            write(bytes.subarray(0, cut));
            await pause(60);
            write(bytes.subarray(cut));
            end();
          },
        };
      });
      await counting(context);
      const [sent] = updates(context).map(({ body }) => JSON.parse(body));
      context.expect(sent?.metadata?.annotations, 'the annotations as they were sent back').toEqual(annotations);
    },
  ),
  rule(
    'refused',
    'A replacement that is refused for good is neither tried for ever nor taken for done.',
    ['responses.update.code', 'errors.403'],
    ['tries-for-ever', 'believes-refusal'],
    async (context) => {
      const { world, whim, start, server, expect, skip } = context;
      world.put('counter', { count: '7' });
      whim((seen) => (isUpdate(seen) ? failure(403, 'Forbidden', 'secrets "counter" is forbidden') : undefined));
      const code = await start('update').ends();
      if (server.seen.some(({ method }) => method === 'PATCH')) skip('the client patches instead of replacing');
      const tries = updates(context).length;
      expect(tries, 'tries').toBeGreaterThan(0);
      expect(tries, 'tries').toBeLessThanOrEqual(mostTries);
      expect(code, 'exit code of the client').not.toBe(0);
    },
  ),
  rule(
    'too-many-requests',
    'A write that is answered 429 with Retry-After is not tried again before that time.',
    ['rv.too-large.retry-after'],
    'ignores-retry-after',
    async (context) => {
      const { world, whim, start, expect } = context;
      world.put('counter', { count: '7' });
      whim(busy(1, isUpdate, 429, 2));
      const code = await start('update').ends();
      const [first, second] = updates(context);
      // Who gives up and says so has obeyed, too.
      expect(first, 'the write').toBeDefined();
      const wait = second ? second.at - (first?.at ?? 0) : Number.POSITIVE_INFINITY;
      expect(wait, 'milliseconds before it was tried again').toBeGreaterThan(2_000 - tolerance);
      expect(countOf(context)['count'], `the count after exit code ${code}`).toBe(base64(code === 0 ? '8' : '7'));
    },
  ),
  rule(
    'warnings',
    'Warnings of the server are shown to the user.',
    ['webhook.response.warnings', 'fields.validation.warn'],
    ['silent', 'first-warning-only'],
    async ({ world, whim, start, expect }) => {
      world.put('counter', { count: '7' });
      const headers = { warning: ['299 - "the moon is full"', '299 - "the tide is high"'] };
      whim((seen) => (isUpdate(seen) ? json(world.store(JSON.parse(seen.body)), 200, headers) : undefined));
      const client = start('update');
      expect(await client.ends(), 'exit code of the client').toBe(0);
      for (const warning of ['the moon is full', 'the tide is high'])
        expect(client.output(), 'what the client wrote').toContain(warning);
    },
    'should',
  ),
  // Controllers had better force their conflicts.
  documented<ClientContext>('apply.controllers-force', {
    fault: 'applies-gently',
    async check({ world, whim, start, server, expect }) {
      const applied = (seen: Seen) => seen.method === 'PATCH' && seen.path === appliedPath;
      whim((seen) => {
        if (!applied(seen)) return undefined;
        const conflict = 'Apply failed with 1 conflict: conflict with "somebody": .data.owner';
        return seen.query.get('force') === 'true'
          ? json(world.put('applied', { owner: 'controller' }))
          : json(statusOf(409, 'Conflict', conflict), 409);
      });
      const client = start('apply');
      expect(await client.ends(), 'exit code of the client').toBe(0);
      const [first] = server.seen.filter(applied);
      expect(first?.headers['content-type']).toContain('apply-patch');
      expect(first?.query.get('fieldManager'), 'who applies').toBeTruthy();
      expect(first?.query.get('force'), 'force').toBe('true');
    },
  }),
];
