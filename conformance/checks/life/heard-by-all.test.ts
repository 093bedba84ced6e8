import { expect, test } from 'vitest';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { waitUntil } from '../../verbs/wait-until.ts';
import { type BoundedRange, boundedRanges, bounds } from '../pods/limited-objects.ts';
import { takesNothing } from './going-namespaces.ts';

const forbidden = { status: 403, body: { kind: 'Status', reason: 'Forbidden' }, text: '' };

/** Two servers behind one address, asked in turn, of which the second has not heard yet until all have; what is removed refuses nothing. */
function twoServers(isRefused: (body: Json) => boolean) {
  let [asked, heard, lifted] = [0, false, false];
  const answer = async (body: Json) => {
    const knows = asked++ % 2 === 0 || heard;
    return knows && !lifted && isRefused(body) ? forbidden : { status: 201, body: {}, text: '{}' };
  };
  const objects = {
    in: () => objects,
    sample: (over: Json = {}) => ({ metadata: { name: 'one' }, ...over }),
    create: async () => ({ metadata: { name: 'made' } }),
    list: async () => ({ items: [] }),
    remove: async () => {
      lifted = true;
    },
    ...{ post: answer, put: answer, tryApply: (_: string, body: Json) => answer(body) },
  };
  return {
    ...{ limitRanges: objects, pods: objects, persistentVolumeClaims: objects },
    ...{ secrets: objects, leases: objects, events: objects, expect },
    waitUntil: (...[what, look, accept]: Parameters<typeof waitUntil>) => waitUntil(what, look, accept, { limit: 500 }),
    allHeard: async () => {
      heard = true;
    },
  } as unknown as RuleContext;
}

test.each(boundedRanges.map((range) => [range.name, range] as const))('%s', async (_, range: BoundedRange) => {
  const beyond = Object.values(range.beyond);
  await bounds(
    twoServers(({ spec }) => beyond.includes(spec)),
    range,
  );
});

test('that a namespace is going', async () => {
  await takesNothing(
    twoServers(() => true),
    'going',
    {},
  );
});
