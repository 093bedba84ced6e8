import type { Random } from '../../conformance/oracle/play/random.ts';

const objects = '/api/v1/namespaces/default/configmaps';
const pods = '/api/v1/namespaces/default/pods';

const methods: readonly string[] = [
  ...['GET', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'CONNECT'],
  ...['PURGE', 'PRI', 'FETCH', 'get', 'M-SEARCH', 'QUERY', 'G ET', '', `${'X'.repeat(200)}`],
];

const targets: readonly string[] = [
  ...[objects, `${objects}/a`, `${objects}?watch=1`, `${objects}?watch=1&timeoutSeconds=1`, `${objects}?limit=1`],
  ...[`${pods}/a/exec?command=x`, `${pods}/a/attach`, `${pods}/a/portforward`, `${pods}/a/proxy/`, `${pods}/a/log`],
  ...['/', '*', '//', '/livez', '/metrics', '/openapi/v2', '/apis', `${objects}?watch=1&resourceVersion=1`],
  ...['http://elsewhere/livez', 'https://elsewhere:443/api', 'elsewhere:443', 'http://', 'http:///api', '?', '#'],
  ...['/%00', '/%', '/%zz', '/\u00e9', '/a\tb', '/api/../..', '/..', `/${'x'.repeat(5000)}`, `/?${'a=b&'.repeat(500)}`],
];

const versions: readonly string[] = [
  ...['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/0.9'],
  ...['HTTP/2.0', 'HTTP/9.9', 'HTTP/1.', 'ICE/1.0', ''],
];

const headers: readonly string[] = [
  ...['Host: a', 'Host: a', 'Host:', 'Host: a\r\nHost: b', 'hOsT: a b', 'Connection: close', 'Connection: keep-alive'],
  ...[
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13',
  ],
  ...[
    'Connection: Upgrade\r\nUpgrade: SPDY/3.1',
    'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: ',
  ],
  ...['Connection: host, authorization', 'Connection:', 'Upgrade: websocket', 'Expect: 100-continue', 'Expect: 200-ok'],
  ...['Content-Length: 5', 'Content-Length: 0', 'Content-Length: -1', 'Content-Length: 5\r\nContent-Length: 6'],
  ...['Content-Length: 99999999999999999999', 'Content-Length: 5, 5', 'Content-Length: 0x5', 'Content-Length: 4000000'],
  ...['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked', 'Transfer-Encoding: gzip, chunked', 'TE: trailers'],
  ...[
    'Transfer-Encoding: chunked\r\nContent-Length: 5',
    'Transfer-Encoding: identity',
    'Transfer-Encoding: \x0bchunked',
  ],
  ...['Content-Type: application/json', 'Content-Type: application/yaml', 'Content-Type: application/apply-patch+yaml'],
  ...['Content-Type: application/vnd.kubernetes.protobuf', 'Content-Encoding: gzip', 'Accept: */*', 'Accept: ,;q=;'],
  ...[
    'Accept-Encoding: gzip',
    'X: \u00ff\u0080',
    'X : y',
    ' folded',
    'X: a\r\n b',
    ': empty',
    'X\u0000: y',
    'X: \u0000',
  ],
  ...[
    'X: y\nZ: w',
    'X: y\rZ: w',
    'Trailer: X',
    'Range: bytes=0-1',
    'If-None-Match: *',
    'Impersonate-User: a',
    'Cookie: a=b',
  ],
  ...['Audit-ID: \u00e9', `X: ${'y'.repeat(3000)}`, 'Sec-WebSocket-Protocol: base64url.bearer.authorization.k8s.io.eA'],
];

const chunks: readonly string[] = [
  ...['5\r\nhello\r\n', '5;a=b;c="d\\"e"\r\nhello\r\n', `5;${'x'.repeat(2000)}\r\nhello\r\n`, '0005\r\nhello\r\n'],
  ...[
    '0\r\n\r\n',
    '0\r\nX: y\r\nContent-Length: 5\r\n\r\n',
    '-1\r\n\r\n',
    'ffffffffffffffff\r\n',
    '5\nhello\n',
    '5\r\nhelloworld\r\n',
  ],
  ...['5 \r\nhello\r\n', '\r\n', 'x\r\n', '0\r\n\u0000: y\r\n\r\n', `0\r\n${'X: y\r\n'.repeat(300)}\r\n`],
];

const bodies: readonly string[] = [
  ...['hello', '{}', '{"metadata":{"name":"a"}}', '{"metadata":{"name":"a"},"data":{"a":"b"}}', '[', '"', '\u0000'],
  ...[
    '{'.repeat(500),
    'a: &a [*a]',
    'k8s\u0000\n',
    `{"data":{"a":"${'x'.repeat(20_000)}"}}`,
    '\u0081\u0080\u0001\u0002\u0003\u0004',
  ],
];

/** A request that a client might send, or one that is almost that; without a body that its head announces, too. */
function requestOf(random: Random, token: string): string {
  const lines = [`${random.pick(methods)} ${random.pick(targets)} ${random.pick(versions)}`];
  if (!random.once(10)) lines.push('Host: a');
  if (!random.once(5)) lines.push(`Authorization: Bearer ${token}`);
  for (let count = random.below(4); count > 0; count--) lines.push(random.pick(headers));
  const head = `${lines.join('\r\n')}\r\n\r\n`;
  if (/chunked/.test(head)) return head + Array.from({ length: random.below(5) }, () => random.pick(chunks)).join('');
  const length = Number(/Content-Length: (\d+)/.exec(head)?.[1] ?? 0);
  if (length === 5) return `${head}hello`;
  return random.once(3) ? withBody(head, random.pick(bodies)) : head;
}

const withBody = (head: string, body: string) =>
  `${head.slice(0, -2)}Content-Length: ${body.length}\r\nContent-Type: application/json\r\n\r\n${body}`;

/** What a client of HTTP/1.1 says on one connection, one request behind the other. */
export const http1Bytes = (random: Random, token: string): Buffer =>
  Buffer.from(Array.from({ length: 1 + random.below(4) }, () => requestOf(random, token)).join(''), 'latin1');
