import { edited } from '../../sabotage/edited.ts';
import type { ProxiedRequest } from '../../sabotage/sabotage.ts';
import { changeEvent, sabotage } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/json.ts';
import { fault, slip, slips } from '../fault.ts';
import { asTable, watches } from '../matches.ts';

const watching = 'request/verbs/watch.ts';
const watcher = 'watch/watcher.ts';

/** As much of an event as fits into the buffer of a relay. */
const buffered = 32 * 1024;

/** The versions of events are wrapped once more for each who comes after the first. */
const wrapsVersions = sabotage('wraps versions', () => {
  const watched = new Set<string>();
  const late = new WeakSet<ProxiedRequest>();
  return {
    request: (request) => {
      if (!request.query.has('watch')) return request;
      if (watched.has(request.path)) late.add(request);
      watched.add(request.path);
      return request;
    },
    event: (event, request) =>
      late.has(request)
        ? [edited(event, ['object', 'metadata', 'resourceVersion'], (version) => btoa(String(version)))]
        : [event],
  };
});

/** `pods/name` of an item's path. */
const itemIn = (path: string): string => path.split('/').slice(-2).join('/');

/** What was written last by an update is taken for another object. */
const replacesByMakingAnew = sabotage('replaces by making anew', () => {
  const replaced = new Set<string>();
  return {
    request: (request) => {
      if (request.method === 'PUT') replaced.add(itemIn(request.path));
      else if (request.method === 'PATCH') replaced.delete(itemIn(request.path));
      return request;
    },
    event: (event, { path }): readonly Json[] => {
      const item = `${path.split('/').at(-1)}/${event.object?.metadata?.name}`;
      if (event.type !== 'MODIFIED' || !replaced.has(item)) return [event];
      return [
        { ...event, type: 'DELETED' },
        { ...event, type: 'ADDED' },
      ];
    },
  };
});

/** Watches behind relays that hold back, cut, wrap or break off what they pass on, or lose what was asked for. */
export default [
  slip(
    'that a watch is too old is told with the code of what went well',
    ['watch', 'errors'],
    watcher,
    "return { status, end: 'expired' };",
    "return { status: { ...status, code: 200 }, end: 'expired' };",
  ),
  slip(
    'a watch over a WebSocket does not end when its time is over',
    ['watch', 'params'],
    watching,
    "const timeout = watchTimeout(query.integer('timeoutSeconds'));",
    "const timeout = watchTimeout(isWebSocket(exchange) ? undefined : query.integer('timeoutSeconds'));",
  ),
  slip(
    'a watch over a WebSocket is of everything, whatever it selects',
    ['watch', 'params'],
    watching,
    'const selection = selectionOf(call.resource, {',
    'const selection = selectionOf(call.resource, isWebSocket(exchange) ? {} : {',
  ),
  fault(
    'an event of more than thirty-two kilobytes is cut',
    ['watch'],
    changeEvent(
      '',
      (event) => {
        const text = JSON.stringify(event);
        return [text.length > buffered ? text.slice(0, buffered) : event];
      },
      watches,
    ),
  ),
  slip(
    'nothing is heard of a watch before its first event',
    ['watch', 'verbs'],
    watching,
    '  sendHead(outgoing);\n  return sinkOf',
    '  return sinkOf',
  ),
  slip(
    'a watch of one name begins with what is there, whatever version it is given',
    ['watch'],
    watching,
    'revision: version > 0 ? version : undefined,',
    'revision: version > 0 && !selection.name ? version : undefined,',
  ),
  fault('who watches after somebody else is told versions that nobody takes', ['watch', 'rv'], wrapsVersions),
  fault(
    'a removal has no row where a Table is watched',
    ['watch', 'content'],
    changeEvent('', (event) => [event.type === 'DELETED' ? edited(event, ['object', 'rows'], () => []) : event], {
      ...watches,
      header: asTable,
    }),
  ),
  fault('what is replaced is watched as removed and made anew', ['watch', 'service'], replacesByMakingAnew),
  slips(
    'a watch in which nothing happens for two seconds is broken off',
    ['watch', 'params'],
    [
      { file: watcher, from: '  #over = false;', to: '  #over = false;\n  #heard = false;' },
      {
        file: watcher,
        from: '    if (!change) return;',
        to: '    if (!change) return;\n    this.#heard = true;',
      },
      {
        file: watcher,
        from: '    if (this.#request.bookmarks) this.#cancels.push(',
        to: `    const look = () => {
      if (!this.#heard) this.#close('timeout');
      this.#heard = false;
    };
    this.#cancels.push(timers.every(2000, look));
    if (this.#request.bookmarks) this.#cancels.push(`,
      },
    ],
  ),
  fault(
    'a watch that could be compressed says that it is',
    ['watch'],
    sabotage('says that it is compressed', () => ({
      streamHead: (head, { headers }) =>
        /gzip/.test(String(headers['accept-encoding']))
          ? { ...head, headers: { ...head.headers, 'content-encoding': 'gzip' } }
          : head,
    })),
  ),
];
