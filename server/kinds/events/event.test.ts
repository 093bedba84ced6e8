import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../base/kube-object.ts';
import { sample, tryCreate, tryUpdate } from '../kind-write.fixture.ts';
import { event as eventKind } from './event.ts';
import { newApiConversion } from './event-conversion.ts';

const event = eventKind({ eventTtl: 0 });

const newApi = { requestVersion: 'events.k8s.io/v1' };
const time = '2024-01-02T03:04:05.000000Z';
const complete = {
  action: 'Doing',
  eventTime: time,
  involvedObject: { kind: 'Pod', name: 'p', namespace: 'ns' },
  reason: 'Because',
  reportingComponent: 'example.com/c',
  reportingInstance: 'c-1',
  type: 'Normal',
};
const { involvedObject: about } = complete;
const make = (fields: object, namespace = 'ns') => sample(event, fields, { namespace });
const word = (length: number) => 'é'.repeat(length / 2);
const controller = ['reportingController Required', 'reportingController Invalid', 'reportingController Invalid'];

describe('a new event through the new API with', () => {
  const table: readonly [string, object, readonly string[]][] = [
    ['all it needs', complete, []],
    ['nothing', {}, ['involvedObject.namespace Invalid', 'eventTime Required', 'type Invalid']],
    ['no type', { ...complete, type: undefined }, ['type Invalid']],
    [
      'no words',
      { ...complete, action: '', reason: '', reportingInstance: '' },
      ['reportingInstance Required', 'action Required', 'reason Required'],
    ],
    ['no controller', { ...complete, reportingComponent: undefined }, controller],
    ['words at their limit', { ...complete, action: word(128), message: word(1024) }, []],
    ['words beyond it', { ...complete, action: word(130), message: word(1026) }, ['action Invalid', 'message Invalid']],
    [
      'a series of one',
      { ...complete, series: { count: 1 } },
      ['series.count Invalid', 'series.lastObservedTime Required'],
    ],
    [
      'old fields',
      { ...complete, count: 1, firstTimestamp: time, lastTimestamp: time, source: { host: 'h' } },
      ['firstTimestamp Invalid', 'lastTimestamp Invalid', 'count Invalid', 'source Invalid'],
    ],
    ['an object elsewhere', { ...complete, involvedObject: { ...about, namespace: 'other' } }, []],
  ];
  test.each(table)('%s', async (_, fields, causes) => {
    expect((await tryCreate(event, make(fields), newApi)).causes).toEqual(causes);
  });

  test.each([
    ['default', []],
    ['kube-system', []],
    ['ns', ['involvedObject.namespace Invalid']],
  ])('a cluster-wide object, in %s', async (namespace, causes) => {
    const fields = { ...complete, involvedObject: { kind: 'Node', name: 'n' } };
    expect((await tryCreate(event, make(fields, namespace), newApi)).causes).toEqual(causes);
  });
});

describe('a new event through the core group', () => {
  test.each([
    ['needs little', { involvedObject: about, type: 'Odd', reason: word(500) }, 'ns', []],
    [
      'is about its own namespace',
      { involvedObject: { ...about, namespace: 'other' } },
      'ns',
      ['involvedObject.namespace Invalid'],
    ],
    ['or a cluster-wide object', {}, 'default', []],
    ['which has its home in default', {}, 'kube-system', ['involvedObject.namespace Invalid']],
    [
      'is of the new style with an eventTime',
      { involvedObject: about, eventTime: time },
      'ns',
      [
        'reportingComponent Required',
        'reportingComponent Invalid',
        'reportingComponent Invalid',
        'reportingInstance Required',
        'action Required',
        'reason Required',
      ],
    ],
  ])('%s', async (_, fields, namespace, causes) => {
    expect((await tryCreate(event, make(fields, namespace))).causes).toEqual(causes);
  });

  test('shows what is empty', async () => {
    const { object } = await tryCreate(event, make({ involvedObject: about }));
    expect(object).toMatchObject({ reportingComponent: '', reportingInstance: '', source: {} });
  });
});

describe('updates', () => {
  const old = { involvedObject: about, message: 'm', source: {}, reportingComponent: '', reportingInstance: '' };
  const change = (fields: object, change: object, options = {}) =>
    tryUpdate(event, make({ source: {}, ...fields }), (next) => Object.assign(next, change), options);

  test.each([
    [complete, { reason: 'Other' }, ['reason Invalid', 'reason Invalid']],
    [complete, { reportingComponent: 'x/y' }, ['reportingController Invalid']],
    [
      complete,
      { involvedObject: { ...about, name: 'q' }, related: { name: 'z' } },
      ['involvedObject Invalid', 'related Invalid'],
    ],
    [complete, { eventTime: '2025-01-02T03:04:05.000000Z', count: 4 }, ['count Invalid', 'eventTime Invalid']],
    [complete, { series: { count: 2, lastObservedTime: time } }, []],
    [complete, { series: { count: 1, lastObservedTime: time } }, ['series.count Invalid']],
    [{ ...complete, series: { count: 1 } }, { metadata: { name: 'x', namespace: 'ns', labels: { a: 'b' } } }, []],
    [old, { message: 'other' }, ['message Invalid']],
  ])('through the new API: %j with %j', async (fields, changed, causes) => {
    expect((await change(fields, changed, newApi)).causes).toEqual(causes);
  });

  test.each([
    [old, { message: 'other', count: 3, series: { count: 1 } }, []],
    [complete, { message: 'other' }, []],
    [complete, { action: '' }, ['action Required']],
  ])('through the core group: %j with %j', async (fields, changed, causes) => {
    expect((await change(fields, changed)).causes).toEqual(causes);
  });
});

describe('conversion', () => {
  test('renames fields', () => {
    const stored = make({ ...complete, message: 'm', count: 2, source: { component: 'c' } });
    expect(newApiConversion.fromStorage(stored)).toMatchObject({
      apiVersion: 'events.k8s.io/v1',
      note: 'm',
      regarding: about,
      deprecatedCount: 2,
      deprecatedSource: { component: 'c' },
      reportingController: 'example.com/c',
      metadata: stored.metadata,
    });
  });

  test('leaves out what is empty, but not the source', () => {
    const shown = newApiConversion.fromStorage(make({ reportingComponent: '', reportingInstance: '' }));
    expect(Object.keys(shown).sort()).toEqual(['apiVersion', 'deprecatedSource', 'kind', 'metadata', 'regarding']);
  });

  test('there and back changes nothing', () => {
    const fields = fc.record({
      message: fc.string(),
      reason: fc.string(),
      count: fc.integer({ min: 1 }),
      reportingComponent: fc.string({ minLength: 1 }),
      series: fc.record({ count: fc.integer() }),
      source: fc.record({ host: fc.string() }),
      involvedObject: fc.record({ name: fc.string() }),
    });
    fc.assert(
      fc.property(fields, (given) => {
        const object: KubeObject = make(given);
        expect(newApiConversion.toStorage(newApiConversion.fromStorage(object))).toEqual(object);
      }),
    );
  });
});

test('each API selects by its own names', () => {
  const object = make({ ...complete, source: { component: 's' } });
  const values = (selectable: object) =>
    Object.entries(selectable)
      .map(([name, read]) => `${name}=${read(object)}`)
      .filter((text) => !text.endsWith('='));
  expect(values(event.selectable ?? {})).toEqual([
    'involvedObject.kind=Pod',
    'involvedObject.namespace=ns',
    'involvedObject.name=p',
    'reason=Because',
    'reportingComponent=example.com/c',
    'source=s',
    'type=Normal',
  ]);
  expect(values(newApiConversion.selectable ?? {})).toEqual([
    'regarding.kind=Pod',
    'regarding.namespace=ns',
    'regarding.name=p',
    'reason=Because',
    'reportingController=example.com/c',
    'type=Normal',
  ]);
});

test.each([
  [{ component: 's' }, 's'],
  [{ host: 'h' }, 'example.com/c'],
  [undefined, 'example.com/c'],
])('with the source %j the core API selects it by %s', (source, expected) => {
  expect(event.selectable?.['source']?.(make({ ...complete, ...(source && { source }) }))).toBe(expected);
});

const now = Date.parse('2024-01-02T03:05:05Z');
test.each([
  [
    { ...complete, message: ' m\n' },
    ['60s', 'Normal', 'Because', 'pod/p', '', 'example.com/c, c-1', 'm', '60s', 1, 'x'],
  ],
  [
    { involvedObject: { kind: 'Pod' }, source: { component: 's' }, count: 3, lastTimestamp: '2024-01-02T03:05:00Z' },
    ['5s', '', '', 'pod', '', 's', '', '<unknown>', 3, 'x'],
  ],
  [
    { ...complete, series: { count: 7, lastObservedTime: '2024-01-02T03:05:04.000000Z' } },
    ['1s', 'Normal', 'Because', 'pod/p', '', 'example.com/c, c-1', '', '60s', 7, 'x'],
  ],
])('the table shows %j', (fields, cells) => {
  expect(event.table?.cells(make(fields), now)).toEqual(cells);
});

test.each([
  [{}, { firstTimestamp: null, lastTimestamp: null, eventTime: null }],
  [{ eventTime: time }, { firstTimestamp: null, lastTimestamp: null, eventTime: time }],
  [{ lastTimestamp: time }, { firstTimestamp: null, lastTimestamp: time, eventTime: null }],
])('times that are not set are told as null, in both APIs: %j', (fields, times) => {
  const made = make(fields);
  event.prepareCreate?.(made, {} as never);
  expect(made).toMatchObject(times);
  expect(newApiConversion.fromStorage(made)).toMatchObject({ deprecatedLastTimestamp: times.lastTimestamp });
});
