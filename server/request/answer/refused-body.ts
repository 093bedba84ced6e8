import { clearTimeout, setTimeout } from 'node:timers';
import type { Incoming, Outgoing } from '../exchange.ts';

/** What a client may still send of a body that nobody wants, and for how long, so that it comes to read the answer. */
const patience = { bytes: 2 * 1024 * 1024, milliseconds: 2000 };

/** A body that is known to be no longer than this is read after all: that keeps the connection. */
const worthReading = 256 * 1024;

/** Whether more of the body is on its way than the connection is worth. */
export function outlasts(incoming: Incoming): boolean {
  if (incoming.complete || !announcesBody(incoming)) return false;
  return !(Number(incoming.headers['content-length'] ?? Number.POSITIVE_INFINITY) <= worthReading);
}

/** What has no body is over with its head, though it may not be known to be complete yet. */
const announcesBody = (incoming: Incoming): boolean =>
  'stream' in incoming
    ? !incoming.stream.endAfterHeaders
    : 'content-length' in incoming.headers || 'transfer-encoding' in incoming.headers;

/** Throws away what comes of the body, and calls back once it is over, or too long, or too slow. */
function throwAway(incoming: Incoming, done: () => void): void {
  let left = patience.bytes;
  const timer = setTimeout(() => end(), patience.milliseconds).unref();
  const end = () => {
    clearTimeout(timer);
    incoming.removeListener('data', take);
    for (const event of endings) incoming.removeListener(event, end);
    done();
  };
  const take = (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) end();
  };
  for (const event of endings) incoming.on(event, end);
  incoming.on('data', take);
  incoming.resume();
}

const endings = ['end', 'close', 'error'] as const;

/**
 * Sends the last of an answer to a request whose body was refused. What is left of the body is read within limits, for
 * a connection that is closed with bytes unread can take the answer from the client; then the connection is over, or the
 * stream.
 */
export function endRefused(incoming: Incoming, outgoing: Outgoing, body: Buffer | undefined): void {
  if ('stream' in outgoing) {
    if (body) outgoing.end(body);
    else outgoing.end();
    throwAway(incoming, () => {
      if (!incoming.complete) outgoing.stream.close();
    });
    return;
  }
  // The client has the whole answer by its length; the end of it would close the connection.
  if (body) outgoing.write(body);
  else outgoing.flushHeaders();
  throwAway(incoming, () => outgoing.end());
}
