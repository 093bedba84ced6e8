import { createHash } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { spokenProtocols } from '../authn/web-socket-token.ts';
import type { WatchSink } from '../watch/watch-sink.ts';
import { type Answer, plainText } from './answer/respond.ts';
import type { Exchange, Incoming, Upgrade } from './exchange.ts';

/** RFC 6455: what the key of a handshake is answered with. */
const accepted = (key: string) =>
  createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');

const opcodes = { text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;
const normalEnd = Buffer.from([0x03, 0xe8]);
/** A client has nothing to say but whether it is there. */
const largestControl = 125;

export const isWebSocket = ({ upgrade, incoming }: Exchange): boolean =>
  upgrade !== undefined && /^websocket$/i.test(incoming.headers.upgrade ?? '');

/** What a handshake lacks; undefined: it can be answered. Who asks from nowhere is told nothing more, as by genuine servers. */
export function faultOfHandshake({ incoming }: Exchange): Answer | undefined {
  const { 'sec-websocket-key': key = '', 'sec-websocket-version': version, origin = '' } = incoming.headers;
  if (version !== '13')
    return { ...plainText(400, 'missing or bad WebSocket Version'), headers: { 'sec-websocket-version': '13' } };
  if (incoming.method !== 'GET' || key === '') return plainText(400, 'missing challenge key');
  if (!URL.canParse(origin)) return { code: 403, contentType: '', body: '' };
  // Events are the same in any protocol: the server has nothing to choose by.
  if (protocolsOf(incoming).length > 1) return { code: 400, contentType: '', body: '' };
  return undefined;
}

const protocolsOf = ({ headers }: Incoming) => spokenProtocols([headers['sec-websocket-protocol'] ?? '']);

/** Agrees to the handshake of a request without faults. @param headers further ones of the answer */
export function agree(
  { incoming, outgoing }: Exchange,
  { socket }: Upgrade,
  headers: Readonly<Record<string, string>>,
): void {
  const { 'sec-websocket-key': key = '' } = incoming.headers;
  const [protocol] = protocolsOf(incoming);
  const lines = Object.entries({
    Upgrade: 'websocket',
    Connection: 'Upgrade',
    'Sec-WebSocket-Accept': accepted(String(key)),
    ...(protocol && { 'Sec-WebSocket-Protocol': protocol }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  outgoing.statusCode = 101;
  socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`);
}

function frame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const head = length < 126 ? Buffer.alloc(2) : length < 65_536 ? Buffer.alloc(4) : Buffer.alloc(10);
  head[0] = 0x80 | opcode;
  if (length < 126) head[1] = length;
  else if (length < 65_536) {
    head[1] = 126;
    head.writeUInt16BE(length, 2);
  } else {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  return Buffer.concat([head, payload]);
}

/** Several events may come in one chunk: JSON in lines, protobuf behind its length. Each is a message of its own. */
function* messages(chunk: Buffer, form: EventForm): Generator<Buffer> {
  for (let at = 0; at < chunk.length; ) {
    const start = form === 'protobuf' ? at + 4 : at;
    const end =
      form === 'protobuf' ? start + chunk.readUInt32BE(at) : form === 'json' ? lineEnd(chunk, at) : chunk.length;
    yield chunk.subarray(start, end);
    at = end;
  }
}

const lineEnd = (chunk: Buffer, at: number) => chunk.indexOf(0x0a, at) + 1 || chunk.length;

type EventForm = 'json' | 'protobuf' | 'other';

const formOf = (contentType: string): EventForm =>
  contentType.includes('protobuf') ? 'protobuf' : contentType === 'application/json' ? 'json' : 'other';

/** A watch over a WebSocket: each event is a message, of text unless it is protobuf. */
export function webSocketSink({ socket, head }: Upgrade, contentType: string): WatchSink {
  readClient(socket, head);
  const form = formOf(contentType);
  const opcode = form === 'protobuf' ? opcodes.binary : opcodes.text;
  return {
    write: (chunk) => socket.write(Buffer.concat(Array.from(messages(chunk, form), (each) => frame(opcode, each)))),
    onDrain: (drained) => void socket.on('drain', drained),
    get unread() {
      return socket.writableLength;
    },
    end: () => void socket.end(frame(opcodes.close, normalEnd)),
    abort: () => void socket.destroy(),
  };
}

/** Answers pings, and ends when the client does. Whatever else it says is not looked at. */
function readClient(socket: Duplex, head: Buffer): void {
  let rest: Buffer = head;
  let skip = 0;
  const read = (chunk: Buffer) => {
    const gone = Math.min(skip, chunk.length);
    skip -= gone;
    rest = Buffer.concat([rest, chunk.subarray(gone)]);
    for (let next = parse(rest); next; next = parse(rest)) {
      const { opcode, size, payload } = next;
      skip = Math.max(0, size - rest.length);
      rest = rest.subarray(Math.min(size, rest.length));
      if (opcode === opcodes.close) socket.end(frame(opcodes.close, normalEnd));
      // Who does not read what is written is not answered: that would pile up without end.
      else if (opcode === opcodes.ping && payload && !socket.writableNeedDrain)
        socket.write(frame(opcodes.pong, payload));
    }
  };
  socket.on('data', read);
  socket.on('error', () => socket.destroy());
  if (head.length > 0) read(Buffer.alloc(0));
}

interface Frame {
  readonly opcode: number;
  /** With its head. */
  readonly size: number;
  /** Of control frames, unmasked. */
  readonly payload: Buffer | undefined;
}

/** Undefined: not enough of it is here. */
function parse(bytes: Buffer): Frame | undefined {
  if (bytes.length < 2) return undefined;
  const opcode = (bytes[0] as number) & 0x0f;
  const short = (bytes[1] as number) & 0x7f;
  const extended = short === 126 ? 2 : short === 127 ? 8 : 0;
  const maskAt = 2 + extended;
  const dataAt = maskAt + ((bytes[1] as number) & 0x80 ? 4 : 0);
  if (bytes.length < dataAt) return undefined;
  const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  const size = dataAt + length;
  if (opcode < opcodes.close) return { opcode, size, payload: undefined };
  if (length > largestControl || bytes.length < size)
    return length > largestControl ? { opcode: opcodes.close, size, payload: undefined } : undefined;
  const payload = Buffer.from(bytes.subarray(dataAt, size));
  if (dataAt > maskAt)
    for (let at = 0; at < length; at++) payload[at] = (payload[at] as number) ^ (bytes[maskAt + (at % 4)] as number);
  return { opcode, size, payload };
}
