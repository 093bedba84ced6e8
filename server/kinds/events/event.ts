import type { KindTable } from '../kind-table.ts';
import { defineKind, type KindRules } from '../strategy.ts';
import { column, nameColumn, since, wideColumn } from '../table-cells.ts';
import { coreSelectable, newApiConversion } from './event-conversion.ts';
import { validateEvent, validateEventUpdate, validateNewEvent } from './event-rules.ts';
import { type Event, newApi } from './event-shape.ts';
import { expireEvents } from './expiry.ts';

const emptyText = ['action', 'reason', 'message', 'type'] as const;

/** What is left out when empty. */
function setDefaults(event: Event): void {
  for (const field of emptyText) if (event[field] === '') delete event[field];
  if (event.count === 0) delete event.count;
}

/** What is always written, even when empty. */
function fill(event: Event): void {
  event.involvedObject ??= {};
  event.source ??= {};
  // Times that are not set are told as such.
  for (const field of ['firstTimestamp', 'lastTimestamp', 'eventTime'] as const) event[field] ??= null;
  event.reportingComponent ??= '';
  event.reportingInstance ??= '';
}

function objectCell({ involvedObject: { kind = '', name = '' } = {} }: Event): string {
  return name ? `${kind.toLowerCase()}/${name}` : kind.toLowerCase();
}

function sourceCell({ source = {}, reportingComponent = '', reportingInstance = '' }: Event): string {
  const who = source.component || reportingComponent;
  const where = source.host || reportingInstance;
  return where ? `${who}, ${where}` : who;
}

const table: KindTable<Event> = {
  columns: [
    column('Last Seen', 'How long ago it happened last.'),
    column('Type', 'Normal or Warning.'),
    column('Reason', 'Why it happened, in one word for programs.'),
    column('Object', 'What it is about.'),
    wideColumn('Subobject', 'Which part of the object it is about.'),
    wideColumn('Source', 'Who reported it.'),
    column('Message', 'What happened, in words for people.'),
    wideColumn('First Seen', 'How long ago it happened first.'),
    wideColumn('Count', 'How often it happened.'),
    { ...nameColumn, priority: 1 },
  ],
  cells: (event, now) => {
    const first = event.firstTimestamp ?? event.eventTime;
    const last = event.series ? event.series.lastObservedTime : (event.lastTimestamp ?? first);
    return [
      since(last, now),
      event.type ?? '',
      event.reason ?? '',
      objectCell(event),
      event.involvedObject?.fieldPath ?? '',
      sourceCell(event),
      (event.message ?? '').trim(),
      since(first, now),
      event.series ? (event.series.count ?? 0) : event.count || 1,
      event.metadata.name,
    ];
  },
};

export interface EventOptions {
  /** How long an Event is kept after its last write, in milliseconds; 0: for good. */
  readonly eventTtl: number;
}

/** One object, two APIs: it is stored in the form of the core group and shown in that of `events.k8s.io` as well. */
export const event = ({ eventTtl }: EventOptions): KindRules =>
  defineKind<Event>({
    group: '',
    version: 'v1',
    kind: 'Event',
    resource: 'events',
    plainMetadata: (apiVersion) => apiVersion !== newApi,
    loosePrefixOnUpdate: true,
    // Failures speak of the stored form, through both APIs.
    validationGroup: '',
    createOnUpdate: true,
    withoutDependents: true,
    isUncached: true,
    default: setDefaults,
    prepareCreate: fill,
    prepareUpdate: fill,
    validate: validateEvent,
    validateCreate: validateNewEvent,
    validateUpdate: validateEventUpdate,
    selectable: coreSelectable,
    conversions: { [newApi]: newApiConversion },
    start: (surroundings) => expireEvents({ ...surroundings, ttl: eventTtl }),
    table,
  });
