import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Answer,
  configMap,
  configMaps,
  isFailure,
  readAll,
  startTestServer,
  type TestServer,
} from './test-server.fixture.ts';

let server: TestServer;
const faults: string[] = [];
beforeAll(async () => {
  const log = {
    info() {},
    debug() {},
    error: (message: string, error: unknown) => void faults.push(`${message}: ${(error as Error)?.stack ?? error}`),
  };
  server = await startTestServer({ log });
  await server.post(configMaps, configMap('there', { a: '1' }, { finalizers: ['example.com/stays'] }));
});
afterAll(async () => {
  await server.stop();
  // A 500 is a defect of the server, whatever the request was.
  expect([...new Set(faults)].map((fault) => fault.slice(0, 400))).toEqual([]);
});

const there = `${configMaps}/there`;

/** Whatever was sent: a well-formed answer, and nothing that the server did not expect. */
function expectSound({ status, body, text }: Answer): void {
  if (status >= 400) expect(isFailure(body, status), `${status} ${text.slice(0, 300)}`).toBe(true);
  expect(status, text.slice(0, 300)).not.toBe(500);
}

const expectCode = (answer: Answer, code: number) => {
  expect(answer.status, answer.text.slice(0, 300)).toBe(code);
  expect(isFailure(answer.body, code)).toBe(true);
};

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

const json = fc.jsonValue({ maxDepth: 4 });
/** Objects that look a little like real ones, so that they get further than others. */
const odd = fc.oneof(json, fc.constantFrom(null, '', 0, -1, 1e308, [], {}, [null], { a: null }, 'x', true));
const almost = fc.record(
  {
    kind: fc.oneof(fc.constant('ConfigMap'), odd),
    apiVersion: fc.oneof(fc.constant('v1'), odd),
    metadata: fc.oneof(
      odd,
      fc.record(
        {
          name: fc.oneof(fc.constantFrom('there', 'fuzz'), odd),
          generateName: odd,
          namespace: odd,
          labels: odd,
          annotations: odd,
          finalizers: odd,
          ownerReferences: fc.oneof(
            odd,
            fc.array(
              fc.record({ apiVersion: odd, kind: odd, name: odd, uid: odd, controller: odd }, { requiredKeys: [] }),
            ),
          ),
          managedFields: fc.oneof(
            odd,
            fc.array(
              fc.record(
                { manager: odd, operation: odd, apiVersion: odd, time: odd, fieldsType: odd, fieldsV1: odd },
                { requiredKeys: [] },
              ),
            ),
          ),
          resourceVersion: odd,
          uid: odd,
          creationTimestamp: odd,
          deletionTimestamp: odd,
          generation: odd,
          deletionGracePeriodSeconds: odd,
        },
        { requiredKeys: [] },
      ),
    ),
    data: odd,
    binaryData: odd,
    immutable: odd,
  },
  { requiredKeys: [] },
);

describe('whatever is sent, the answer is sound', () => {
  const runs = { numRuns: 150 };

  it('to a create', async () => {
    await fc.assert(
      fc.asyncProperty(almost, async (body) => expectSound(await server.post(`${configMaps}?dryRun=All`, body))),
      runs,
    );
  });

  it('to a replacement', async () => {
    await fc.assert(
      fc.asyncProperty(almost, async (body) => expectSound(await server.put(`${there}?dryRun=All`, body))),
      runs,
    );
  });

  it.each(['application/merge-patch+json', 'application/strategic-merge-patch+json', 'application/apply-patch+yaml'])(
    'to a patch of type %s',
    async (type) => {
      const query = type.includes('apply') ? 'dryRun=All&fieldManager=fuzz&force=true' : 'dryRun=All';
      await fc.assert(
        fc.asyncProperty(fc.oneof(almost, json), async (body) =>
          expectSound(await server.patch(`${there}?${query}`, JSON.stringify(body), type)),
        ),
        runs,
      );
    },
  );

  it('to a JSON patch', async () => {
    const pointer = fc.oneof(
      fc.constantFrom(
        '',
        '/',
        '/metadata',
        '/metadata/name',
        '/data/a',
        '/data/-',
        '/metadata/finalizers/0',
        '/metadata/finalizers/-',
        '/metadata/finalizers/99999999999',
        '/~',
        '/~2',
        '/__proto__/x',
        '/kind',
      ),
      fc.string(),
      odd,
    );
    const operation = fc.record(
      {
        op: fc.oneof(fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'), odd),
        path: pointer,
        from: pointer,
        value: odd,
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.array(operation, { maxLength: 6 }), odd), async (patch) =>
        expectSound(await server.patch(`${there}?dryRun=All`, JSON.stringify(patch), 'application/json-patch+json')),
      ),
      runs,
    );
  });

  it('to bytes of any type', async () => {
    const type = fc.constantFrom('application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf');
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.uint8Array({ maxLength: 300 }).map((rest) => Buffer.concat([Buffer.from('k8s\0'), rest])),
      fc.string({ unit: fc.constantFrom(...'{}[]",:&*!|>%@`#-? \n\tab1\\\'<~') }).map((text) => Buffer.from(text)),
    );
    await fc.assert(
      fc.asyncProperty(type, bytes, async (mediaType, body) =>
        expectSound(await server.post(`${configMaps}?dryRun=All`, Buffer.from(body), mediaType)),
      ),
      { numRuns: 300 },
    );
  });

  it('to options of a delete', async () => {
    const options = fc.record(
      {
        kind: fc.oneof(fc.constant('DeleteOptions'), odd),
        apiVersion: odd,
        gracePeriodSeconds: odd,
        propagationPolicy: fc.oneof(fc.constantFrom('Orphan', 'Foreground', 'Background'), odd),
        orphanDependents: odd,
        preconditions: fc.oneof(odd, fc.record({ uid: odd, resourceVersion: odd })),
        dryRun: fc.oneof(fc.constant(['All']), odd),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(options, odd), async (body) => expectSound(await server.delete(there, body))),
      runs,
    );
  });

  it('to any query', async () => {
    const name = fc.oneof(
      fc.constantFrom(
        'limit',
        'continue',
        'labelSelector',
        'fieldSelector',
        'resourceVersion',
        'resourceVersionMatch',
        'timeoutSeconds',
        'pretty',
        'includeObject',
        'dryRun',
        'fieldManager',
        'fieldValidation',
        'force',
        'gracePeriodSeconds',
      ),
      fc.string(),
    );
    const value = fc.oneof(
      fc.string(),
      fc.constantFrom('', '0', '-1', '1e9', 'NaN', '9'.repeat(30), '%', '%ff', 'true', 'All', 'Exact', 'NotOlderThan'),
    );
    const query = fc.array(fc.tuple(name, value, fc.boolean()), { maxLength: 6 }).map((pairs) =>
      pairs
        .map(([key, text, raw]) =>
          raw ? `${encodeURI(key)}=${encodeURI(text)}` : `${encodeURIComponent(key)}=${encodeURIComponent(text)}`,
        )
        .join('&')
        .replaceAll('#', '%23'),
    );
    const accept = fc.constantFrom(
      'application/json',
      'application/json;as=Table;v=v1;g=meta.k8s.io',
      '*/*',
      'application/yaml',
      'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
    );
    await fc.assert(
      fc.asyncProperty(query, accept, fc.boolean(), async (text, form, item) => {
        // A version from the future is waited for, which is right but slow.
        fc.pre(!/resourceVersion=(%20|\+)*[1-9]\d+/.test(text));
        const answer = await server.get(`${item ? there : configMaps}?${text}`, { accept: form });
        expect(answer.status, answer.text.slice(0, 200)).not.toBe(500);
      }),
      { numRuns: 300 },
    );
  });

  it('to any path', async () => {
    const segment = fc.oneof(
      fc.constantFrom(
        'api',
        'apis',
        'v1',
        'apps',
        'batch',
        'namespaces',
        'default',
        'pods',
        'configmaps',
        'there',
        'status',
        'watch',
        'scale',
        'log',
        'proxy',
        'openapi',
        'v2',
        'v3',
        'healthz',
        'livez',
        '..',
        '.',
        '',
        '%2e%2e',
        '%2F',
        '%00',
        '%',
        '%zz',
        '__proto__',
        'constructor',
      ),
      fc.string().map(encodeURIComponent),
    );
    const method = fc.constantFrom('GET', 'HEAD', 'DELETE', 'OPTIONS', 'PUT', 'POST', 'PATCH');
    await fc.assert(
      fc.asyncProperty(fc.array(segment, { maxLength: 8 }), method, async (segments, verb) => {
        const path = `/${segments.join('/')}`;
        const { status, text } = await server.call(verb, `${path}?dryRun=All&timeoutSeconds=1`);
        expect(status, `${verb} ${path} ${text.slice(0, 300)}`).not.toBe(500);
      }),
      { numRuns: 400 },
    );
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
    const begin = performance.now();
    expect((await server.get(`${configMaps}?${query}`)).status).toBe(code);
    expect(performance.now() - begin).toBeLessThan(1000);
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
    const begin = performance.now();
    expectCode(await server.post(configMaps, bomb, 'application/yaml'), 400);
    expectCode(await server.patch(`${there}?fieldManager=x`, bomb, 'application/apply-patch+yaml'), 400);
    expect(performance.now() - begin).toBeLessThan(2000);
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

describe('on the wire', () => {
  const head = (line: string, ...headers: string[]) =>
    [line, 'Host: x', `Authorization: Bearer ${server.adminToken}`, ...headers, '', ''].join('\r\n');
  const statusOf = (text: string) => text.split('\r\n', 1)[0];

  it.each([
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['a method that does not exist, of nobody', 'BREW /api HTTP/1.1\r\nHost: x\r\n\r\n', 403],
    ['no method', ' /api HTTP/1.1\r\n\r\n', 400],
    ['bytes at random', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400],
    ['headers without an end', `GET /api HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(70_000)}`, 431],
    ['a length that is none', 'POST /api HTTP/1.1\r\nHost: x\r\nContent-Length: much\r\n\r\n', 400],
    ['a negative length', 'POST /api HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n', 400],
    ['a version that does not exist', 'GET /api HTTP/9.9\r\nHost: x\r\n\r\n', 400],
  ])('%s', async (_, bytes, code) => {
    expect(statusOf(await server.send(bytes))).toMatch(new RegExp(`^HTTP/1.1 ${code} `));
  });

  it.each(['TRACE', 'OPTIONS', 'PROPFIND', 'CONNECT'])('the unusual method %s', async (method) => {
    const text = await server.send(head(`${method} ${configMaps} HTTP/1.1`, 'Connection: close'));
    expect(statusOf(text)).toMatch(/^HTTP\/1.1 40[05] /);
  });

  it.each([
    ['a method that does not exist', 'BREW /api HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a tunnel', 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
    [
      'an upgrade',
      `GET ${configMaps}?watch=1&timeoutSeconds=1 HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
    ],
  ])('%s behind a request that is not answered yet', async (_, second) => {
    const together = await server.send(head(`GET ${configMaps} HTTP/1.1`) + second);
    expect(statusOf(together)).toBe('HTTP/1.1 200 OK');
    const socket = await server.open();
    socket.on('error', () => {});
    socket.write(head(`GET ${configMaps} HTTP/1.1`));
    socket.write(second);
    await expect.poll(() => socket.destroyed || socket.readableEnded || socket.bytesRead > 0).toBe(true);
    socket.destroy();
    expect((await server.get('/livez')).status).toBe(200);
  });

  it('a thousand connections that say nothing, or half of it', async () => {
    const port = Number(new URL(server.url).port);
    const silent = Array.from({ length: 1000 }, () => connectTcp(port, '127.0.0.1').on('error', () => {}));
    const slow = await Promise.all(Array.from({ length: 50 }, () => server.open()));
    for (const socket of slow) socket.on('error', () => {}).write('GET /livez HTTP/1.1\r\nHost:');
    await Promise.all(silent.map((socket) => socket.connecting && once(socket, 'connect')));
    expect((await server.get('/livez')).status).toBe(200);
    expect((await server.post(configMaps, configMap('beside-them'))).status).toBe(201);
    for (const socket of [...silent, ...slow]) socket.destroy();
    expect((await server.get('/livez')).status).toBe(200);
  });

  it('clients that leave in the middle of anything', async () => {
    const body = JSON.stringify(configMap('never'));
    const whole =
      head(`POST ${configMaps} HTTP/1.1`, 'Content-Type: application/json', `Content-Length: ${body.length}`) + body;
    for (let cut = 0; cut < whole.length; cut += 11) {
      const socket = await server.open();
      socket.on('error', () => {});
      socket.write(whole.slice(0, cut));
      if (cut % 2) socket.destroy();
      else socket.end();
    }
    await expect.poll(() => server.get(`${configMaps}/never`).then(({ status }) => status)).toBe(404);
    await expect
      .poll(async () => /apiserver_current_inflight_requests (\d+)/.exec((await server.get('/metrics')).text)?.[1])
      .toBe('1');
  });

  it('a client that waits to be told to go on', async () => {
    const body = JSON.stringify(configMap('patient'));
    const socket = await server.open();
    const answered = readAll(socket);
    socket.write(
      head(
        `POST ${configMaps} HTTP/1.1`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        'Expect: 100-continue',
        'Connection: close',
      ),
    );
    await new Promise((resolve) => socket.once('data', resolve));
    socket.write(body);
    const text = await answered;
    expect(text).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 201 /);
  });

  it('a body in many small pieces', async () => {
    const body = JSON.stringify(configMap('pieces'));
    const chunks = [...body].map((char) => `1\r\n${char}\r\n`).join('');
    const text = await server.send(
      `${head(`POST ${configMaps} HTTP/1.1`, 'Content-Type: application/json', 'Transfer-Encoding: chunked', 'Connection: close')}${chunks}0\r\n\r\n`,
    );
    expect(statusOf(text)).toMatch(/^HTTP\/1.1 201 /);
  });

  it.each(['zz\r\nhello\r\n', '5\r\nhel', '-1\r\n\r\n'])('broken chunks %j', async (chunks) => {
    const socket = await server.open();
    const answered = readAll(socket);
    socket.write(
      head(`POST ${configMaps} HTTP/1.1`, 'Content-Type: application/json', 'Transfer-Encoding: chunked') + chunks,
    );
    socket.end();
    expect(statusOf(await answered)).toMatch(/^(?:HTTP\/1.1 400 .*)?$/);
  });

  it('a hundred connections that say nothing do not keep others out', async () => {
    const silent = await Promise.all(Array.from({ length: 100 }, () => server.open()));
    expect((await server.get('/healthz')).status).toBe(200);
    for (const socket of silent) socket.destroy();
  });

  it('HTTP/2 that is none', async () => {
    const answered = server.send('hello, this is not a preface at all\r\n\r\n', 'h2');
    expect(await answered).not.toContain('HTTP/1.1 200');
    expect((await server.get('/healthz')).status).toBe(200);
  });
});
