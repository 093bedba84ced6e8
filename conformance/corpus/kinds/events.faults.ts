import { edited } from '../../sabotage/edited.ts';
import { changeAnswer, changeEvent, changeRequest, removeIn } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/json.ts';
import { fault, slip } from '../fault.ts';
import { watches } from '../matches.ts';
import { lenient } from '../meddling.ts';

const eventRules = 'kinds/events/event-rules.ts';

/** A time to the millisecond, told as one to the microsecond. */
const coarse = (time: Json): Json => (typeof time === 'string' ? time.replace(/(\.\d{3})\d{3}Z$/, '$1000Z') : time);

const coarseSeries = (body: Json): Json =>
  body?.series?.lastObservedTime ? edited(body, ['series', 'lastObservedTime'], coarse) : body;

/** What an Event has to say and may say, and its series. */
export default [
  fault(
    'times of Events lose their microseconds where they are watched',
    ['kinds', 'event', 'watch'],
    changeEvent(
      '',
      (event) => [edited(event, ['object', 'eventTime'], (time) => time?.replace(/\.\d+Z$/, '.000000Z'))],
      {
        ...watches,
        path: /\/events$/,
      },
    ),
  ),
  fault('an Event may lack its reason', 'event', lenient({ method: 'POST', path: /\/events$/ })),
  fault(
    'the series of an Event is dropped',
    ['event', 'verbs'],
    changeRequest('', (body) => edited(body, ['series'], () => undefined), { path: /\/events/ }),
  ),
  fault(
    'when a series was seen last is told to the millisecond',
    ['event', 'kinds'],
    changeAnswer('', coarseSeries, { path: /\/events\/[^/]+$/ }),
  ),
  fault(
    'Events of all namespaces do not tell their series',
    ['event', 'kinds'],
    removeIn('items.*.series', { method: 'GET', path: /^\/apis\/events\.k8s\.io\/v1\/events$/ }),
  ),
  slip(
    'words of an Event may be of any length',
    ['event'],
    eventRules,
    'text ? atMost(text, maxWord, path) : [required(path)];',
    'text ? [] : [required(path)];',
  ),
  slip(
    'a note of a kilobyte is too long',
    ['event'],
    eventRules,
    "Buffer.byteLength(text ?? '') > limit",
    "Buffer.byteLength(text ?? '') >= limit",
  ),
  slip(
    'the series of an Event does not go on',
    ['event', 'verbs'],
    eventRules,
    'const fixed = [\n',
    "const fixed = [\n  'series',\n",
  ),
  slip(
    'a word of an Event may not be as long as it may',
    ['event', 'limits'],
    eventRules,
    'const maxWord = 128;',
    'const maxWord = 127;',
  ),
  slip('a series may count one', ['event', 'events'], eventRules, '(series.count ?? 0) < 2', '(series.count ?? 0) < 1'),
  slip(
    'an Event may be neither normal nor a warning',
    'event',
    eventRules,
    "...(type === 'Normal' || type === 'Warning' ? [] : [invalidValue(at('type'), type, 'must be Normal or Warning')]),",
    '',
  ),
  slip(
    'the note of an Event counts letters, not bytes',
    'event',
    eventRules,
    "Buffer.byteLength(text ?? '') > limit",
    "(text ?? '').length > limit",
  ),
  slip('the action of an Event may change', 'event', eventRules, "  'action',\n", ''),
  slip(
    'an Event of another namespace passes',
    'event',
    eventRules,
    "return about === home || (about === '' && home === 'default') ? [] : [elsewhere(about)];",
    'return [];',
  ),
  slip(
    'an instance may report under any name, however long',
    ['event'],
    eventRules,
    'const maxWord = 128;',
    'const maxWord = 1280;',
  ),
  slip(
    'a series needs no time',
    ['event'],
    eventRules,
    "    ...(series.lastObservedTime ? [] : [required(at('series', 'lastObservedTime'))]),\n",
    '',
  ),
  slip(
    'a controller may report under any name',
    ['event'],
    eventRules,
    '    ...qualifiedName(reportingComponent).map((problem) => invalidValue(controllerAt, reportingComponent, problem)),\n',
    '',
  ),
  slip('what an Event is related to may change', ['event'], eventRules, "  'related',\n", ''),
  slip('a new Event may count', ['event'], eventRules, "    ...unset(event.count, 'count'),\n", ''),
  slip('who reports an Event may change', ['event'], eventRules, "  'reportingInstance',\n] as const;", '] as const;'),
  slip(
    'an Event about what has no namespace may be in any',
    ['event'],
    eventRules,
    "home === 'default' || home === 'kube-system' ? [] : [elsewhere('')]",
    "home !== '' ? [] : [elsewhere('')]",
  ),
  slip(
    'the note of an event may be changed',
    ['event'],
    'kinds/events/event-rules.ts',
    "  'message',\n  'source',",
    "  'source',",
  ),
  slip(
    'an Event may have no type',
    ['event'],
    'kinds/events/event-rules.ts',
    "...(type === 'Normal' || type === 'Warning' ?",
    "...(!type || type === 'Normal' || type === 'Warning' ?",
  ),
  slip(
    'an Event may lack its time',
    ['event'],
    'kinds/events/event-rules.ts',
    "...(eventTime ? [] : [required(at('eventTime'))]),",
    '',
  ),
  slip(
    'the reporting instance of an event may be of any length',
    ['event'],
    'kinds/events/event-rules.ts',
    "...word(event.reportingInstance, at('reportingInstance')),",
    "...(event.reportingInstance ? [] : [required(at('reportingInstance'))]),",
  ),
  slip(
    'the reason of an Event with a generated name may be of any length, or none',
    'event',
    eventRules,
    "    ...word(event.reason, at('reason')),",
    "    ...(event.metadata.generateName ? [] : word(event.reason, at('reason'))),",
  ),
  slip(
    'what an update makes is not judged as new',
    ['event', 'verbs'],
    'registry/steps/validate.ts',
    'const ofCreate = rules.validateCreate?.(next, context) ?? none;',
    'const ofCreate = (call.name ? undefined : rules.validateCreate?.(next, context)) ?? none;',
  ),
  slip(
    'the series of an Event may come to be anything',
    ['event'],
    'kinds/events/event-rules.ts',
    '...(sameValue(next.series, previous.series) ? [] : validateSeries(next)),',
    '',
  ),
  slip(
    'a new Event may tell in the old way when it was seen last',
    ['event', 'events'],
    'kinds/events/event-rules.ts',
    "    ...unset(event.lastTimestamp, 'lastTimestamp'),\n",
    '',
  ),
  slip(
    'a new Event may tell in the old way who sent it',
    ['event', 'events'],
    'kinds/events/event-rules.ts',
    "    ...unset(event.source?.component || event.source?.host, 'source'),\n",
    '',
  ),
  slip('the time of an Event may change', ['event', 'events'], 'kinds/events/event-rules.ts', "  'eventTime',\n", ''),
  slip(
    'what an Event regards may change',
    ['event', 'events'],
    'kinds/events/event-rules.ts',
    "  'involvedObject',\n",
    '',
  ),
  slip(
    'the reporting instance of an Event may change',
    ['event', 'events'],
    'kinds/events/event-rules.ts',
    "  'reportingController',\n  'reportingInstance',",
    "  'reportingController',",
  ),
  slip(
    'the series of an Event may lose its time',
    ['event', 'events'],
    'kinds/events/event-rules.ts',
    '...(series.lastObservedTime ? []',
    '...(series.lastObservedTime || series.count === 2 ? []',
  ),
  slip(
    'the series of an Event is judged anew with each change of something else',
    ['event'],
    eventRules,
    '...(sameValue(next.series, previous.series) ? [] : validateSeries(next)),',
    '...validateSeries(next),',
  ),
  slip(
    'a new Event may tell in the old way where its sender is',
    ['event', 'component'],
    'kinds/events/event-rules.ts',
    'event.source?.component || event.source?.host',
    'event.source?.component',
  ),
  slip(
    'an Event of the newer kind need not say who reports it where Events were before',
    ['event', 'component'],
    'kinds/events/event-rules.ts',
    '...(reportingComponent ? [] : [required(controllerAt)]),\n    ...qualifiedName(reportingComponent)',
    "...(reportingComponent || !isNewApi(context) ? [] : [required(controllerAt)]),\n    ...qualifiedName(reportingComponent || 'nobody')",
  ),
  slip(
    'Events of the newer kind are judged as such where they are now alone',
    ['event', 'component'],
    'kinds/events/event-rules.ts',
    'event.eventTime ? validateNewStyle(event, context) :',
    'event.eventTime && isNewApi(context) ? validateNewStyle(event, context) :',
  ),
];
