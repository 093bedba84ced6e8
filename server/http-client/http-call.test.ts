import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeSelfSigned, makeSigned } from '../x509/self-signed.ts';
import { CallTimeoutError, HttpCaller, RenewedCaller } from './http-call.ts';

let server: http.Server;
let connections: number;
let respond: (request: http.IncomingMessage, response: http.ServerResponse) => void;
const callers: HttpCaller[] = [];

beforeEach(async () => {
  connections = 0;
  respond = (_, response) => void response.end('fine');
  server = http.createServer((request, response) => respond(request, response));
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  for (const caller of callers.splice(0)) caller.close();
  server.closeAllConnections();
  server.close();
});

const limits = { timeoutMs: 2000, maxBytes: 1000 };
const caller = () => {
  const made = new HttpCaller();
  callers.push(made);
  return made;
};
const port = () => (server.address() as AddressInfo).port;
const question = (more: object = {}) => ({
  method: 'POST',
  url: new URL(`http://127.0.0.1:${port()}/`),
  headers: {},
  body: 'x',
  ...more,
});

describe('a call', () => {
  it('gives the answer, whatever its status', async () => {
    respond = (_, response) => void response.writeHead(503, { 'x-why': 'tired' }).end('later');
    const { status, headers, body } = await caller().call(question(), limits);
    expect([status, headers['x-why'], body.toString()]).toEqual([503, 'tired', 'later']);
  });

  it('of a service that hangs keeps no process from ending', async () => {
    const asked = new Promise<void>((resolve) => {
      respond = () => resolve();
    });
    const code = `const { HttpCaller } = await import(${JSON.stringify(import.meta.resolve('./http-call.ts'))});
      const question = { method: 'GET', url: new URL('http://127.0.0.1:${port()}/'), headers: {} };
      new HttpCaller().call(question, { timeoutMs: 60_000, maxBytes: 10 }).catch(() => {});
      process.stdin.once('end', () => {}).resume();`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['pipe', 'ignore', 'ignore'] });
    const ended = once(child, 'exit');
    await asked;
    child.stdin.end();
    expect(await ended).toEqual([0, null]);
  });

  it('fails where the answer ends half-way', async () => {
    respond = (_, response) => {
      response.writeHead(200, { 'content-length': 10 }).write('{');
      response.destroy();
    };
    await expect(caller().call(question(), limits)).rejects.toThrow();
  });

  it('goes over the connection of the call before it', async () => {
    const one = caller();
    for (let i = 0; i < 5; i++) await one.call(question(), limits);
    expect(connections).toBe(1);
  });

  it('may go to another place than its URL names', async () => {
    let host: string | undefined;
    respond = (request, response) => {
      host = request.headers.host;
      response.end();
    };
    await caller().call(
      question({ url: new URL('http://service.test/'), at: { host: '127.0.0.1', port: port() } }),
      limits,
    );
    expect(host).toBe('service.test');
  });

  it.each([1, 5])(
    'is sent again when its idle connection turns out to be closed, as all %i of them are',
    async (idle) => {
      const one = caller();
      const held: http.ServerResponse[] = [];
      respond = (_, response) => {
        // So that each has a connection of its own.
        if (held.push(response) === idle) for (const each of held) each.end();
      };
      await Promise.all(Array.from({ length: idle }, () => one.call(question(), limits)));
      const asked: string[] = [];
      respond = (request, response) => {
        asked.push('');
        // Over an old connection: that ends without a byte of an answer.
        if (asked.length <= idle) request.socket.resetAndDestroy();
        else response.end('again');
      };
      expect((await one.call(question(), limits)).body.toString()).toBe('again');
      expect(asked).toHaveLength(idle + 1);
      expect(connections).toBe(idle + 1);
    },
  );

  it('is not sent again when a new connection fails', async () => {
    let asked = 0;
    respond = (request) => {
      asked++;
      request.socket.resetAndDestroy();
    };
    await expect(caller().call(question(), limits)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(asked).toBe(1);
  });

  it.each<[string, typeof respond]>([
    ['begins', () => {}],
    ['ends', (_, response) => void response.write('...')],
  ])('fails when no answer %s in time', async (_, how) => {
    respond = how;
    await expect(caller().call(question(), { ...limits, timeoutMs: 50 })).rejects.toThrow(CallTimeoutError);
  });

  it.each<[string, typeof respond]>([
    ['says', (_, response) => void response.writeHead(200, { 'content-length': 5000 }).flushHeaders()],
    ['turns out', (_, response) => void response.write('x'.repeat(5000))],
  ])('fails when the answer %s to be too large', async (_, how) => {
    respond = how;
    await expect(caller().call(question(), limits)).rejects.toThrow('exceeds 1000 bytes');
  });

  it('fails at once when far too many wait', async () => {
    respond = () => {};
    const one = caller();
    const waiting = Array.from({ length: 1000 }, () => one.call(question(), limits).catch((error: Error) => error));
    await expect(one.call(question(), limits)).rejects.toThrow('more than 1000 calls at once');
    one.close();
    server.closeAllConnections();
    expect(waiting).toHaveLength(1000);
  });
});

it('a retired caller lets its calls end', async () => {
  const one = caller();
  const arrived = Promise.withResolvers<http.ServerResponse>();
  respond = (_, response) => arrived.resolve(response);
  const answer = one.call(question(), limits);
  const response = await arrived.promise;
  one.retire();
  response.end('still');
  expect((await answer).body.toString()).toBe('still');
});

it('who may trust others by the next call has another caller then, and no other for what cannot be used', () => {
  const [old, renewed] = [0, 1].map(() => makeSelfSigned(['client'], new Date(0), new Date(Date.now() + 1e10)));
  const callers = new RenewedCaller();
  const first = callers.for({ ...old });
  expect(callers.for({ ...old })).toBe(first);
  expect(callers.for({ ...old, certificate: renewed?.certificate ?? '' })).toBe(first);
  expect(callers.for({ ...renewed })).not.toBe(first);
  callers.close();
});

describe('a certificate', () => {
  const from = new Date(Date.now() - 60_000);
  const until = new Date(Date.now() + 60_000);
  const authority = makeSelfSigned(['127.0.0.1'], from, until);
  const leaf = makeSigned(['127.0.0.1'], authority, from, until);
  const { certificate: stranger } = makeSelfSigned(['127.0.0.1'], from, until);

  it.each([
    ['its authority', authority.certificate, true],
    ['it alone, though another has signed it', leaf.certificate, true],
    ['somebody else', stranger, false],
  ])('is good, or not, to those who trust %s', async (_whom, ca, isGood) => {
    const secure = https.createServer({ cert: leaf.certificate, key: leaf.key }, (_, response) => response.end('fine'));
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    const trusting = new HttpCaller({ ca });
    callers.push(trusting);
    const { port: at } = secure.address() as AddressInfo;
    const answer = trusting.call(question({ url: new URL(`https://127.0.0.1:${at}/`) }), limits);
    await expect(
      answer.then(
        ({ status }) => status,
        () => 0,
      ),
    ).resolves.toBe(isGood ? 200 : 0);
    secure.close();
  });
});
