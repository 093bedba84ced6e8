import { describe, expect, test } from 'vitest';
import { deadPort, echo, gatewayTo, raw, serving } from './gateway.fixture.ts';
import { planRoutes } from './plan.ts';

describe('connections that leave HTTP', () => {
  const upgrading = 'GET /ws HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Own: 1\r\n\r\n';

  test('go on in both directions, with what came early', async () => {
    const { port } = await gatewayTo(
      await serving(echo, (socket) => {
        socket.write(
          'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-B: 2\r\n\r\nhello ',
        );
        socket.once('data', (data) => socket.end(`you said ${data}`));
      }),
    );
    const answer = await raw(port, `${upgrading}early`);
    expect(answer).toMatch(/^HTTP\/1.1 101 Switching Protocols\r\n/);
    expect(answer.toLowerCase()).toContain('upgrade: websocket\r\n');
    expect(answer).toContain('X-B: 2\r\n');
    expect(answer.endsWith('\r\n\r\nhello you said early')).toBe(true);
  });

  test('go to another endpoint when one is gone', async () => {
    const alive = await serving(echo, (socket) => {
      socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nhello');
    });
    const { port } = await gatewayTo(await deadPort(), alive);
    for (let turn = 0; turn < 2; turn += 1) expect(await raw(port, upgrading)).toMatch(/^HTTP\/1.1 101 .*hello$/s);
  });

  test('are refused as the backend refuses them', async () => {
    const { port } = await gatewayTo(await serving((_, response) => response.writeHead(403).end('not you')));
    const answer = await raw(port, upgrading);
    expect(answer).toMatch(/^HTTP\/1.1 403 Forbidden\r\n/);
    expect(answer).toContain('not you');
  });

  test.each([
    ['h2c', 'Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n'],
    ['websocket', 'Connection: Upgrade, close\r\nUpgrade: websocket\r\n'],
  ])('are none with a body: who offers %s beside it is answered', async (_, offer) => {
    const { port } = await gatewayTo(await serving(echo));
    const answer = await raw(port, `POST /x HTTP/1.1\r\nHost: h\r\n${offer}Content-Length: 5\r\n\r\nhello`);
    expect(answer).toContain('"body":"hello"');
  });

  test('are refused where there is nobody', async () => {
    expect(await raw((await gatewayTo(await deadPort())).port, upgrading)).toMatch(/^HTTP\/1.1 502 /);
    const { gateway, clock, port } = await gatewayTo();
    clock.advance(2_000);
    expect(await raw(port, upgrading)).toMatch(/^HTTP\/1.1 503 /);
    gateway.route(planRoutes([]), new Map());
    expect(await raw(port, upgrading)).toMatch(/^HTTP\/1.1 404 /);
  });
});
