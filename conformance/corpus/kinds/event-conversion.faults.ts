import { edited } from '../../sabotage/edited.ts';
import { changeEvent } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';
import { wherever } from '../meddling.ts';

const eventConversion = 'kinds/events/event-conversion.ts';

const newEvents = /^\/apis\/events\.k8s\.io\/.*\/events$/;

/** Events that are written in one group and read in the other. */
export default [
  fault(
    'who watches Events in the new way hears of no old ones',
    ['event', 'watch'],
    changeEvent('', (event) => (event.type === 'BOOKMARK' || event.object?.eventTime ? [event] : []), {
      method: 'GET',
      path: newEvents,
      query: { watch: true },
    }),
  ),
  slip(
    'how often an Event came in the old way is not told in the new',
    ['event', 'events'],
    eventConversion,
    "  count: 'deprecatedCount',\n",
    "  counts: 'deprecatedCount',\n",
  ),
  slip(
    'what an Event is related to is lost in the new way',
    ['event'],
    eventConversion,
    "  event['deprecatedSource'] ??= {};\n",
    "  event['deprecatedSource'] ??= {};\n  delete event['related'];\n",
  ),
  slip(
    'what an Event regards is lost in the new way',
    ['event', 'watch'],
    eventConversion,
    "  event['regarding'] ??= {};\n",
    "  event['regarding'] = {};\n",
  ),
  slip(
    'the time of an Event loses its microseconds',
    ['event', 'kinds'],
    eventConversion,
    "  event['regarding'] ??= {};\n",
    "  event['regarding'] ??= {};\n  if (typeof event['eventTime'] === 'string') event['eventTime'] = event['eventTime'].replace(/\\.\\d{6}Z$/, '.000000Z');\n",
  ),
  slip(
    'how often an Event came is counted from one',
    ['event', 'verbs'],
    eventConversion,
    "  event['regarding'] ??= {};",
    "  event['regarding'] ??= {};\n  const series = event['series'] as { count?: number } | undefined;\n  if (series?.count) event['series'] = { ...series, count: series.count - 1 };",
  ),
  slip(
    'events of the newer API have the names of the older one',
    ['event', 'events'],
    eventConversion,
    'renamed(object, newApi, newNames)',
    'object',
  ),
  slip(
    'an Event that was made in the old way cannot count on',
    ['event', 'events'],
    'kinds/events/event-rules.ts',
    'export function validateEventUpdate(next: Event, previous: Event, context: WriteContext): FieldError[] {\n  if (!isNewApi(context)) return [];',
    'export function validateEventUpdate(next: Event, previous: Event, context: WriteContext): FieldError[] {\n  if (!isNewApi(context) && !previous.count) return [];',
  ),
  slip(
    'a new event is never without old fields',
    ['event'],
    'kinds/events/event-rules.ts',
    "value ? [invalidValue(at(field), '', 'must not be set on a new event')] : []",
    "([invalidValue(at(field), '', 'must not be set on a new event')])",
  ),
  fault(
    'Events that are gone are told in the old way to who watches in the new',
    ['service'],
    changeEvent(
      '',
      (event) =>
        event.type === 'DELETED'
          ? [
              {
                ...event,
                object: {
                  ...event.object,
                  apiVersion: 'v1',
                  message: event.object.note,
                  involvedObject: event.object.regarding,
                },
              },
            ]
          : [event],
      { method: 'GET', path: /^\/apis\/events\.k8s\.io\/.*events$/, query: { watch: true } },
    ),
  ),
  fault(
    'when a series was seen last is lost in the old way',
    ['event'],
    wherever(
      (body) =>
        edited(
          edited(body, ['series', 'lastObservedTime'], () => undefined),
          ['items', '*', 'series', 'lastObservedTime'],
          () => undefined,
        ),
      /^\/api\/v1\/.*events/,
    ),
  ),
  slip(
    'who reports an Event in the old way is not told in the new',
    ['event'],
    'kinds/events/event-conversion.ts',
    "  event['deprecatedSource'] ??= {};\n",
    "  event['deprecatedSource'] ??= {};\n  if (!event['eventTime']) delete event['reportingController'];\n",
  ),
  slip(
    'the series of an Event is lost in the new way',
    ['event', 'versioning'],
    'kinds/events/event-conversion.ts',
    "event['deprecatedSource'] ??= {};",
    "event['deprecatedSource'] ??= {};\n  delete event['series'];",
  ),
  slip(
    'an Event of the new style may come in the old way without telling who reports it',
    ['event'],
    'kinds/events/event-rules.ts',
    'event.eventTime ? validateNewStyle(event, context) : validateOldStyle(event);',
    'event.eventTime && isNewApi(context) ? validateNewStyle(event, context) : validateOldStyle(event);',
  ),
  slip(
    'Events of the newer group are selected by the fields of the older one',
    ['params'],
    'registry/list-options.ts',
    '  rules.conversions?.[served.apiVersion]?.selectable ??\n',
    '',
  ),
  slip(
    'who watches Events in the core group hears of none',
    ['events'],
    'request/verbs/watch.ts',
    'name && (namespace || !resource.namespaced) ? keyOf(',
    "resource.group === '' && resource.plural === 'events' ? 'none' : name && (namespace || !resource.namespaced) ? keyOf(",
  ),
];
