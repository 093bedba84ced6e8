import type { Json } from '../../../verbs/client.ts';
import { objectOf } from '../../samples/objects.ts';
import { dryBeside, type KindStory } from '../story.ts';

const moment = '2024-05-06T07:08:09Z';

const said = (type: string, more: Json = {}): Json => ({
  ...{ type, status: 'True', reason: 'Tried', message: 'tried' },
  ...{ lastUpdateTime: moment, lastTransitionTime: moment, ...more },
});

const decided = (...conditions: readonly Json[]): Json => ({ status: { conditions } });
const nothing = Buffer.from('nothing').toString('base64');

/** What may be said of a request by each of its doors, one after another. */
const sayings: readonly Json[] = [
  decided(said('Approved', { status: 'False' })),
  decided(said('Approved'), said('Denied')),
  decided(said('Approved'), said('Approved')),
  decided(said('Other'), said('Other')),
  decided(said('Failed')),
  decided(said('')),
  { status: { certificate: nothing } },
  { status: { ...decided(said('Approved')).status, certificate: nothing } },
  { ...decided(said('Approved')), spec: { usages: ['server auth'] } },
  { ...decided(said('Approved')), metadata: { labels: { by: 'door' }, annotations: { by: 'door' } } },
];

/** Then one is approved and one denied, and nobody takes that back. */
export function decisions(at: KindStory): void {
  for (const word of ['a', 'b', 'c']) at.create(objectOf(at.kind, word));
  for (const door of ['approval', 'status', ''])
    for (const saying of sayings) at.patch('a', 'merge', saying, dryBeside, door);
  at.patch('a', 'merge', decided(said('Approved')), {}, 'approval');
  at.patch('b', 'merge', decided(said('Denied')), {}, 'approval');
  at.patch('c', 'merge', { status: { certificate: nothing }, spec: { usages: ['server auth'] } }, {}, 'approval');
  for (const word of ['a', 'b', 'c']) at.get(word);
  for (const word of ['a', 'b'])
    for (const door of ['approval', 'status', '']) {
      for (const saying of [
        ...sayings,
        decided(),
        decided(said('Denied')),
        decided(said('Approved', { reason: 'Other' })),
      ])
        at.patch(word, 'merge', saying, dryBeside, door);
      at.patch(word, 'merge', decided(said('Approved'), said('Failed')), {}, door);
      at.get(word);
    }
}
