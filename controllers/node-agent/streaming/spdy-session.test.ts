import { duplexPair } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { spdyClient } from './spdy-client.fixture.ts';
import { pingFrame, resetFrame } from './spdy-frames.ts';
import { SpdySession, type SpdyStream } from './spdy-session.ts';

function connection(onStream: (stream: SpdyStream) => void) {
  const [ours, theirs] = duplexPair();
  const session = new SpdySession(ours, onStream);
  return { over: session.run(), session, wire: theirs, client: spdyClient(theirs) };
}

test('each stream tells its headers, and is answered by itself', async () => {
  const { client } = connection(async (stream) => {
    stream.end(`${stream.headers.get('name')}: ${await text(stream)}`);
  });
  const ids: number[] = [];
  for (const name of ['a', 'b', 'c']) ids.unshift(await client.open({ Name: name }));
  for (const [index, id] of ids.entries()) client.send(id, `${index}`, true);
  expect(await Promise.all(ids.map(client.allOf))).toEqual(['c: 0', 'b: 1', 'a: 2']);
  expect(client.replies).toEqual([1, 3, 5]);
});

test('a stream whose client sends no more can still be written', async () => {
  const { client } = connection((stream) => {
    stream.resume().on('end', () => stream.end('late'));
  });
  const id = await client.open({});
  client.send(id, '', true);
  expect(await client.allOf(id)).toBe('late');
});

test('megabytes go both ways', async () => {
  const { client } = connection((stream) => void stream.pipe(stream));
  const id = await client.open({});
  const piece = Buffer.alloc(256 * 1024, 'x');
  for (let i = 0; i < 16; i++) client.send(id, piece);
  client.send(id, '', true);
  expect((await client.allOf(id)).length).toBe(16 * piece.length);
});

test('a ping comes back', async () => {
  const { wire } = connection(() => {});
  const answered = new Promise<Buffer>((resolve) => wire.once('data', resolve));
  wire.write(pingFrame(7));
  expect(await answered).toEqual(pingFrame(7));
});

test('a stream that is reset ends, the others go on', async () => {
  const opened: SpdyStream[] = [];
  const { client, wire } = connection((stream) => void opened.push(stream));
  const [first, second] = [await client.open({}), await client.open({})];
  wire.write(resetFrame(first, 5));
  client.send(second, 'still here', true);
  await expect.poll(() => opened.length).toBe(2);
  expect(await text(opened[1] as SpdyStream)).toBe('still here');
  expect(opened[0]?.destroyed).toBe(true);
});

test.each([
  ['of another version', Buffer.from('8002000100000000', 'hex')],
  ['that is too long', Buffer.from('00000001007fffff00', 'hex')],
  ['that is too short', Buffer.from('8003000100000000', 'hex')],
  ['with headers that are none', Buffer.from('800300010000000e0000000100000000000001020304', 'hex')],
])('a frame %s ends the connection, and no stream comes of it', async (_title, bytes) => {
  const opened: SpdyStream[] = [];
  const { wire, over } = connection((stream) => void opened.push(stream));
  wire.write(bytes);
  await over;
  expect(opened).toEqual([]);
});

test('headers that grow without end are refused', async () => {
  const opened: SpdyStream[] = [];
  const { client, over } = connection((stream) => void opened.push(stream));
  await client.open({ long: 'x'.repeat(100_000) });
  await over;
  expect(opened).toEqual([]);
});

test('when the connection breaks every stream ends', async () => {
  const opened: SpdyStream[] = [];
  const { client, wire, over } = connection((stream) => void opened.push(stream));
  await client.open({});
  await expect.poll(() => opened.length).toBe(1);
  wire.destroy();
  await over;
  expect(opened[0]?.destroyed).toBe(true);
});
