import { defineRule } from '../../rule.ts';
import { removeIn, replaceIn } from '../../sabotage/transforms.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { said } from '../../verbs/said.ts';
import { sampleFor, validityRule } from '../field-rules.ts';
import { coreEvents } from '../old-event-rule.ts';

const kind = 'events';
const lastObservedTime = '2024-05-06T08:09:10.000001Z';
const series = (parts: object) => ({ series: { count: 2, lastObservedTime, ...parts } });

/** What no series of an event that is there comes to be. */
const noSeries = { 'a count of one': { count: 1 }, 'no count': { count: null }, 'no time': { lastObservedTime: null } };

/** What the older way let by stays as it is when something else changes, and is judged when it does itself. */
async function leavesOldSeries({ events, kind: of, namespace, unique, expect }: RuleContext): Promise<void> {
  const name = unique();
  const involvedObject = { kind: 'Pod', name: 'none', namespace: await namespace() };
  const told = { involvedObject, reason: 'Seen', message: 'seen', type: 'Normal', ...series({ count: 1 }) };
  const made = await of(coreEvents).post({ apiVersion: 'v1', kind: 'Event', metadata: { name }, ...told });
  expect(made.status, `a series of one in the older way: ${said(made)}`).toBe(201);
  const labelled = await events.patch(name, { metadata: { labels: { changed: 'yes' } } });
  expect(labelled.status, `a label beside a series of one: ${said(labelled)}`).toBe(200);
  expect(labelled.body.series, 'the series beside a label').toEqual(series({ count: 1 }).series);
  const changes = [
    [{ lastObservedTime: '2024-05-06T08:09:11.000001Z' }, 422],
    [{ count: 3 }, 200],
  ] as const;
  for (const [parts, status] of changes)
    expect((await events.patch(name, { series: parts })).status, `of it then ${JSON.stringify(parts)}`).toBe(status);
}

export default [
  // A series says how often it has been seen.
  validityRule({
    id: 'event.series.count',
    kind,
    accepted: { 'with a count': series({}) },
    refused: { 'without a count': series({ count: undefined }), 'a text': series({ count: 'two' }) },
  }),

  // A series says when it was last seen.
  validityRule({
    id: 'event.series.last-observed-time',
    kind,
    accepted: { 'with a time': series({}) },
    refused: {
      'without a time': series({ lastObservedTime: undefined }),
      'no time at all': series({ lastObservedTime: 'yesterday' }),
    },
  }),

  // An event seen once has no series.
  defineRule('event.series.nil', {
    sabotage: [
      replaceIn('series', { with: { count: 1 }, method: 'GET', path: /\/events\/[^/]+$/ }),
      removeIn('series.lastObservedTime', { method: 'GET', path: /^\/api\/v1\/.*\/events\/[^/]+$/ }),
    ],
    async check(context) {
      const { events, send, expect } = context;
      const { metadata } = await events.create(await sampleFor(context, kind));
      expect((await events.get(metadata.name)).body?.metadata?.uid).toBe(metadata.uid);
      expect((await events.get(metadata.name)).body.series ?? null).toBeNull();
      // Once it has come again it has one, also for who reads events in the older way.
      const again = await events.patch(metadata.name, series({}));
      expect(again.status, `the same once more: ${said(again)}`).toBe(200);
      for (const [what, parts] of Object.entries(noSeries)) {
        const answer = await events.patch(metadata.name, series(parts));
        expect(answer.status, `a series that comes to have ${what}`).toBe(422);
      }
      const path = await events.path(metadata.name);
      for (const at of [path, path.replace('/apis/events.k8s.io/', '/api/')])
        expect((await send('GET', at)).body?.series, `once more, at ${at}`).toEqual(series({}).series);
      await leavesOldSeries(context);
    },
  }),
];
