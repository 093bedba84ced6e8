// Events of all namespaces, the latest first.

import { follow } from './api.js';
import { $, when } from './dom.js';
import { Grid } from './grid.js';

/** The rows by the ids of their events. */
let events = new Map();
let isDrawing = false;
const about = ({ regarding = {} }) =>
  `${regarding.kind} ${regarding.namespace ? `${regarding.namespace}/` : ''}${regarding.name}`;
const countOf = ({ series, deprecatedCount }) => series?.count ?? deprecatedCount ?? 1;
const noteOf = (event) => `${event.note ?? ''}${countOf(event) > 1 ? ` (${countOf(event)} times)` : ''}`;

const grid = new Grid(
  $('event-grid'),
  'Events',
  [
    { title: 'When', of: ({ at }) => when(at), width: '95px', classes: 'faint' },
    {
      title: 'Type',
      of: ({ event }) => event.type ?? '',
      width: '65px',
      classes: 'spare',
      tone: ({ event }) => (event.type === 'Warning' ? 'bad' : ''),
    },
    { title: 'Reason', of: ({ event }) => event.reason ?? '', width: '130px' },
    { title: 'About', of: ({ event }) => about(event), width: '26%', classes: 'spare' },
    { title: 'Note', of: ({ event }) => noteOf(event), classes: 'wide' },
  ],
  ({ event, at }) => {
    $('event-told').textContent = `${when(at)} ${event.type} ${event.reason}, ${about(event)}: ${noteOf(event)}`;
  },
);

const lastOf = ({ series, eventTime, deprecatedLastTimestamp, metadata }) =>
  Date.parse(series?.lastObservedTime ?? eventTime ?? deprecatedLastTimestamp ?? metadata.creationTimestamp);

const rowOf = (id, event) => ({ id, event, at: lastOf(event) });

/** Some may come at once, and all of them are put in order. */
function drawSoon() {
  if (isDrawing) return;
  isDrawing = true;
  setTimeout(() => {
    isDrawing = false;
    const rows = [...events.values()];
    grid.show(
      rows.sort((a, b) => b.at - a.at),
      'There are no events.',
    );
  }, 50);
}

/** Shows events until the signal. */
export function showEvents(signal, trouble) {
  drawSoon();
  void follow('/apis/events.k8s.io/v1/events', signal, {
    trouble,
    listed(all) {
      events = new Map(Array.from(all, ([id, event]) => [id, rowOf(id, event)]));
      drawSoon();
    },
    changed(id, event) {
      if (event) events.set(id, rowOf(id, event));
      else events.delete(id);
      drawSoon();
    },
  });
}
