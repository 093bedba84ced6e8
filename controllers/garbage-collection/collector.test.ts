import { afterAll, beforeAll, expect, test } from 'vitest';
import { FakeClock } from '../runtime/fake-clock.fixture.ts';
import { Informers } from '../runtime/informers.ts';
import { silentLog } from '../runtime/log.ts';
import { configMaps, customResourceDefinitions, type Resource } from '../runtime/resources.ts';
import { eventually, type Lab, startLab } from '../testing/lab.fixture.ts';
import { Collector } from './collector.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await startLab();
});
afterAll(() => lab.stop());

const kites: Resource = { group: 'example.com', version: 'v1', plural: 'kites', kind: 'Kite', namespaced: true };
const definition = { name: 'kites.example.com' };

/** A kind whose objects are stored in one version and preferred in another, and nobody who converts between them. */
async function defineUnreadableKites() {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const names = { plural: 'kites', singular: 'kite', kind: 'Kite', listKind: 'KiteList' };
  const versions = ['v1', 'v2'].map((name) => ({ name, served: true, storage: name === 'v1', schema }));
  const clientConfig = { url: 'https://127.0.0.1:1/convert' };
  const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } };
  const spec = { group: 'example.com', names, scope: 'Namespaced', versions, conversion };
  await lab.client.create(customResourceDefinitions, { metadata: definition, spec }, {});
  const kite = { apiVersion: 'example.com/v1', kind: 'Kite', metadata: { name: 'red' } };
  await eventually(() => lab.client.create(kites, kite, { namespace: 'default' }).catch(() => undefined));
}

test('a kind that cannot be listed is set aside, holds up no other, and joins once it can', async () => {
  await defineUnreadableKites();
  const clock = new FakeClock();
  const ending = new AbortController();
  const parts = { client: lab.client, clock, log: silentLog, signal: ending.signal };
  const collector = new Collector({ ...parts, informers: new Informers(parts), changed: () => {} });
  const refreshed = collector.refresh();
  const unlisted = () => collector.waiting().filter((each) => each.includes('/'));
  await eventually(async () => (unlisted().length === 1 && clock.next !== undefined ? true : undefined));
  clock.advance(10_000);
  await refreshed;
  await collector.settled;
  expect(unlisted()).toEqual(['/apis/example.com/v2/kites']);
  const { metadata } = await lab.client.create(configMaps, { metadata: { name: 'm' } }, { namespace: 'default' });
  await eventually(async () => collector.graph.find(metadata?.uid ?? ''));
  await lab.client.patch(customResourceDefinitions, definition, {
    spec: { conversion: { strategy: 'None', webhook: null } },
  });
  await eventually(async () => {
    clock.advance(60_000);
    return unlisted().length === 0 ? true : undefined;
  });
  ending.abort();
});
