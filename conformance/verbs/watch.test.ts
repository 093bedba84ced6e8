import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { Agent } from 'undici';
import { afterEach, expect, test } from 'vitest';
import { type FakeServer, startFakeServer, type Whim } from '../fake-server.fixture.ts';
import { openWatch, type Watch } from './watch.ts';
import { makeClient } from './wire/http-client.ts';

let fake: FakeServer;
let stream: ServerResponse;
const agent = new Agent();

afterEach(() => fake.stop());

/** A watch on a server that says at first what is given, later what the test writes to `stream`. */
async function watching(first: string, limit = 200, status = 200): Promise<Watch> {
  const whim: Whim = (_, response) => {
    stream = response;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.write(first);
    return true;
  };
  fake = await startFakeServer(whim);
  const client = makeClient({
    target: { url: fake.url },
    agents: { own: agent, anonymous: agent },
    userAgent: 'test',
    record: () => {},
    limit,
  });
  return openWatch(client, '/api/v1/secrets', { resourceVersion: 7 }, limit);
}

const event = (type: string, name: string): string => `${JSON.stringify({ type, object: { metadata: { name } } })}\n`;

test('asks for a watch with the parameters given', async () => {
  const watch = await watching('');
  expect(fake.requests).toEqual(['GET /api/v1/secrets?watch=1&resourceVersion=7']);
  watch.close();
});

test('events come in order, however the bytes are cut', async () => {
  const bytes = event('ADDED', 'ä') + event('MODIFIED', 'b');
  const watch = await watching(bytes.slice(0, 40));
  stream.write(bytes.slice(40));
  expect((await watch.take(2)).map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual([
    'ADDED ä',
    'MODIFIED b',
  ]);
  watch.close();
});

test('a character cut in two is put together again', async () => {
  const bytes = Buffer.from(event('ADDED', 'ä'));
  const cut = bytes.indexOf(0xc3) + 1;
  const watch = await watching('');
  stream.write(bytes.subarray(0, cut));
  stream.write(bytes.subarray(cut));
  expect((await watch.next('it')).object.metadata.name).toBe('ä');
  watch.close();
});

test('events that are not meant are passed over', async () => {
  const watch = await watching(event('ADDED', 'a') + event('ADDED', 'b'));
  expect((await watch.next('b', ({ object }) => object.metadata.name === 'b')).type).toBe('ADDED');
  expect(watch.events).toHaveLength(2);
  watch.close();
});

test('waiting in vain tells what came instead', async () => {
  const watch = await watching(event('ADDED', 'a'), 30);
  const waiting = watch.next('the removal', ({ type }) => type === 'DELETED');
  await expect(waiting).rejects.toThrow('waited 30 ms for the removal; the watch sent ADDED a');
  watch.close();
});

test('a stream that is over cannot bring more', async () => {
  const watch = await watching(event('ADDED', 'a'));
  stream.end();
  await watch.ended();
  await watch.next('the first');
  await expect(watch.next('another')).rejects.toThrow('the watch ended before another; it sent ADDED a');
});

test('a stream that goes on is told from one that ends', async () => {
  const watch = await watching('');
  await expect(watch.ended(20)).rejects.toThrow('did not end within 20 ms');
  watch.close();
});

test('what is no JSON is shown as such', async () => {
  const watch = await watching('what?\n7\n');
  expect((await watch.take(2)).map(({ type }) => type)).toEqual(['(not JSON)', '(not an event)']);
  watch.close();
});

test('a list where a watch was asked for is shown as no event', async () => {
  const watch = await watching(`${JSON.stringify({ kind: 'List', items: [] })}\n`);
  expect((await watch.next('it')).type).toBe('(not an event)');
  watch.close();
});

test('the last line needs no end', async () => {
  const watch = await watching(event('ADDED', 'a').trimEnd());
  stream.end();
  expect((await watch.next('it')).type).toBe('ADDED');
});

test('a refusal can be read whole', async () => {
  const watch = await watching('{\n "kind": "Status",\n "code": 400\n}', 200, 400);
  stream.end();
  expect(watch.status).toBe(400);
  expect(await watch.refusal()).toEqual({ kind: 'Status', code: 400 });
});

test('a line without an end is read once, however long it is', async () => {
  const watch = await watching('');
  Readable.from(Array.from({ length: 12_000 }, () => ' '.repeat(4_096))).pipe(stream);
  await watch.ended(6_000);
  expect(watch.events).toEqual([]);
});
