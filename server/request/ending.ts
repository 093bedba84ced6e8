import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';

type End = () => void;

/** The ends of the exchanges on a session that are still open. */
const openOn = new WeakMap<ServerHttp2Session, Set<End>>();

function beginOn(session: ServerHttp2Session): Set<End> {
  const open = new Set<End>();
  openOn.set(session, open);
  session.once('close', () => endOn(session));
  return open;
}

/** Its connection is gone: whatever the session says of that, nothing more comes of its exchanges. */
export function endOn(session: ServerHttp2Session): void {
  for (const end of [...(openOn.get(session) ?? [])]) end();
}

/**
 * The end of one exchange, however it comes about: answered, given up by the client, or lost with its stream, session
 * or socket. Over HTTP/2 node's response does not always tell of it (never of a HEAD that was not answered yet, and late
 * comers hear nothing), so the stream and its session are asked as well.
 */
export class Ending {
  isOver = false;
  readonly #waiting: End[] = [];

  constructor(outgoing: ServerResponse | Http2ServerResponse) {
    let open: Set<End> | undefined;
    const end = () => {
      if (this.isOver) return;
      this.isOver = true;
      open?.delete(end);
      for (const act of this.#waiting) act();
    };
    outgoing.on('close', end);
    if ('stream' in outgoing) open = follow(outgoing.stream, end);
  }

  /** Calls back once, when the exchange is over; soon where it is over already. */
  whenOver(act: End): void {
    if (this.isOver) queueMicrotask(act);
    else this.#waiting.push(act);
  }
}

/** @returns where the session holds the end until it has come */
function follow(stream: ServerHttp2Stream, end: End): Set<End> | undefined {
  stream.once('close', end);
  const session = stream.session as ServerHttp2Session | undefined;
  if (stream.destroyed || !session || session.destroyed) {
    queueMicrotask(end);
    return undefined;
  }
  return (openOn.get(session) ?? beginOn(session)).add(end);
}
