import { ignoreQuery } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';
import { watches } from '../matches.ts';

const watcher = 'watch/watcher.ts';

/** How and when a watch ends. */
export default [
  fault(
    'a watch that takes bookmarks lasts longer than it shall',
    ['watch', 'params'],
    ignoreQuery('timeoutSeconds', { method: 'GET', query: { watch: true, allowWatchBookmarks: true } }),
  ),
  fault('a watch ignores timeoutSeconds', ['params', 'watch'], ignoreQuery('timeoutSeconds', watches)),
  slip(
    'a watch whose time is over ends with an error',
    ['watch', 'params'],
    watcher,
    '    if (this.#request.bookmarks) this.#writeBookmark(this.#finalProgress);\n',
    "    if (this.#request.bookmarks) this.#writeBookmark(this.#finalProgress);\n    if (this.#closing === 'timeout') return this.#fail(new Error('the time of the watch is over'));\n",
  ),
  slip(
    'a watch whose version is gone stays open behind its error',
    ['watch', 'rv'],
    watcher,
    'this.#finish(end, () => this.#request.sink.end());',
    '',
  ),
  slip(
    'a watch that is too old is told of a fault of the server',
    ['watch', 'rv'],
    watcher,
    "return { status, end: 'expired' };",
    "return { status: { ...status, code: 500, reason: 'InternalError' }, end: 'expired' };",
  ),
  slip(
    'a watcher that had to wait once is ended later',
    ['watch', 'service'],
    'watch/delivery.ts',
    'this.#blocked = false;\n    this.#cancelStall?.();',
    'this.#blocked = false;\n    ',
  ),
  slip(
    'why a watch ends is told without a code',
    ['watch', 'rv'],
    'watch/event-encoder.ts',
    "error: (status) => jsonLine('ERROR', status),",
    "error: ({ code: _code, ...status }) => jsonLine('ERROR', status),",
  ),
  slip(
    'a watch that is too old ends in protobuf without a word',
    ['watch', 'content'],
    'request/answer/protobuf-stream.ts',
    "error: (status) => event('ERROR', status),",
    'error: () => Buffer.alloc(0),',
  ),
  slip(
    'each event gives a watch its time anew',
    ['watch', 'params'],
    'watch/watcher.ts',
    '    const change = visibleChange(event, this.#request.matches);',
    "    this.#cancels.shift()?.();\n    this.#cancels.unshift(this.#context.timers.after(this.#request.timeout, () => this.#close('timeout')));\n    const change = visibleChange(event, this.#request.matches);",
  ),
  slip(
    'a watch that resumes has no end',
    ['watch', 'params'],
    'request/verbs/watch.ts',
    "const timeout = watchTimeout(query.integer('timeoutSeconds'));",
    "const timeout = watchTimeout(version > 0 ? undefined : query.integer('timeoutSeconds'));",
  ),
  slip(
    'a watch that is given no time at all lasts a second',
    ['watch', 'params'],
    'watch/fan-out.ts',
    'if (!seconds) return',
    'if (seconds === 0) return 1000;\n  if (!seconds) return',
  ),
  slip(
    'a watch that selects forgets how long it is to last',
    ['watch', 'params'],
    'request/verbs/watch.ts',
    "watchTimeout(query.integer('timeoutSeconds'))",
    "watchTimeout(selection.everything ? query.integer('timeoutSeconds') : undefined)",
  ),
  slip(
    'a watch of custom objects goes on when their definition says something else',
    ['watch'],
    'request/verbs/watch.ts',
    '      lasts: call.resource.custom?.lasts,\n',
    '',
  ),
  slip(
    'who ends a watch ends all of the same collection',
    ['watch'],
    'store/subscribers.ts',
    'if (!audience?.delete(subscriber) || !audience.isEmpty) return;',
    'if (!audience?.delete(subscriber)) return;',
  ),
  slip(
    'a watch whose time is no number lasts',
    ['params'],
    'request/verbs/watch.ts',
    "watchTimeout(query.integer('timeoutSeconds'))",
    "watchTimeout(Number(query.get('timeoutSeconds') ?? 0) || undefined)",
  ),
  slip(
    'that a watch is too old is told in the form of its objects',
    ['watch'],
    'request/answer/watch-stream.ts',
    "    error: (status) => jsonLine('ERROR', status),",
    "    error: (status) => jsonLine('ERROR', bookmark(status as unknown as KubeObject)),",
  ),
];
