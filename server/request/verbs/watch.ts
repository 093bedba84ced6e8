import { notAcceptable } from '../../base/status-error.ts';
import type { Call } from '../../registry/call.ts';
import { checkVersionMatch, selectionOf } from '../../registry/list-options.ts';
import { parseVersion } from '../../registry/read.ts';
import { keyOf, prefixOf } from '../../registry/resource.ts';
import { watchTimeout } from '../../watch/fan-out.ts';
import { type LateSink, openedLater, type WatchSink } from '../../watch/watch-sink.ts';
import type { Watcher } from '../../watch/watcher.ts';
import type { Answer } from '../answer/respond.ts';
import { setCommonHeaders } from '../answer/respond.ts';
import { streamForm } from '../answer/watch-stream.ts';
import type { Exchange, Outgoing } from '../exchange.ts';
import { everyMediaType } from '../negotiate.ts';
import type { RequestServices } from '../services.ts';
import { agree, faultOfHandshake, isWebSocket, webSocketSink } from '../web-socket.ts';
import { listParameters } from './read.ts';

/** Opens a watch: the answer is a stream that lives until its time is over or one side ends it. */
export async function answerWatch(exchange: Exchange, services: RequestServices, call: Call): Promise<Answer | 'sent'> {
  const { query, info } = exchange;
  const parameters = listParameters(query);
  checkVersionMatch(parameters, true);
  const selection = selectionOf(call.resource, { ...parameters, name: info.pathName });
  const version = parseVersion(parameters.resourceVersion);
  const timeout = watchTimeout(query.integer('timeoutSeconds'));
  if (exchange.representation.transform?.as === 'PartialObjectMetadataList') throw notAcceptable(everyMediaType);
  const { encoder, contentType } = await streamForm(exchange, call);
  const fault = isWebSocket(exchange) ? faultOfHandshake(exchange) : undefined;
  if (fault) return fault;
  await tellOpen(exchange, contentType, (sink) =>
    services.watches.open({
      prefix: watchPrefix(call, selection.name),
      revision: version > 0 ? version : undefined,
      any: parameters.resourceVersion === '0',
      matches: selection.matches,
      concern: selection.concern,
      encoder,
      sink,
      timeout,
      lasts: call.resource.custom?.lasts,
      bookmarks: query.flag('allowWatchBookmarks') === true,
      // Who reads that the watch is open counts on hearing of all that he does then.
      onBegin: sink.begin,
    }),
  );
  return 'sent';
}

/** Opens a watch. Resolves once the client is told, or gone. */
function tellOpen(exchange: Exchange, contentType: string, open: (sink: LateSink) => Watcher): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const begin = (): WatchSink => {
    const sink = openSink(exchange, contentType);
    exchange.audit?.stage('ResponseStarted', { code: exchange.outgoing.statusCode, annotations: exchange.annotations });
    resolve();
    return sink;
  };
  const watcher = open(openedLater(begin, () => void (exchange.upgrade?.socket ?? exchange.outgoing).destroy()));
  exchange.behind = () => watcher.behind;
  exchange.ending.whenOver(() => {
    watcher.leave();
    resolve();
  });
  return promise;
}

/** Answers that the watch begins, as a stream or over a WebSocket. */
function openSink(exchange: Exchange, contentType: string): WatchSink {
  const { outgoing, upgrade, auditId, flowHeaders } = exchange;
  if (upgrade && isWebSocket(exchange)) {
    agree(exchange, upgrade, { 'audit-id': auditId, ...flowHeaders });
    return webSocketSink(upgrade, contentType);
  }
  setCommonHeaders(exchange);
  outgoing.setHeader('content-type', contentType);
  outgoing.statusCode = 200;
  sendHead(outgoing);
  return sinkOf(outgoing);
}

/** A watch of one known object is a watch of its key alone. */
const watchPrefix = ({ resource, namespace }: Call, name: string | undefined) =>
  name && (namespace || !resource.namespaced) ? keyOf(resource, namespace, name) : prefixOf(resource, namespace);

/** The head goes out at once, though the first event may be long in coming. */
function sendHead(outgoing: Outgoing): void {
  if ('flushHeaders' in outgoing) outgoing.flushHeaders();
  else outgoing.writeHead(outgoing.statusCode);
}

/** The body of a response as a watch writes to it. */
const sinkOf = (outgoing: Outgoing): WatchSink => ({
  write: (chunk) => (outgoing as NodeJS.WritableStream).write(chunk),
  onDrain: (drained) => void outgoing.on('drain', drained),
  get unread() {
    return outgoing.writableLength;
  },
  end: () => void outgoing.end(),
  abort: () => void outgoing.destroy(),
});
