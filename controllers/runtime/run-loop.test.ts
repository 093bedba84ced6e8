import { expect, test } from 'vitest';
import { indexBy, itself, type Loop } from './controller.ts';
import { FakeClock } from './fake-clock.fixture.ts';
import { Cache } from './informer/cache.ts';
import { noMetrics } from './metrics.ts';
import { type ConfigMap, configMaps } from './resources.ts';
import { prepareLoop, type Surroundings } from './run-loop.ts';

const map = (name: string, version: string): ConfigMap => ({
  metadata: { namespace: 'ns', name, uid: name, resourceVersion: version },
});

test('a loop looks at all objects again after ten hours, and at none once it has ended', async () => {
  const { cache, seen, look, clock, stop } = beside({});
  cache.seen(map('plain', '1'));
  await look();
  clock.advance(36_000_000);
  await look();
  expect(seen).toEqual(['ns/plain', 'ns/plain']);
  await stop();
  expect(clock.next).toBeUndefined();
});

/** Two loops that look at the same kind: one that cannot bear the map `odd`, and one that can. */
function beside(failing: Partial<Loop>) {
  const cache = new Cache<ConfigMap>();
  const [seen, said]: [string[], string[]] = [[], []];
  const informers = { of: () => ({ cache, synced: Promise.resolve() }), known: () => undefined };
  const log = { info() {}, error: (what: string) => void said.push(what) };
  const signal = new AbortController().signal;
  const clock = new FakeClock();
  const parts = { informers, clock, log, metrics: noMetrics, signal };
  const surroundings = parts as unknown as Surroundings;
  const reconcile = async () => undefined;
  const loops = [
    prepareLoop({ name: 'failing', watches: [itself(configMaps)], reconcile, ...failing }, surroundings),
    prepareLoop(
      { name: 'good', watches: [itself(configMaps)], reconcile: async ({ key }) => void seen.push(key) },
      surroundings,
    ),
  ];
  const started = Promise.all(loops.map((loop) => loop.start(signal)));
  const look = async () => {
    await started;
    await new Promise((resolve) => setImmediate(resolve));
  };
  const stop = () => Promise.all(loops.map((loop) => loop.stop()));
  return { cache, seen, said, clock, look, stop };
}

const cannot = (object: ConfigMap): readonly string[] => {
  if (object.metadata?.name === 'odd') throw new Error('nobody thought of this');
  return [];
};

test.each<[string, Partial<Loop>]>([
  ['the keys of one', { watches: [{ resource: configMaps, keys: (object) => cannot(object) }] }],
  ['the places of one in an index', { indexes: [indexBy(configMaps, 'mine', cannot)] }],
  [
    'whether a change of one matters',
    { watches: [{ ...itself(configMaps), matters: (object) => cannot(object).length === 0 }] },
  ],
])('who cannot say %s holds up nobody who looks at the same kind', async (_, failing) => {
  const { cache, seen, said, look } = beside(failing);
  cache.seen(map('odd', '1'));
  cache.seen(map('plain', '2'));
  await look();
  cache.seen(map('odd', '3'));
  await look();
  expect(seen).toEqual(['ns/odd', 'ns/plain', 'ns/odd']);
  expect(said.length).toBeGreaterThan(0);
  expect(said.every((each) => each.startsWith('failing'))).toBe(true);
});
