import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Lab, startLab } from '../testing/lab.fixture.ts';
import { formatMicroTime, formatTime } from './clock.ts';
import { counted, type EventForm, inSeries } from './event-forms.ts';
import { ApiEventRecorder } from './events.ts';
import { FakeClock } from './fake-clock.fixture.ts';
import { type KubeObject, nameOf } from './kube-object.ts';
import { silentLog } from './log.ts';
import { events, namespaces } from './resources.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await startLab();
});
afterAll(() => lab.stop());

const subject = (uid: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'default', name: `pod-${uid}`, uid, resourceVersion: '1' },
});
const note = { reason: 'Done', action: 'Doing', note: 'it is done' };

function setUp(log = silentLog, form?: EventForm) {
  const clock = new FakeClock(Date.now());
  const recorder = new ApiEventRecorder({
    client: lab.client,
    clock,
    log,
    controller: 'test-controller',
    instance: 'test-1',
    ...(form && { form }),
  });
  const about = async (uid: string) =>
    (await lab.client.list(events, { namespace: 'default' })).items.filter(({ metadata }) =>
      metadata?.name?.startsWith(`pod-${uid}.`),
    );
  return { clock, recorder, about };
}

test('the same event again is counted in the one that is there, which says when it came first and last', async () => {
  const { recorder, about, clock } = setUp();
  const first = formatTime(clock.now());
  for (let time = 0; time < 5; time += 1) recorder.record(subject('a'), note);
  clock.advance(90_000);
  recorder.record(subject('a'), note);
  await recorder.flush();
  const [event, ...others] = await about('a');
  expect(others).toEqual([]);
  const last = formatTime(clock.now());
  expect(event).toMatchObject({ count: 6, firstTimestamp: first, lastTimestamp: last });
});

test('an event says what happened to what, who tells it, and that it came once, at a time', async () => {
  const { recorder, about, clock } = setUp();
  recorder.record(subject('f'), { ...note, type: 'Warning' });
  await recorder.flush();
  const { metadata, ...regarding } = subject('f');
  const { resourceVersion, uid, name, namespace } = metadata ?? {};
  const time = formatTime(clock.now());
  expect((await about('f'))[0]).toMatchObject({
    ...{ type: 'Warning', reason: 'Done', action: 'Doing', message: 'it is done' },
    involvedObject: { ...regarding, resourceVersion, uid, name, namespace },
    ...{ source: { component: 'test-controller' }, reportingComponent: '', reportingInstance: '' },
    ...{ eventTime: null, count: 1, firstTimestamp: time, lastTimestamp: time },
  });
});

test('who works on a node says on which', async () => {
  const { recorder, about } = setUp(silentLog, counted(nameOf));
  recorder.record(subject('h'), note);
  await recorder.flush();
  expect((await about('h'))[0]?.source).toEqual({ component: 'test-controller', host: 'pod-h' });
});

test('an event in the newer form has a time to the microsecond and a reporter, and comes again as a series', async () => {
  const { recorder, about, clock } = setUp(silentLog, inSeries);
  const eventTime = formatMicroTime(clock.now());
  for (let time = 0; time < 2; time += 1) recorder.record(subject('i'), note);
  clock.advance(1_000);
  recorder.record(subject('i'), note);
  await recorder.flush();
  expect(await about('i')).toMatchObject([
    {
      ...{ eventTime, firstTimestamp: null, lastTimestamp: null, source: {}, action: 'Doing' },
      ...{ reportingComponent: 'test-controller', reportingInstance: 'test-controller-test-1' },
      series: { count: 3, lastObservedTime: formatMicroTime(clock.now()) },
    },
  ]);
});

test('events of what is in no namespace are in the default one', async () => {
  const { recorder, about } = setUp();
  const { namespace: _, ...metadata } = subject('g').metadata ?? {};
  recorder.record({ ...subject('g'), kind: 'Node', metadata }, note);
  await recorder.flush();
  expect((await about('g')).map((event) => [event.type, event.involvedObject.kind])).toEqual([['Normal', 'Node']]);
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
