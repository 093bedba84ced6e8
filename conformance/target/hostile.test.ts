import type { ServerResponse } from 'node:http';
import { Agent } from 'undici';
import { afterEach, expect, test } from 'vitest';
import { type FakeServer, startFakeServer } from '../fake-server.fixture.ts';
import { makeClient } from '../verbs/wire/http-client.ts';
import { longestAnswer } from '../verbs/wire/whole-answer.ts';

let fake: FakeServer | undefined;
const agent = new Agent();

afterEach(() => fake?.stop());

/** One request to a server that behaves so, with 300 ms to answer. */
async function asked(behave: (response: ServerResponse) => void) {
  fake = await startFakeServer((_, response) => {
    behave(response);
    return true;
  });
  const agents = { own: agent, anonymous: agent };
  const { send } = makeClient({ target: { url: fake.url }, agents, userAgent: 't', record: () => {}, limit: 300 });
  return send('GET', '/api').catch((error: Error) => error.message);
}

test('no answer at all', async () => {
  expect(await asked(() => undefined)).toContain('no answer within 300 ms');
});

test('a byte at a time, without an end', async () => {
  const seen = await asked((response) => {
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(timer));
  });
  expect(seen).toContain('no answer within 300 ms');
});

test('a body without an end is not kept', async () => {
  const chunk = Buffer.alloc(1024 * 1024, ' ');
  let sent = 0;
  const seen = await asked((response) => {
    const more = (): void => {
      while (!response.destroyed && sent < 4 * longestAnswer) {
        sent += chunk.length;
        if (!response.write(chunk)) return void response.once('drain', more);
      }
    };
    more();
  });
  expect(seen).toMatch(/longer than|no answer within/);
  expect(sent).toBeLessThan(2 * longestAnswer);
});

test('a redirect is an answer and is not followed', async () => {
  const seen = await asked((response) => response.writeHead(302, { location: '/api' }).end());
  expect(seen).toMatchObject({ status: 302 });
  expect(fake?.requests).toHaveLength(1);
});

test('JSON that is none is no body', async () => {
  expect(await asked((response) => response.writeHead(200).end('{"kind": '))).toMatchObject({
    status: 200,
    body: undefined,
  });
});
