import { type FieldError, invalidValue, required } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import { qualifiedName } from '../../base/names.ts';
import { immutable } from '../field-rules.ts';
import { sameValue } from '../same-value.ts';
import type { WriteContext } from '../strategy.ts';
import { type Event, newApi } from './event-shape.ts';

const maxWord = 128;
const maxMessage = 1024;

const at = (...names: string[]) => FieldPath.of(...names);
const isNewApi = ({ requestVersion }: WriteContext) => requestVersion === newApi;

/** An event with an `eventTime` is of the new style, through whichever API it came. */
export const validateEvent = (event: Event, context: WriteContext): FieldError[] =>
  event.eventTime ? validateNewStyle(event, context) : validateOldStyle(event);

function validateOldStyle({ metadata, involvedObject }: Event): FieldError[] {
  const about = involvedObject?.namespace ?? '';
  const home = metadata.namespace ?? '';
  return about === home || (about === '' && home === 'default') ? [] : [elsewhere(about)];
}

const elsewhere = (namespace: string) =>
  invalidValue(at('involvedObject', 'namespace'), namespace, 'must be the namespace of the event');

function validateNewStyle(event: Event, context: WriteContext): FieldError[] {
  const { reportingComponent = '', involvedObject } = event;
  const home = event.metadata.namespace ?? '';
  const controllerAt = at(isNewApi(context) ? 'reportingController' : 'reportingComponent');
  return [
    // Events about cluster-wide objects have their home in these two.
    ...(involvedObject?.namespace || home === 'default' || home === 'kube-system' ? [] : [elsewhere('')]),
    ...(reportingComponent ? [] : [required(controllerAt)]),
    ...qualifiedName(reportingComponent).map((problem) => invalidValue(controllerAt, reportingComponent, problem)),
    ...word(event.reportingInstance, at('reportingInstance')),
    ...word(event.action, at('action')),
    ...word(event.reason, at('reason')),
    ...atMost(event.message, maxMessage, at('message')),
  ];
}

const word = (text: string | undefined, path: FieldPath): FieldError[] =>
  text ? atMost(text, maxWord, path) : [required(path)];

const atMost = (text: string | undefined, limit: number, path: FieldPath): FieldError[] =>
  Buffer.byteLength(text ?? '') > limit ? [invalidValue(path, '', `must have at most ${limit} bytes`)] : [];

/** What the new API asks of a new event besides. */
export function validateNewEvent(event: Event, context: WriteContext): FieldError[] {
  if (!isNewApi(context)) return [];
  const { eventTime, type = '' } = event;
  return [
    ...validateSeries(event),
    ...(eventTime ? [] : [required(at('eventTime'))]),
    ...(type === 'Normal' || type === 'Warning' ? [] : [invalidValue(at('type'), type, 'must be Normal or Warning')]),
    ...unset(event.firstTimestamp, 'firstTimestamp'),
    ...unset(event.lastTimestamp, 'lastTimestamp'),
    ...unset(event.count, 'count'),
    ...unset(event.source?.component || event.source?.host, 'source'),
  ];
}

const unset = (value: unknown, field: string): FieldError[] =>
  value ? [invalidValue(at(field), '', 'must not be set on a new event')] : [];

function validateSeries({ series }: Event): FieldError[] {
  if (!series) return [];
  return [
    ...((series.count ?? 0) < 2 ? [invalidValue(at('series', 'count'), series.count ?? 0, 'must be at least 2')] : []),
    ...(series.lastObservedTime ? [] : [required(at('series', 'lastObservedTime'))]),
  ];
}

/** `reason` stands twice because clients see its cause twice. */
const fixed = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'reason',
  'type',
  'eventTime',
  'action',
  'related',
  'reportingController',
  'reportingInstance',
] as const;

/** Through the new API an event stands as it is; only its series goes on. */
export function validateEventUpdate(next: Event, previous: Event, context: WriteContext): FieldError[] {
  if (!isNewApi(context)) return [];
  return [
    ...(sameValue(next.series, previous.series) ? [] : validateSeries(next)),
    ...fixed.flatMap((name) => {
      const field = name === 'reportingController' ? 'reportingComponent' : name;
      // A time that is not set is written as null.
      return immutable(next[field] ?? undefined, previous[field] ?? undefined, at(name));
    }),
  ];
}
