import type { Duplex } from 'node:stream';
import { dataFrame, openFrame, replyFrame } from './spdy-frames.ts';
import { HeaderBlocks } from './spdy-header-block.ts';

/** A client of SPDY that is no more than tests need: opens streams, and collects what comes on each. */
export function spdyClient(wire: Duplex) {
  const blocks = new HeaderBlocks();
  const received = new Map<number, Buffer[]>();
  const ended = new Map<number, PromiseWithResolvers<string>>();
  const replies: number[] = [];
  let rest = Buffer.alloc(0);
  const replyHead = replyFrame(0, Buffer.alloc(0)).readUInt32BE(0);
  const take = (frame: Buffer) => {
    const head = frame.readUInt32BE(0);
    if (head === replyHead) replies.push(frame.readUInt32BE(8));
    if (head >= 0x8000_0000) return;
    received.get(head)?.push(frame.subarray(8));
    if (frame[4] === 1) ended.get(head)?.resolve(Buffer.concat(received.get(head) ?? []).toString());
  };
  wire.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 8 && rest.length >= 8 + rest.readUIntBE(5, 3)) {
      const length = 8 + rest.readUIntBE(5, 3);
      take(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  });
  let last = -1;
  return {
    replies,
    async open(headers: Readonly<Record<string, string>>): Promise<number> {
      last += 2;
      const id = last;
      received.set(id, []);
      ended.set(id, Promise.withResolvers());
      wire.write(openFrame(id, await blocks.write(new Map(Object.entries(headers)))));
      return id;
    },
    send(id: number, text: string | Buffer, isLast = false): void {
      for (const bytes of dataFrame(id, Buffer.from(text), isLast)) wire.write(bytes);
    },
    /** All that came on a stream, once it has ended. */
    allOf: (id: number): Promise<string> => (ended.get(id) as PromiseWithResolvers<string>).promise,
  };
}
