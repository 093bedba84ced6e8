import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { worked } from '../../../fixtures/worked.fixture.ts';
import { configMap, configMaps, readAll, type TestServer } from '../test-server.fixture.ts';
import { expectCode, startSturdyServer, there } from './sturdy-server.fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startSturdyServer();
});
afterAll(() => server.stop());

describe('a body that is not what it should be', () => {
  const deep = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels);
  it.each([
    ['nothing', '', 400],
    ['half an object', '{"metadata":{"name":"x"', 400],
    ['no JSON', 'hello', 400],
    ['a list', '[]', 400],
    ['a number', '7', 400],
    ['a text', '"x"', 400],
    ['two objects', '{} {}', 400],
    ['a byte order mark', Buffer.from('\ufeff{}'), 400],
    ['zero bytes', Buffer.alloc(100), 400],
    ['a name that is a number', '{"metadata":{"name":7}}', 400],
    ['metadata that is a list', '{"metadata":[]}', 400],
    ['labels that are a text', '{"metadata":{"name":"x","labels":"y"}}', 400],
    ['data that holds a number', '{"metadata":{"name":"x"},"data":{"a":1}}', 400],
    ['a kind of another type', '{"kind":"Secret","apiVersion":"v1","metadata":{"name":"x"}}', 400],
    ['a kind that is an object', '{"kind":{},"apiVersion":"v1","metadata":{"name":"x"}}', 400],
    ['an apiVersion that is a list', '{"apiVersion":[],"metadata":{"name":"x"}}', 400],
    ['objects nested too deep', deep('{"a":', '}', 20_000).replace('}', '1}'), 400],
    ['lists nested too deep', deep('[', ']', 100_000), 400],
    ['no name', '{}', 422],
    ['a name with a line end', '{"metadata":{"name":"a\\nb"}}', 422],
    ['a name of a thousand letters', JSON.stringify({ metadata: { name: 'a'.repeat(1000) } }), 422],
    ['a prototype for a name', '{"metadata":{"name":"__proto__"}}', 422],
  ])('%s', async (_, body, code) => {
    expectCode(await server.post(configMaps, body), code);
  });

  it('has keys that would be special in JavaScript, which here are keys like others', async () => {
    const body =
      '{"metadata":{"name":"proto","labels":{"constructor":"a","toString":"b"}},"data":{"__proto__":"x","hasOwnProperty":"y"},"__proto__":{"immutable":true}}';
    const answer = await server.post(configMaps, body);
    expect(answer.status).toBe(201);
    expect(answer.text).toContain('"__proto__":"x"');
    expect(answer.body.immutable).toBeUndefined();
    const found = await server.get(`${configMaps}?labelSelector=constructor%3Da`);
    expect(found.body.items).toHaveLength(1);
    expect((await server.get(`${configMaps}?labelSelector=valueOf`)).body.items).toHaveLength(0);
  });

  it('is larger than any may be, with and without saying so', async () => {
    const large = Buffer.alloc(3 * 1024 * 1024 + 1, 0x20);
    expectCode(await server.post(configMaps, large), 413);
    const chunked = [
      `POST ${configMaps} HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${server.adminToken}`,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
      '',
      '',
    ].join('\r\n');
    const socket = await server.open();
    const answered = readAll(socket);
    socket.write(chunked);
    const piece = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    for (let i = 0; i < 60 && socket.writable; i++) socket.write(piece);
    socket.write('0\r\n\r\n');
    expect(await answered).toMatch(/^HTTP\/1.1 413 /);
  });

  it('is just as large as it may be', async () => {
    const body = JSON.stringify(configMap('large'));
    const answer = await server.post(configMaps, body + ' '.repeat(3 * 1024 * 1024 - body.length));
    expect(answer.status).toBe(201);
  });

  it('has bytes that are no UTF-8, which are replaced', async () => {
    const bytes = Buffer.from(
      '{"metadata":{"name":"bytes"},"data":{"a":"\x00\xff\xfe"}}'.replace('\x00', ''),
      'latin1',
    );
    const answer = await server.post(configMaps, bytes);
    expect(answer.status).toBe(201);
    expect(answer.body.data.a).toMatch(/^\ufffd+$/);
  });

  it('says to be of a type that the server does not know', async () => {
    for (const type of [
      'text/plain',
      'application/xml',
      'multipart/form-data; boundary=x',
      'application/jsonx',
      'a'.repeat(10_000),
    ]) {
      expectCode(await server.post(configMaps, '{}', type), 415);
      expectCode(await server.patch(there, '{}', type), 415);
    }
  });
});

describe('what comes back of what was sent', () => {
  const reviews = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

  it.each([
    ['an integer of three million digits', `{"spec":{"resourceAttributes":{"verb":${'1'.repeat(3_000_000)}}}}`],
    ['a negative one', `{"spec":{"resourceAttributes":{"verb":-${'9'.repeat(3_000_000)}}}}`],
    ['one of 300 digits', `{"spec":{"resourceAttributes":{"verb":${'7'.repeat(300)}}}}`],
  ])('is not all of it: %s', async (_, body) => {
    const answer = await server.post(reviews, body);
    expectCode(answer, 400);
    expect(answer.text.length).toBeLessThan(600);
  });

  it('is not all of a long path', async () => {
    const long = 'x'.repeat(20_000);
    for (const path of [`${configMaps}/${long}`, `/api/v1/namespaces/${long}/configmaps/${long}`]) {
      const answer = await server.get(path);
      expectCode(answer, 404);
      expect(answer.text.length).toBeLessThan(6000);
    }
    const anonymous = await server.get(`/api/v1/namespaces/${long}/${long}/${long}`, { authorization: '' });
    expectCode(anonymous, 403);
    expect(anonymous.text.length).toBeLessThan(12_000);
  });

  it('is a name as long as any may be, whole', async () => {
    const name = 'n'.repeat(253);
    const { body } = await server.get(`${configMaps}/${name}`);
    expect(body.message).toBe(`configmaps "${name}" not found`);
    expect(body.details.name).toBe(name);
  });

  it('is a part of very many causes, and their number', async () => {
    const finalizers = Array.from({ length: 4000 }, (_, n) => `wrong ${n}`);
    const answer = await server.post(configMaps, configMap('many-causes', {}, { finalizers }));
    expectCode(answer, 422);
    const { causes } = answer.body.details;
    expect(causes).toHaveLength(2501);
    const rest = Number(/^and at least (\d+) more$/.exec(causes.at(-1).message)?.[1]);
    expect(rest).toBeGreaterThanOrEqual(1000);
    expect(answer.body.message).toContain(`and at least ${rest} more`);
    expect(answer.text.length).toBeLessThan(600_000);
  });
});

describe('too much of everything', () => {
  it('ten thousand parameters', async () => {
    const query = Array.from({ length: 10_000 }, (_, i) => `p${i}=${i}`).join('&');
    const { status } = await server.get(`${configMaps}?${query.slice(0, 60_000)}`);
    expect(status).toBe(200);
    expect((await server.send(`GET /api?${query} HTTP/1.1\r\nHost: x\r\n\r\n`)).split('\r\n', 1)[0]).toMatch(
      /^HTTP\/1.1 431 /,
    );
  });

  it.each([
    ['label', `labelSelector=${encodeURIComponent(Array.from({ length: 2000 }, (_, i) => `a${i}!=b`).join(','))}`, 200],
    [
      'label set',
      `labelSelector=${encodeURIComponent(`a in (${Array.from({ length: 4000 }, (_, i) => `v${i}`).join(',')})`)}`,
      200,
    ],
    ['broken label', `labelSelector=${'('.repeat(30_000)}`, 400],
    [
      'field',
      `fieldSelector=${encodeURIComponent(Array.from({ length: 1000 }, () => 'metadata.name!=b').join(','))}`,
      200,
    ],
    ['escaped field', `fieldSelector=metadata.name%3D${encodeURIComponent('\\'.repeat(20_000))}`, 200],
    ['broken field', `fieldSelector=${','.repeat(30_000)}a`, 400],
  ])('a huge %s selector', async (_, query, code) => {
    const begin = worked();
    expect((await server.get(`${configMaps}?${query}`)).status).toBe(code);
    expect(worked() - begin).toBeLessThan(1000);
  });

  it.each([
    ['accept', Array.from({ length: 5000 }, (_, i) => `a/b${i}`).join(','), 406],
    ['accept', `application/json;${'q=1;'.repeat(5000)}`, 200],
    ['user-agent', 'x'.repeat(50_000), 200],
    ['accept-encoding', `gzip${' '.repeat(40_000)}x`, 200],
  ])('a huge %s header', async (name, value, code) => {
    expect((await server.get(configMaps, { [name]: value })).status).toBe(code);
  });

  it('a bomb of YAML', async () => {
    const levels = Array.from({ length: 9 }, (_, i) => `l${i + 1}: &l${i + 1} [${`*l${i},`.repeat(9)}]`);
    const bomb = `l0: &l0 [x]\n${levels.join('\n')}\n`;
    const begin = worked();
    expectCode(await server.post(configMaps, bomb, 'application/yaml'), 400);
    expectCode(await server.patch(`${there}?fieldManager=x`, bomb, 'application/apply-patch+yaml'), 400);
    expect(worked() - begin).toBeLessThan(2000);
  });

  it.each([
    ['a tab', 'metadata:\n\tname: x\n', 400],
    ['an alias to itself', 'metadata: &a\n  labels: *a\n', 400],
    ['an unknown alias', 'metadata: *nothing\n', 400],
    ['a deep list', `a: ${'['.repeat(50_000)}`, 400],
    ['a deep block', Array.from({ length: 2000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'), 400],
    ['a list as a key', '? [a]\n: b\n', 400],
    ['a tag that runs code elsewhere', 'metadata: !!js/function "x"\n', 400],
    [
      'several documents, of which the first counts',
      'metadata: {name: first-of-two}\n---\nmetadata: {name: second}\n',
      201,
    ],
  ])('YAML with %s', async (_, text, code) => {
    expect((await server.post(configMaps, text, 'application/yaml')).status).toBe(code);
  });
});
