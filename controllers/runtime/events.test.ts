import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Lab, startLab } from '../testing/lab.fixture.ts';
import { ApiEventRecorder } from './events.ts';
import { FakeClock } from './fake-clock.fixture.ts';
import type { KubeObject } from './kube-object.ts';
import { silentLog } from './log.ts';
import { namespaces, type Resource } from './resources.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await startLab();
});
afterAll(() => lab.stop());

const events: Resource<KubeObject & { series?: { count: number }; note?: string }> = {
  group: 'events.k8s.io',
  version: 'v1',
  plural: 'events',
  kind: 'Event',
  namespaced: true,
};
const subject = (uid: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'default', name: `pod-${uid}`, uid, resourceVersion: '1' },
});
const note = { reason: 'Done', action: 'Doing', note: 'it is done' };

function setUp(log = silentLog) {
  const clock = new FakeClock(Date.now());
  const recorder = new ApiEventRecorder({
    client: lab.client,
    clock,
    log,
    controller: 'test-controller',
    instance: 'test-1',
  });
  const about = async (uid: string) =>
    (await lab.client.list(events, { namespace: 'default' })).items.filter(({ metadata }) =>
      metadata?.name?.startsWith(`pod-${uid}.`),
    );
  return { clock, recorder, about };
}

test('the same event again makes a series of it', async () => {
  const { recorder, about } = setUp();
  for (let time = 0; time < 5; time += 1) recorder.record(subject('a'), note);
  await recorder.flush();
  const [event, ...others] = await about('a');
  expect(others).toEqual([]);
  expect(event?.series?.count).toBe(5);
});

test('after a long pause it is a new event', async () => {
  const { recorder, about, clock } = setUp();
  recorder.record(subject('b'), note);
  clock.advance(600_000);
  recorder.record(subject('b'), note);
  await recorder.flush();
  expect(await about('b')).toHaveLength(2);
});

test('an object that would have too many events has twenty-five', async () => {
  const { recorder, about } = setUp();
  for (let time = 0; time < 60; time += 1) recorder.record(subject('c'), { ...note, note: `note ${time}` });
  await recorder.flush();
  expect(await about('c')).toHaveLength(25);
});

test('a long note is cut, also where characters take several bytes', async () => {
  const { recorder, about } = setUp();
  recorder.record(subject('d'), { ...note, note: '€'.repeat(3_000) });
  await recorder.flush();
  expect(await about('d')).toHaveLength(1);
});

test('that there is no room for it in a namespace that goes away is not worth a word', async () => {
  const said: string[] = [];
  const { recorder } = setUp({ ...silentLog, error: (what) => said.push(what) });
  await lab.client.create(namespaces, { metadata: { name: 'going' } }, {});
  await lab.client.delete(namespaces, { name: 'going' });
  recorder.record({ ...subject('e'), metadata: { namespace: 'going', name: 'pod-e', uid: 'e' } }, note);
  await recorder.flush();
  expect(said).toEqual([]);
});
