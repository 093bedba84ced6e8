import { defineRule, type Rule } from '../../rule.ts';
import { answerHeader, answerStatus, changeBytes, requestHeader } from '../../sabotage/transforms.ts';
import { customType } from '../../verbs/custom-types.ts';
import {
  configMapBytes,
  type Envelope,
  hasMagic,
  protobufType,
  readEnvelope,
  writeEnvelope,
} from '../../verbs/protobuf.ts';

const accept = { headers: { accept: protobufType } };
const reads = { method: 'GET', header: { accept: /protobuf/ } };
const writes = { method: 'POST', header: { 'content-type': /protobuf/ } };
const typeMeta = { apiVersion: 'v1', kind: 'ConfigMap' };

const spoilEnvelope = (name: string, change: (envelope: Envelope) => Partial<Envelope>) =>
  changeBytes(
    name,
    (bytes) => {
      const envelope = readEnvelope(bytes);
      return writeEnvelope({ ...envelope, ...change(envelope) });
    },
    reads,
  );

/** Something about the envelope of what a read answers. */
const envelopeRule = (
  id: string,
  sabotage: ReturnType<typeof spoilEnvelope>,
  holds: (envelope: Envelope, name: string) => boolean,
): Rule =>
  defineRule(id, {
    needs: ['protobuf'],
    sabotage,
    async check({ configMaps, expect }) {
      const { metadata } = await configMaps.create({ data: { a: 'one' } });
      const { bytes, status } = await configMaps.get(metadata.name, '', accept);
      expect(status).toBe(200);
      const envelope = readEnvelope(bytes);
      expect(
        holds(envelope, metadata.name),
        `what the envelope holds: ${JSON.stringify({ ...envelope, raw: envelope.raw.length })}`,
      ).toBe(true);
    },
  });

export default [
  defineRule('content.protobuf.accept', {
    needs: ['protobuf'],
    sabotage: [requestHeader('accept', undefined, reads), answerHeader('content-type', 'application/json', reads)],
    async check({ configMaps, roles, expect }) {
      for (const kind of [configMaps, roles]) {
        const { metadata } = await kind.create();
        for (const answer of [await kind.get(metadata.name, '', accept), await kind.getAll('', accept)]) {
          expect(answer.status, kind.at.kind).toBe(200);
          expect(answer.headers['content-type'], kind.at.kind).toMatch(/^application\/vnd\.kubernetes\.protobuf/);
          expect(hasMagic(answer.bytes), kind.at.kind).toBe(true);
        }
      }
    },
  }),

  defineRule('content.protobuf.content-type', {
    needs: ['protobuf'],
    sabotage: answerStatus(415, writes),
    async check({ configMaps, unique, expect }) {
      const name = unique();
      const body = writeEnvelope({ ...typeMeta, raw: configMapBytes(name, { a: 'one' }) });
      const { status } = await configMaps.post(body, '', { headers: { 'content-type': protobufType } });
      expect(status).toBe(201);
      expect((await configMaps.get(name)).body?.data).toEqual({ a: 'one' });
    },
  }),

  defineRule('content.protobuf.not-custom', {
    needs: ['protobuf', 'crd'],
    sabotage: answerStatus(200, { ...reads, instead: 406 }),
    async check(context) {
      const things = await customType(context, {});
      const { metadata } = await things.create();
      context.expect((await things.get(metadata.name)).status, 'JSON').toBe(200);
      context.expect((await things.get(metadata.name, '', accept)).status, 'protobuf').toBe(406);
    },
  }),

  defineRule('content.protobuf.magic', {
    needs: ['protobuf'],
    sabotage: changeBytes(
      'begins with other bytes',
      (bytes) => Buffer.concat([Buffer.from('k8s!'), bytes.subarray(4)]),
      reads,
    ),
    async check({ configMaps, expect }) {
      const { metadata } = await configMaps.create();
      const { bytes } = await configMaps.get(metadata.name, '', accept);
      expect(bytes.subarray(0, 4).toString('hex')).toBe('6b387300');
      expect(readEnvelope(bytes).raw.length).toBeGreaterThan(0);
    },
  }),

  envelopeRule(
    'content.protobuf.type-meta',
    spoilEnvelope('names another kind', () => ({ kind: 'Secret' })),
    ({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'ConfigMap',
  ),

  envelopeRule(
    'content.protobuf.raw',
    spoilEnvelope('leaves out the object', () => ({ raw: Buffer.alloc(0) })),
    ({ raw }, name) => raw.includes(name) && raw.includes('one'),
  ),

  envelopeRule(
    'content.protobuf.content-encoding',
    spoilEnvelope('tells an encoding', () => ({ contentEncoding: 'gzip' })),
    ({ contentEncoding }) => contentEncoding === '',
  ),

  envelopeRule(
    'content.protobuf.envelope-content-type',
    spoilEnvelope('tells JSON', () => ({ contentType: 'application/json' })),
    ({ contentType }) => contentType === '' || contentType === protobufType,
  ),
];
