/** Frames of SPDY/3.1, as far as clients of exec, attach and port-forward send them. */
export type Frame =
  | { readonly type: 'data'; readonly stream: number; readonly last: boolean; readonly data: Buffer }
  | { readonly type: 'open'; readonly stream: number; readonly last: boolean; readonly headers: Buffer }
  | { readonly type: 'headers'; readonly stream: number; readonly last: boolean; readonly headers: Buffer }
  | { readonly type: 'reset'; readonly stream: number }
  | { readonly type: 'ping'; readonly id: number }
  | { readonly type: 'leave' }
  /** Settings and windows: known, and nothing to us. */
  | { readonly type: 'other' };

const kinds = { open: 1, reply: 2, reset: 3, ping: 6, leave: 7, headers: 8 } as const;
const version = 3;
const lastFlag = 1;
const headBytes = 8;
/** Bytes of one frame that are taken; clients send 32 KiB at a time. */
const mostBytes = 4 * 1024 * 1024;
const idMask = 0x7fff_ffff;

/** Cuts a stream of bytes into frames. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  /** The frames that these bytes complete. @throws Error when they are no frames */
  *read(bytes: Buffer): Iterable<Frame> {
    this.#rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, bytes]) : bytes;
    while (this.#rest.length >= headBytes) {
      const length = this.#rest.readUIntBE(5, 3);
      if (length > mostBytes) throw new Error(`a frame of ${length} bytes`);
      if (this.#rest.length < headBytes + length) return;
      const frame = this.#rest.subarray(0, headBytes + length);
      this.#rest = this.#rest.subarray(headBytes + length);
      yield parse(frame);
    }
  }
}

function parse(frame: Buffer): Frame {
  const head = frame.readUInt32BE(0);
  const last = (frame.readUInt8(4) & lastFlag) !== 0;
  const body = frame.subarray(headBytes);
  if (head <= idMask) return { type: 'data', stream: head, last, data: body };
  if (((head >>> 16) & 0x7fff) !== version) throw new Error('a frame of another version of SPDY');
  const id = () => {
    if (body.length < 4) throw new Error('a frame that is too short');
    return body.readUInt32BE(0) & idMask;
  };
  switch (head & 0xffff) {
    case kinds.open:
      if (body.length < 10) throw new Error('a frame that is too short');
      return { type: 'open', stream: id(), last, headers: body.subarray(10) };
    case kinds.headers:
      return { type: 'headers', stream: id(), last, headers: body.subarray(4) };
    case kinds.reset:
      return { type: 'reset', stream: id() };
    case kinds.ping:
      return { type: 'ping', id: id() };
    case kinds.leave:
      return { type: 'leave' };
    default:
      return { type: 'other' };
  }
}

const control = (kind: number, body: Buffer): Buffer => {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE((0x8000_0000 | (version << 16) | kind) >>> 0, 0);
  head.writeUIntBE(body.length, 5, 3);
  return Buffer.concat([head, body]);
};

const numbers = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => void bytes.writeUInt32BE(value, 4 * index));
  return bytes;
};

export function dataFrame(stream: number, data: Buffer, last = false): readonly Buffer[] {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(stream, 0);
  head.writeUInt8(last ? lastFlag : 0, 4);
  head.writeUIntBE(data.length, 5, 3);
  return data.length > 0 ? [head, data] : [head];
}

export const openFrame = (stream: number, headers: Buffer): Buffer =>
  control(kinds.open, Buffer.concat([numbers(stream, 0), Buffer.alloc(2), headers]));

export const replyFrame = (stream: number, headers: Buffer): Buffer =>
  control(kinds.reply, Buffer.concat([numbers(stream), headers]));

/** @param why 1: a mistake of the protocol, 3: refused, 5: not wanted any longer */
export const resetFrame = (stream: number, why: number): Buffer => control(kinds.reset, numbers(stream, why));

export const pingFrame = (id: number): Buffer => control(kinds.ping, numbers(id));
