import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configMaps, secrets } from '../../controllers/runtime/resources.ts';
import { startTestServer, type TestServer } from '../stories/test-server.fixture.ts';
import type { Fault } from './fault.ts';
import { called, type FaultLab, maps, startFaultLab } from './fault-lab.fixture.ts';

let lab: FaultLab;
let server: TestServer;

beforeEach(async () => {
  lab = await startFaultLab();
  server = lab.server;
});
afterEach(() => lab.stop());

describe('requests that fail', () => {
  it.each<[string, Fault]>([
    ['429 with Retry-After', { fault: 'fail', code: 429, retryAfter: 0, match: { verb: 'list' }, times: 2 }],
    ['500', { fault: 'fail', code: 500, match: { resource: 'configmaps' }, times: 2 }],
    ['a cut connection', { fault: 'drop', match: { namespace: 'default' } }],
  ])('%s: who asks once is left without an answer, who asks again gets one', async (_what, fault) => {
    await server.faults.inject(fault);
    const first = await server.get(maps).then(
      ({ status }) => status,
      () => 'broken',
    );
    expect(first).not.toBe(200);
    await server.faults.inject(fault);
    expect((await lab.careful.list(configMaps, { namespace: 'default' })).items).toEqual([]);
  });

  it('say why, with what a Status has', async () => {
    await server.faults.inject({ fault: 'fail', code: 429, retryAfter: 7, message: 'slowly' });
    const { status, headers, body } = await server.get(maps);
    expect(status).toBe(429);
    expect(headers['retry-after']).toBe('7');
    expect(body).toMatchObject({
      kind: 'Status',
      reason: 'TooManyRequests',
      message: 'slowly',
      details: { retryAfterSeconds: 7 },
    });
    expect((await server.get(maps)).status).toBe(200);
  });

  it('a conflict: who overwrites is refused, who reads again and tries again succeeds', async () => {
    await server.post(maps, called('counter'));
    const conflict: Fault = { fault: 'fail', code: 409, match: { verb: 'update' } };
    const write = async () => {
      const { body } = await server.get(`${maps}/counter`);
      return (await server.put(`${maps}/counter`, { ...body, data: { n: '1' } })).status;
    };
    await server.faults.inject(conflict);
    expect(await write()).toBe(409);
    await server.faults.inject(conflict);
    let status = 409;
    for (let tries = 0; status === 409 && tries < 3; tries++) status = await write();
    expect(status).toBe(200);
  });

  it('an answer that is lost: who only asks again takes the object for somebody else’s', async () => {
    const lost: Fault = { fault: 'dropAfter', match: { verb: 'create' } };
    await server.faults.inject(lost);
    await expect(server.post(maps, called('once'))).rejects.toThrow();
    expect((await server.post(maps, called('once'))).status, 'the careless one').toBe(409);
    await server.faults.inject(lost);
    await expect(server.post(maps, called('twice'))).rejects.toThrow();
    expect((await server.get(`${maps}/twice`)).status, 'the careful one looks first').toBe(200);
  });

  it('delays: who is impatient gives up', async () => {
    await server.faults.inject({ fault: 'delay', milliseconds: 300, jitter: 1, times: 2 });
    await expect(server.call('GET', maps, { signal: AbortSignal.timeout(50) })).rejects.toThrow();
    expect((await server.get(maps)).status).toBe(200);
  });

  it('only those that match, as often as asked, until they are taken back', async () => {
    await server.faults.inject({ fault: 'fail', code: 503, times: 0, match: { path: '/apis/', userAgent: 'careful' } });
    expect((await server.get('/apis/apps/v1/deployments')).status).toBe(200);
    const headers = { 'user-agent': 'very careful indeed' };
    for (let time = 0; time < 3; time++)
      expect((await server.get('/apis/apps/v1/deployments', headers)).status).toBe(503);
    expect((await server.get(maps, headers)).status).toBe(200);
    server.faults.clear();
    expect((await server.get('/apis/apps/v1/deployments', headers)).status).toBe(200);
    expect(server.faults.log).toHaveLength(3);
  });

  it('GOAWAY: the answer comes, the connection takes nothing more', async () => {
    const session = connectHttp2(server.url, { ca: server.certificateAuthority });
    const away = new Promise((resolve) => session.once('goaway', resolve));
    await server.faults.inject({ fault: 'goAway' });
    const stream = session.request({ ':path': '/version', authorization: `Bearer ${server.adminToken}` });
    const status = await new Promise((resolve) => stream.once('response', (headers) => resolve(headers[':status'])));
    stream.resume();
    expect(status).toBe(200);
    await away;
    const again = once(session.request({ ':path': '/version' }), 'response');
    await expect(again, 'the careless one').rejects.toThrow(/GOAWAY/);
    expect((await server.get('/version')).status, 'the careful one connects anew').toBe(200);
    await server.faults.inject({ fault: 'goAway' });
    const head = `GET /version HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.adminToken}\r\n\r\n`;
    expect(await server.send(head, 'http/1.1'), 'it ends, though the client would have kept it').toMatch(
      /^HTTP\/1.1 200[\s\S]*connection: close/i,
    );
  });
});

describe('watches that fail', () => {
  it.each<[string, Fault['fault']]>([
    ['ended', 'endWatches'],
    ['cut', 'cutWatches'],
    ['half closed', 'halfCloseWatches'],
  ])('%s: who watches once misses what comes, who watches again does not', async (_what, fault) => {
    const careless = await lab.open();
    const knows = await lab.informed();
    await expect.poll(lab.openWatches).toBe(2);
    await server.faults.inject({ fault, match: { resource: 'configmaps' } } as Fault);
    await careless.ended;
    await server.post(maps, called('later'));
    await knows('later');
    expect(careless.events).toEqual([]);
    const request = expect.stringContaining('watch=true');
    expect(server.faults.log).toMatchObject([
      { fault, request },
      { fault, request },
    ]);
  });

  it('frozen: who waits hears nothing until it thaws, who bears silence for a time and lists anew knows', async () => {
    const careless = await lab.open();
    const careful = await lab.open();
    await server.faults.inject({ fault: 'freezeWatches' });
    await server.post(maps, called('unheard'));
    careful.stop();
    await careful.ended;
    const { items } = await lab.careful.list(configMaps, { namespace: 'default' });
    expect(items, 'the careful one').toMatchObject([called('unheard')]);
    expect(careless.events, 'the careless one').toEqual([]);
    await server.faults.inject({ fault: 'thawWatches' });
    await expect.poll(() => careless.events.map(({ object }) => object.metadata.name)).toEqual(['unheard']);
    careless.stop();
  });

  it('half closed: our side has ended, and who does not look waits for ever', async () => {
    const socket = await server.open();
    const head = `GET ${maps}?watch=true HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.adminToken}\r\n\r\n`;
    socket.write(head);
    await expect.poll(lab.openWatches).toBe(1);
    socket.allowHalfOpen = true;
    const ended = new Promise((resolve) => socket.once('end', resolve));
    socket.resume();
    await server.faults.inject({ fault: 'halfCloseWatches' });
    await ended;
    expect(socket.writable, 'the other side is open').toBe(true);
    socket.destroy();
  });

  it('lagging: who takes one kind for as new as another gives up, who looks again finds it', async () => {
    const [mapCache, secretCache] = [await lab.cacheOf(configMaps), await lab.cacheOf(secrets)];
    await expect.poll(lab.openWatches).toBe(2);
    await server.faults.inject({ fault: 'lagWatches', milliseconds: 200, match: { resource: 'configmaps' } });
    await server.post(maps, called('settings'));
    await server.post('/api/v1/namespaces/default/secrets', called('needs-settings'));
    await expect.poll(() => secretCache.find('default/needs-settings')).toBeDefined();
    expect(mapCache.find('default/settings'), 'the careless one').toBeUndefined();
    await expect.poll(() => mapCache.find('default/settings'), { message: 'the careful one' }).toBeDefined();
  });

  it('lagging: the order of one watch is kept, later watches lag too, and thawing ends it', async () => {
    const first = await lab.open();
    await server.faults.inject({ fault: 'lagWatches', milliseconds: 600_000 });
    const second = await lab.open('&timeoutSeconds=1');
    for (const name of ['a', 'b', 'c']) await server.post(maps, called(name));
    await server.clock.advance('5m');
    expect([first.events, second.events]).toEqual([[], []]);
    await server.clock.advance('5m');
    const names = () => [first, second].map(({ events }) => events.map(({ object }) => object.metadata.name));
    await expect.poll(names).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ]);
    await server.faults.inject({ fault: 'thawWatches' });
    await server.post(maps, called('d'));
    await expect.poll(() => first.events.at(-1)?.object.metadata.name).toBe('d');
    first.stop();
    second.stop();
  });

  it('a bookmark: who takes every event for an object has one without a name, who looks at the type has none', async () => {
    const told = await lab.open('&allowWatchBookmarks=true');
    const untold = await lab.open();
    const cache = await lab.cacheOf(configMaps);
    await expect.poll(lab.openWatches).toBe(3);
    await server.post(maps, called('real'));
    await server.faults.inject({ fault: 'sendBookmarks' });
    await expect.poll(() => told.events.map(({ object }) => object.metadata.name)).toEqual(['real', undefined]);
    expect(told.events[1]).toMatchObject({
      type: 'BOOKMARK',
      object: { metadata: { resourceVersion: told.events[0]?.object.metadata.resourceVersion } },
    });
    await expect.poll(() => cache.all().map(({ metadata }) => metadata?.name)).toContain('real');
    expect(cache.all().map(({ metadata }) => typeof metadata?.name)).not.toContain('undefined');
    expect(untold.events.map(({ type }) => type)).toEqual(['ADDED']);
    await server.faults.inject({ fault: 'sendBookmarks', match: { resource: 'secrets' } });
    await server.post(maps, called('more'));
    await expect.poll(() => told.events.map(({ type }) => type)).toEqual(['ADDED', 'BOOKMARK', 'ADDED']);
    told.stop();
    untold.stop();
  });

  it('an expired version: who goes on from it is refused, who lists anew goes on', async () => {
    const { body } = await server.get(maps);
    await server.post(maps, called('first'));
    await server.post(maps, called('second'));
    await server.faults.inject({ fault: 'expire' });
    const events = [];
    for await (const event of server.watch(`${maps}?watch=true&resourceVersion=${body.metadata.resourceVersion}`))
      events.push(event);
    expect(events).toMatchObject([{ type: 'ERROR', object: { code: 410, reason: 'Expired' } }]);
    const knows = await lab.informed();
    await server.faults.inject({ fault: 'expire' });
    await server.faults.inject({ fault: 'cutWatches' });
    await server.post(maps, called('third'));
    await knows('third');
  });

  it('without bookmarks: who goes on from what it last heard is refused, who lists anew then goes on', async () => {
    await server.faults.inject({ fault: 'withholdBookmarks', times: 0 });
    const { body } = await server.get(maps);
    const quiet = await lab.open('&allowWatchBookmarks=true');
    const knows = await lab.informed();
    await server.post('/api/v1/namespaces/default/secrets', called('elsewhere'));
    await server.faults.inject({ fault: 'sendBookmarks' });
    await server.faults.inject({ fault: 'expire' });
    await server.faults.inject({ fault: 'cutWatches' });
    await quiet.ended;
    expect(quiet.events).toEqual([]);
    const heard = [];
    for await (const event of server.watch(`${maps}?watch=true&resourceVersion=${body.metadata.resourceVersion}`))
      heard.push(event);
    expect(heard, 'the careless one').toMatchObject([{ type: 'ERROR', object: { code: 410 } }]);
    await server.post(maps, called('after'));
    await knows('after');
  });

  it('withholds bookmarks from as many watches as asked, and from watches alone', async () => {
    const fault: Fault = { fault: 'withholdBookmarks' };
    await server.faults.inject(fault);
    expect((await server.get(maps)).status, 'only watches are meant').toBe(200);
    const quiet = await lab.open('&allowWatchBookmarks=true&timeoutSeconds=1');
    expect(await quiet.ended).toBe('ended');
    expect(quiet.events).toEqual([]);
    const told = await lab.open('&allowWatchBookmarks=true&timeoutSeconds=1');
    await told.ended;
    expect(told.events.map(({ type }) => type)).toContain('BOOKMARK');
  });
});

describe('asked for over HTTP', () => {
  const path = '/touchstone/faults';

  it('waits, happens, is told, and can be taken back', async () => {
    expect(await server.post(path, [{ fault: 'fail', code: 500 }, { fault: 'drop' }])).toMatchObject({ status: 201 });
    expect((await server.get(maps)).status).toBe(500);
    expect((await server.get(path)).body).toMatchObject({
      waiting: [{ fault: 'drop' }],
      log: [{ fault: 'fail', request: `GET ${maps}`, at: expect.stringMatching(/^\d{4}-/) }],
    });
    expect((await server.delete(path)).body.waiting).toEqual([]);
    expect((await server.get(maps)).status).toBe(200);
  });

  it.each([
    ['{', 'neither JSON nor YAML'],
    ['null', 'a fault is an object'],
    [{ fault: 'toString' }, 'there is no fault "toString"'],
    [{ fault: 'fail' }, 'fail needs code'],
    [{ fault: 'fail', code: 200 }, 'from 400 to 599'],
    [{ fault: 'delay', milliseconds: 1e9 }, 'at most 600000'],
    [{ fault: 'delay', milliseconds: -1 }, 'milliseconds must be a number from 0'],
    [{ fault: 'drop', times: 'often' }, 'times must be a number'],
    [{ fault: 'drop', match: { verb: 1 } }, 'match.verb must be a text'],
    [{ fault: 'drop', match: { colour: 'red' } }, 'match knows no colour'],
    [{ fault: 'drop', match: [] }, 'match is an object'],
    [{ fault: 'expire', times: 1 }, 'expire knows no times'],
    [{ fault: 'drop', chance: 2 }, 'chance must be from 0 to 1'],
    [{ fault: 'lagWatches' }, 'lagWatches needs milliseconds'],
    [{ fault: 'skewClock', by: 'much' }, 'by must be a duration'],
    [{ fault: 'advanceClock' }, 'advanceClock needs by'],
  ])('refuses %j', async (body, message) => {
    const { status, body: answer } = await server.post(path, body);
    expect(status).toBe(400);
    expect(answer.message).toContain(message);
    expect((await server.call('PUT', path, { body: {} })).status).toBe(405);
  });

  it('is not there unless the server was started with it, and nobody but an administrator may', async () => {
    const anonymous = await server.call('GET', path, { headers: { authorization: '' } });
    expect(anonymous.status).toBe(403);
    const plain = await startTestServer();
    expect((await plain.get(path)).status).toBe(404);
    await expect(plain.faults.inject({ fault: 'drop' })).rejects.toThrow('not started with faults');
    await plain.stop();
  });
});
