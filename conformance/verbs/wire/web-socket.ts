import { type Duplex, PassThrough } from 'node:stream';
import type { Dispatcher } from 'undici';

/** By these headers a watch is asked for over a WebSocket. */
export const overWebSocket = {
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': Buffer.from('touchstone-probe').toString('base64'),
} as const;

const endOfMessages = 8;

interface Frame {
  readonly opcode: number;
  readonly isLast: boolean;
  readonly payload: Buffer;
  readonly rest: Buffer;
}

/** The first frame of what a server sends, which masks nothing; undefined: not all of it is here. */
function firstFrame(bytes: Buffer): Frame | undefined {
  const short = (bytes[1] ?? 0) & 0x7f;
  const start = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (bytes.length < start) return undefined;
  const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
  const end = start + length;
  if (bytes.length < end) return undefined;
  const first = bytes[0] as number;
  return { opcode: first & 0x0f, isLast: first > 0x7f, payload: bytes.subarray(start, end), rest: bytes.subarray(end) };
}

/** Each message becomes a line. */
function readMessages(socket: Duplex, lines: PassThrough): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (let frame = firstFrame(rest); frame && !lines.writableEnded; frame = firstFrame(rest)) {
      rest = frame.rest;
      if (frame.opcode < endOfMessages) lines.write(frame.isLast ? `${frame.payload}\n` : frame.payload);
      else if (frame.opcode === endOfMessages) lines.end();
    }
  });
  socket.on('error', () => lines.end()).on('close', () => lines.end());
}

/** At once where that has come already: nobody else closes a socket that opens too late. */
function onceAborted(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act, { once: true });
}

/** Asks for a WebSocket; a server that does not agree to it answers as it does to any request. */
export function askForSocket(
  dispatcher: Dispatcher,
  url: string,
  { signal, headers: asked, ...parts }: Omit<Dispatcher.DispatchOptions, 'path'> & { readonly signal: AbortSignal },
): Promise<Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'> & { readonly body: PassThrough }> {
  const body = new PassThrough();
  const { origin, pathname, search } = new URL(url);
  const { upgrade, ...others } = asked as Record<string, string>;
  // Genuine servers refuse who does not say from where.
  const headers = { ...others, origin };
  const request = { ...parts, origin, path: `${pathname}${search}`, headers, upgrade: upgrade ?? null };
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(request, {
      onRequestStart: (controller) => onceAborted(signal, () => controller.abort(signal.reason)),
      onRequestUpgrade(_controller, statusCode, headers, socket) {
        onceAborted(signal, () => socket.destroy());
        readMessages(socket, body);
        resolve({ statusCode, headers, body });
      },
      onResponseStart: (_controller, statusCode, headers) => resolve({ statusCode, headers, body }),
      onResponseData: (_controller, chunk) => void body.write(chunk),
      onResponseEnd: () => void body.end(),
      onResponseError(_controller, error) {
        body.end();
        reject(error);
      },
    });
  });
}
