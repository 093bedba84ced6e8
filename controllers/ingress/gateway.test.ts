import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { FakeClock } from '../runtime/fake-clock.fixture.ts';
import { deadPort, echo, endpoint, everything, gatewayBy, gatewayTo, raw, serving } from './gateway.fixture.ts';
import { Gateway } from './gateway.ts';
import { planRoutes } from './plan.ts';

describe('what reaches the backend', () => {
  test('is what the client sent, without what was between the two, and with who it was', async () => {
    const { port } = await gatewayTo(await serving(echo));
    const answer = await raw(
      port,
      'GET /a/../b?c=%2F&d HTTP/1.1\r\nHost: Some.Example.COM:81\r\nConnection: close, X-Own\r\nX-Own: 1\r\n' +
        'X-Twice: 1\r\nX-Twice: 2\r\nTE: trailers\r\nX-Forwarded-For: 9.9.9.9\r\nX-Forwarded-Proto: https\r\n\r\n',
    );
    const seen = JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1));
    expect(seen.url).toBe('/a/../b?c=%2F&d');
    expect(seen.headers).toEqual({
      'x-twice': '1, 2',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-port': String(port),
      'x-forwarded-host': 'Some.Example.COM:81',
      host: 'Some.Example.COM:81',
      connection: 'keep-alive',
    });
    expect(seen.raw.filter((name: string) => name === 'X-Twice')).toHaveLength(2);
  });

  test('is a body as long as it may be, with a length or in chunks', async () => {
    const { port } = await gatewayTo(await serving(echo));
    const big = 'x'.repeat(3_000_000);
    const whole = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: big });
    expect(((await whole.json()) as { body: string }).body.length).toBe(big.length);
    const chunks = await raw(
      port,
      'POST / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n',
    );
    expect(chunks).toContain('"body":"abcde"');
  });

  test('is a whole URL as a path', async () => {
    const { port } = await gatewayTo(await serving(echo));
    const bytes = 'GET http://a.example.com/x?y HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n';
    expect(await raw(port, bytes)).toContain('"url":"/x?y"');
  });

  test('is the host of a whole URL, by which it was routed, and not what the header says', async () => {
    const { port } = await gatewayTo(await serving(echo));
    const bytes = 'GET http://a.example.com:81/x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n';
    const { headers } = JSON.parse((await raw(port, bytes)).split('\r\n\r\n')[1] ?? '');
    expect(headers).toMatchObject({ host: 'a.example.com:81', 'x-forwarded-host': 'a.example.com:81' });
  });
});

test.each([80, 8080])('a backend at port %i is reached by the way that is known to it', async (at) => {
  const served = await serving(echo);
  const asked: unknown[] = [];
  const way = (...address: [string, number]) => {
    asked.push(address);
    return Promise.resolve(net.connect(served, '127.0.0.1'));
  };
  const { port } = await gatewayBy(way, [at]);
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
  expect(asked).toEqual([['127.0.0.1', at]]);
});

describe('what reaches the client', () => {
  test('is the answer as it was, repeated headers and all', async () => {
    const { port } = await gatewayTo(
      await serving((_, response) => {
        response.writeHead(418, 'Teapot', ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-Odd', '\xe9']);
        response.end('short and stout');
      }),
    );
    const answer = await raw(port, 'GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1.1 418 Teapot\r\n/);
    expect(answer).toContain('Set-Cookie: a=1\r\nSet-Cookie: b=2\r\n');
    expect(answer).toContain('short and stout');
  });

  test('has no words behind its status that cannot be said', async () => {
    const server = net.createServer((socket) => {
      const bytes = Buffer.from('HTTP/1.1 200 caf\xe9\r\ncontent-length: 2\r\n\r\nok', 'latin1');
      socket.once('data', () => socket.end(bytes));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
    const { port } = await gatewayTo((server.address() as AddressInfo).port);
    const answer = await raw(port, 'GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1.1 200 .*\r\n\r\nok$/s);
  });

  test('comes although hundreds of others do not end', async () => {
    const backendPort = await serving(({ url }, response) => {
      if (url === '/now') response.end('here');
      else response.write('data: 1\n\n');
    });
    const { port } = await gatewayTo(backendPort);
    const endless = Array.from({ length: 300 }, () => http.get({ port, path: '/endless', agent: false }));
    onTestFinished(() => {
      for (const request of endless) request.on('error', () => {}).destroy();
    });
    await Promise.all(endless.slice(0, 250).map((request) => once(request, 'response')));
    expect(await raw(port, 'GET /now HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n')).toContain('here');
  });

  test('is no body where there is none', async () => {
    const { port } = await gatewayTo(
      await serving((request, response) => {
        response.writeHead(request.url === '/204' ? 204 : 200, { 'content-length': request.url === '/204' ? 0 : 5 });
        response.end(request.method === 'HEAD' ? undefined : request.url === '/204' ? undefined : 'abcde');
      }),
    );
    const head = await fetch(`http://127.0.0.1:${port}/`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '5', '']);
    expect((await fetch(`http://127.0.0.1:${port}/204`)).status).toBe(204);
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('abcde');
  });

  test('is a long answer whole, though it reads slowly', async () => {
    const { port } = await gatewayTo(await serving((_, response) => response.end(Buffer.alloc(20_000_000, 'y'))));
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    expect((await answer.arrayBuffer()).byteLength).toBe(20_000_000);
  });

  test('is cut where the backend cuts it', async () => {
    const { port } = await gatewayTo(
      await serving((_, response) => {
        response.writeHead(200, { 'content-length': 10 });
        response.write('half');
        setImmediate(() => response.destroy());
      }),
    );
    await expect(fetch(`http://127.0.0.1:${port}/`).then((answer) => answer.text())).rejects.toThrow();
  });
});

describe('backends that fail', () => {
  const ask = (port: number, init?: RequestInit) => fetch(`http://127.0.0.1:${port}/`, init);

  test('another endpoint is tried when one is gone, also with a body', async () => {
    const [dead, alive] = [await deadPort(), await serving(echo)];
    const { port } = await gatewayTo(dead, alive);
    for (let round = 0; round < 4; round++) {
      const answer = await ask(port, { method: 'POST', body: 'once' });
      expect([answer.status, ((await answer.json()) as { body: string }).body]).toEqual([200, 'once']);
    }
  });

  test('502 when all are gone', async () => {
    const { port } = await gatewayTo(await deadPort());
    expect((await ask(port)).status).toBe(502);
  });

  test('a read whose connection is cut is asked again, a write is not', async () => {
    let asked = 0;
    const flaky = await serving((request, response) => {
      asked += 1;
      if (asked % 2 === 1) request.socket.destroy();
      else response.end('at last');
    });
    const { port } = await gatewayTo(flaky);
    expect(await (await ask(port)).text()).toBe('at last');
    expect((await ask(port, { method: 'POST', body: 'x' })).status).toBe(502);
    expect(asked).toBe(3);
  });

  test('503 when there is no endpoint, but not before news of one could have come', async () => {
    const { gateway, clock, port } = await gatewayTo();
    clock.advance(2_000);
    expect((await ask(port)).status).toBe(503);
    gateway.backends.set('ns/web', new Map([[80, []]]));
    const late = ask(port);
    const alive = await serving(echo);
    await pass(clock, 500);
    gateway.backends.set('ns/web', new Map([[80, [endpoint(alive)]]]));
    await pass(clock, 10);
    expect((await late).status).toBe(200);
    gateway.backends.set('ns/web', undefined);
    gateway.route(planRoutes([everything]), new Map());
    const never = ask(port);
    await pass(clock, 1_000);
    expect((await never).status).toBe(503);
  });

  test('404 where nothing is routed, 400 for what is no path', async () => {
    const { gateway, port } = await gatewayTo();
    gateway.route(planRoutes([]), new Map());
    expect((await ask(port)).status).toBe(404);
    expect(await raw(port, 'OPTIONS * HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
    expect(await raw(port, 'no http at all\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
  });

  test('a client that goes takes its request along', async () => {
    const [arrived, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const waiting = await serving((request) => {
      request.on('close', gone.resolve);
      arrived.resolve();
    });
    const { port } = await gatewayTo(waiting);
    const socket = net.connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n');
    await arrived.promise;
    socket.destroy();
    await gone.promise;
  });
});

test('a port that is taken is an error, and the other is given back', async () => {
  const { gateway, clock, port } = await gatewayTo();
  const { httpsPort } = gateway.ports;
  const other = new Gateway({ address: '127.0.0.1', httpPort: 0, httpsPort, clock });
  await expect(other.open()).rejects.toThrow('EADDRINUSE');
  await expect(new Gateway({ address: '127.0.0.1', httpPort: port, httpsPort: 0, clock }).open()).rejects.toThrow();
});

/** Lets so many milliseconds go by for a request that waits for endpoints. */
async function pass(clock: FakeClock, milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 10) {
    while (clock.next === undefined) await new Promise((resolve) => setImmediate(resolve));
    clock.advance(10);
  }
}
