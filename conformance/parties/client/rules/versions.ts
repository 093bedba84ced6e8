import { documented, impliedUnder } from '../../party.ts';
import type { ClientContext } from '../context.ts';
import { keeping } from './keeping.ts';

/** Every version that the client sent back was given to it as it is. */
async function passesBack(context: ClientContext, versionOf: (step: number) => string): Promise<void> {
  const { world, endWatches, watches, until, expect } = context;
  world.versionOf = versionOf;
  const client = await keeping(context);
  const given = new Set([world.version]);
  for (const nth of ['1', '2', '3']) {
    world.put('changing', { nth });
    given.add(world.version);
    await client.shows(world.copy(), `change ${nth}`);
    const watched = watches().length;
    endWatches();
    await until(
      'the client watches again',
      () => watches().length,
      (count) => count > watched,
    );
    const resumed = watches().at(-1)?.query.get('resourceVersion');
    expect(resumed, 'the version at which it watches again').toBe(world.version);
  }
  world.put('last', { a: '1' });
  await client.shows(world.copy(), 'the last change');
  const sent = new Set(watches().map(({ query }) => query.get('resourceVersion')));
  for (const version of sent) expect([...given], 'the versions that it was given').toContain(version);
}

/** Characters in no order at all, 64 of them. */
const opaque = (step: number): string => {
  const start = `v${(step * 7_919) % 10_007}-`;
  return start + 'AbC+xYz/9=q'.repeat(8).slice(0, 62 - start.length) + String(step % 100).padStart(2, '0');
};

const rule = impliedUnder<ClientContext>('client.version');

export default [
  // To a client a resourceVersion is only a text: equal or not, and given back as it came.
  documented<ClientContext>('rv.opaque', {
    fault: ['versions-are-numbers', 'short-versions', 'resumes-at-largest'],
    check: (context) => passesBack(context, opaque),
  }),
  rule(
    'large-number',
    'A version that is a number beyond what a double can hold is given back digit by digit.',
    ['rv.opaque'],
    'versions-are-numbers',
    (context) => passesBack(context, (step) => String(9_007_199_254_740_993n + 2n * BigInt(step))),
  ),
  rule(
    'no-order',
    'An object whose version looks older than that of the copy is taken all the same.',
    ['rv.opaque'],
    'versions-are-ordered',
    async (context) => {
      const { world } = context;
      world.versionOf = (step) => String(100_000 - step);
      const client = await keeping(context);
      for (const nth of ['1', '2', '3']) {
        world.put('kept-1', { nth: `changed ${nth}` });
        await client.shows(world.copy(), `change ${nth}`);
      }
    },
  ),
];
