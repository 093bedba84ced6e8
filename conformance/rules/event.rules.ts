import { defineRule } from '../rule.ts';
import { showsGone } from '../sabotage/careless.ts';
import { answerStatus } from '../sabotage/transforms.ts';
import type { RuleContext } from '../verbs/context.ts';
import { keptRule, validityRule } from './field-rules.ts';
import { groupVersionRule } from './group-version-rule.ts';
import { oldEventRule } from './old-event-rule.ts';

const kind = 'events';
const firstTimestamp = '2024-05-06T07:08:09Z';
const lastTimestamp = '2024-05-06T08:09:10Z';
const source = { component: 'touchstone', host: 'node-1' };
const related = { kind: 'Pod', namespace: 'default', name: 'front-1' };

export default [
  groupVersionRule('event', kind),

  // `eventTime`, when it was first seen, has to be there.
  validityRule({
    id: 'event.event-time',
    kind,
    accepted: { 'with a time': {} },
    refused: {
      'without a time': { eventTime: undefined },
      'null for a time': { eventTime: null },
      'no time at all': { eventTime: 'yesterday' },
    },
  }),

  // `regarding` may refer to the object in question.
  validityRule({
    id: 'event.regarding',
    kind,
    accepted: {
      'a reference': async ({ namespace }: RuleContext) => ({
        regarding: { kind: 'Pod', namespace: await namespace(), name: 'front-1', apiVersion: 'v1' },
      }),
      'the namespace alone': async ({ namespace }: RuleContext) => ({ regarding: { namespace: await namespace() } }),
    },
    refused: { 'a text': { regarding: 'front-1' } },
  }),

  // `related` may refer to a second object.
  keptRule({ id: 'event.related', kind, over: { related }, path: 'related' }),

  // A new event says in `reportingController` who tells it.
  validityRule({
    id: 'event.reporting-controller',
    kind,
    accepted: { 'a name': { reportingController: 'example.com/touchstone' } },
    refused: { 'left out': { reportingController: undefined }, empty: { reportingController: '' } },
  }),

  // `deprecatedCount` is the count of the older kind of event.
  oldEventRule('event.deprecated-count', { count: 3 }, { deprecatedCount: 3 }),
  // `deprecatedFirstTimestamp` and `deprecatedLastTimestamp` are those of the older kind of event.
  oldEventRule(
    'event.deprecated-timestamps',
    { firstTimestamp, lastTimestamp },
    { deprecatedFirstTimestamp: firstTimestamp, deprecatedLastTimestamp: lastTimestamp },
  ),
  // `deprecatedSource` is the source of the older kind of event.
  oldEventRule(
    'event.deprecated-source',
    { source, reportingComponent: 'touchstone', reportingInstance: 'touchstone-1' },
    {
      'deprecatedSource.component': source.component,
      'deprecatedSource.host': source.host,
      reportingController: 'touchstone',
      reportingInstance: 'touchstone-1',
    },
  ),

  // Events do not stay for long.
  defineRule('event.retention', {
    flags: ['--event-ttl=2s'],
    sabotage: [
      answerStatus(200, { method: 'GET', path: /\/events\/[^/]+$/, instead: 404 }),
      showsGone({ method: 'GET', path: /\/events\/[^/]+$/ }),
    ],
    async check({ events, namespace, waitUntil, expect }) {
      const { metadata } = await events.create({ regarding: { namespace: await namespace() } });
      expect((await events.get(metadata.name)).body?.metadata?.uid, 'at first').toBe(metadata.uid);
      const look = async () => (await events.get(metadata.name)).status;
      await waitUntil('the event is gone', look, (status) => status === 404, { limit: 15_000, interval: 300 });
    },
  }),
];
