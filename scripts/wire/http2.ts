import type { Random } from '../../conformance/oracle/play/random.ts';

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

/** By their numbers in RFC 9113. */
const types = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  promise: 5,
  ping: 6,
  goAway: 7,
  window: 8,
  continuation: 9,
} as const;
const flags = { endStream: 1, ack: 1, endHeaders: 4, padded: 8, priority: 32 } as const;

function frame(type: number, flag: number, stream: number, payload: Buffer, length = payload.length): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(length & 0xffffff, 0, 3);
  head[3] = type;
  head[4] = flag;
  head.writeUInt32BE(stream >>> 0, 5);
  return Buffer.concat([head, payload]);
}

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};

/** A length in HPACK, before a text that is not compressed. */
function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'latin1');
  const head: number[] = [];
  let rest = bytes.length;
  if (rest < 127) head.push(rest);
  else {
    head.push(127);
    for (rest -= 127; rest >= 128; rest >>>= 7) head.push((rest & 127) | 128);
    head.push(rest);
  }
  return Buffer.concat([Buffer.from(head), bytes]);
}

/** Literal fields, not indexed. */
const block = (fields: readonly (readonly [string, string])[]): Buffer =>
  Buffer.concat(fields.flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]));

const objects = '/api/v1/namespaces/default/configmaps';
const paths: readonly string[] = [
  ...[objects, `${objects}?watch=1`, `${objects}/a`, '/livez', '/openapi/v2', '*', '', 'x', '/\u00e9', '/\u0000'],
  ...[
    'http://elsewhere/',
    `/${'x'.repeat(5000)}`,
    '/api/v1/namespaces/default/pods/a/exec?command=x',
    `${objects}?limit=1`,
  ],
];
const methods: readonly string[] = [
  'GET',
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'CONNECT',
  'OPTIONS',
  'x',
  '',
];

const odd: readonly (readonly [string, string])[] = [
  ...([
    ['connection', 'close'],
    ['transfer-encoding', 'chunked'],
    ['te', 'trailers'],
    ['te', 'gzip'],
  ] as const),
  ...([
    ['Upper', 'x'],
    ['', 'x'],
    ['x', '\u0000'],
    ['x', 'a\r\nb: c'],
    [':path', '/livez'],
    [':unknown', 'x'],
  ] as const),
  ...([
    ['expect', '100-continue'],
    ['content-length', '5'],
    ['content-length', '-1'],
    ['content-length', 'x'],
  ] as const),
  ...([
    ['content-type', 'application/json'],
    ['upgrade', 'websocket'],
    [':protocol', 'websocket'],
  ] as const),
  ...([
    ['host', 'b'],
    [':authority', 'c'],
    ['accept', 'application/yaml'],
    ['x', 'y'.repeat(5000)],
    [':status', '200'],
  ] as const),
];

function headersOf(random: Random, token: string): Buffer {
  const fields: (readonly [string, string])[] = [];
  if (!random.once(20)) fields.push([':method', random.pick(methods)]);
  if (!random.once(20)) fields.push([':path', random.pick(paths)]);
  if (!random.once(20)) fields.push([':scheme', random.pick(['https', 'https', 'http', 'x'])]);
  if (!random.once(5)) fields.push([':authority', 'a']);
  if (!random.once(5)) fields.push(['authorization', `Bearer ${token}`]);
  for (let count = random.below(3); count > 0; count--) fields.push(random.pick(odd));
  return block(random.once(10) ? random.shuffled(fields) : fields);
}

const bodies: readonly string[] = ['{"metadata":{"name":"a"}}', '{}', 'hello', '[', '', 'x'.repeat(16_000)];

/** A request on a stream of its own, whole or not. */
function request(random: Random, token: string, stream: number): Buffer[] {
  const ends = random.once(2) ? flags.endStream : 0;
  const whole = headersOf(random, token);
  const cut = random.once(6) ? random.below(whole.length + 1) : whole.length;
  const frames = [
    frame(types.headers, ends | (cut === whole.length ? flags.endHeaders : 0), stream, whole.subarray(0, cut)),
  ];
  if (cut < whole.length && !random.once(4))
    frames.push(frame(types.continuation, flags.endHeaders, stream, whole.subarray(cut)));
  if (ends) return frames;
  for (let count = random.below(3); count > 0; count--)
    frames.push(frame(types.data, random.once(2) ? flags.endStream : 0, stream, Buffer.from(random.pick(bodies))));
  // Trailers, or what looks like them.
  if (random.once(4)) frames.push(frame(types.headers, random.below(8), stream, block([random.pick(odd)])));
  if (random.once(4)) frames.push(frame(types.reset, 0, stream, number(random.below(16))));
  return frames;
}

/** One frame of any type, most of them out of place. */
function stray(random: Random, stream: number): Buffer {
  const of = random.once(3) ? 0 : random.once(3) ? stream + 100 : stream;
  const made: readonly (() => Buffer)[] = [
    () => frame(types.window, 0, of, number(random.pick([0, 1, 65_535, 0x7fffffff]))),
    () => frame(types.ping, random.below(2), 0, Buffer.alloc(random.pick([8, 8, 7]))),
    () => frame(types.settings, random.below(2), 0, settings(random)),
    () => frame(types.priority, 0, of, Buffer.concat([number(of), Buffer.from([0])])),
    () => frame(types.reset, 0, of, number(random.below(20))),
    () => frame(types.goAway, 0, 0, Buffer.concat([number(stream), number(random.below(14))])),
    () => frame(types.promise, flags.endHeaders, of, Buffer.concat([number(2), block([[':method', 'GET']])])),
    () => frame(types.data, flags.padded, of, Buffer.from([random.below(256), 1, 2, 3])),
    () => frame(types.headers, random.below(256), of, Buffer.from([random.below(256), random.below(256)])),
    () => frame(random.below(256), random.below(256), of, Buffer.alloc(random.below(20))),
    () => frame(random.below(10), 0, of, Buffer.alloc(10), random.pick([11, 9, 16_385, 0xffffff])),
  ];
  return random.pick(made)();
}

function settings(random: Random): Buffer {
  const each = () => {
    const bytes = Buffer.alloc(6);
    bytes.writeUInt16BE(random.below(9));
    bytes.writeUInt32BE(random.pick([0, 1, 100, 65_535, 0x7fffffff, 0xffffffff]), 2);
    return bytes;
  };
  return Buffer.concat(Array.from({ length: random.below(4) }, each));
}

/** What a client of HTTP/2 says on one connection. */
export function http2Bytes(random: Random, token: string): Buffer {
  const parts = [preface, frame(types.settings, 0, 0, random.once(5) ? settings(random) : Buffer.alloc(0))];
  let stream = 1;
  for (let count = 1 + random.below(8); count > 0; count--) {
    if (random.once(3)) parts.push(stray(random, stream));
    else parts.push(...request(random, token, stream));
    if (!random.once(10)) stream += 2;
  }
  return Buffer.concat(parts);
}
