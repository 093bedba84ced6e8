import { entryOf } from '../../checks/apply/managed-fields.ts';
import { keepsDefinition } from '../../checks/custom/definitions-in-protobuf.ts';
import { answersWrites, envelopeOf, told } from '../../checks/requests/protobuf-answers.ts';
import { readsDeleteOptions } from '../../checks/requests/protobuf-deletes.ts';
import { defineRule, type Rule } from '../../rule.ts';
import {
  answerHeader,
  answerStatus,
  changeBytes,
  ignoreQuery,
  loseWrite,
  requestHeader,
} from '../../sabotage/transforms.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { customType } from '../../verbs/custom-types.ts';
import type { Json } from '../../verbs/json.ts';
import { apiVersionOf, type KindPath } from '../../verbs/kinds.ts';
import { merged } from '../../verbs/merged.ts';
import {
  type Envelope,
  fieldOf,
  framesOf,
  itemsOf,
  laterFields,
  laterLayouts,
  metadataOf,
  protobufType,
  readEnvelope,
  renamed,
  writeEnvelope,
} from '../../verbs/protobuf.ts';
import { said } from '../../verbs/said.ts';
import { lasting, nameOf, wanted } from '../../verbs/states.ts';
import { builtInKinds, revisions } from '../../verbs/subjects.ts';

const accept = { headers: { accept: protobufType } };
const reads = { method: 'GET', header: { accept: /protobuf/ } };
const writes = { method: 'POST', header: { 'content-type': /protobuf/ } };

const spoilEnvelope = (name: string, change: (envelope: Envelope) => Partial<Envelope>) =>
  changeBytes(
    name,
    (bytes) => {
      const envelope = readEnvelope(bytes);
      return writeEnvelope({ ...envelope, ...change(envelope) });
    },
    reads,
  );

/** A list without its last item. */
function spoiltList(bytes: Buffer): Buffer {
  const envelope = readEnvelope(bytes);
  const last = itemsOf(envelope.raw).at(-1)?.length ?? 0;
  return writeEnvelope({
    ...envelope,
    raw: envelope.raw.subarray(0, envelope.raw.length - last - (last > 127 ? 3 : 2)),
  });
}

/** The names and texts in an object that protobuf holds as they are: no times, no bytes, and no type. */
function textsOf({ metadata }: Json): readonly string[] {
  const { name, uid, resourceVersion, annotations, managedFields = [] } = metadata;
  const managers = managedFields.flatMap(({ manager, apiVersion, fieldsV1 }: Json) => [
    ...[manager, apiVersion],
    ...Object.keys(fieldsV1 ?? {}),
  ]);
  return [name, uid, resourceVersion, ...Object.entries<string>(annotations).flat(), ...managers];
}

/** Times that are not set, as writers of Go send them: messages of nothing. Of an Event those that are deprecated. */
const untold: Readonly<Record<string, Buffer>> = {
  events: Buffer.concat([13, 14].map((number) => fieldOf(number))),
};

/** Something about the envelope of what a read answers. */
const envelopeRule = (
  id: string,
  sabotage: ReturnType<typeof spoilEnvelope>,
  holds: (envelope: Envelope, object: Json, at: KindPath) => boolean,
): Rule =>
  defineRule(id, {
    needs: ['protobuf'],
    matrix: { kind: builtInKinds },
    sabotage,
    async check({ objects, expect }) {
      const object = await objects.create({ metadata: { annotations: { a: 'one' } } });
      const { bytes, status } = await objects.get(nameOf(object), '', accept);
      expect(status).toBe(200);
      const envelope = readEnvelope(bytes);
      // A controller may have written it meanwhile.
      const holdsIt =
        holds(envelope, object, objects.at) || holds(envelope, await objects.read(nameOf(object)), objects.at);
      expect(holdsIt, `what the envelope holds: ${JSON.stringify({ ...envelope, raw: envelope.raw.length })}`).toBe(
        true,
      );
    },
  });

/** A body that begins otherwise is no protobuf, whatever follows. */
async function refusesOtherBeginnings(
  objects: Collection,
  expect: RuleContext['expect'],
  bytes: Buffer,
): Promise<void> {
  const rest = bytes.subarray(4);
  const bodies = {
    'other bytes': Buffer.concat([Buffer.from('k8s!'), rest]),
    'no such bytes': rest,
    JSON: Buffer.from(JSON.stringify(await objects.draft())),
  };
  for (const [what, body] of Object.entries(bodies)) {
    const { status } = await objects.post(body, { dryRun: 'All' }, { headers: { 'content-type': protobufType } });
    expect(status, `a body that begins with ${what}`).toBe(400);
  }
}

export default [
  // Reads of built-in kinds are answered in protobuf when `Accept` asks for it.
  defineRule('content.protobuf.accept', {
    needs: ['protobuf'],
    matrix: { kind: builtInKinds },
    sabotage: [
      requestHeader('accept', undefined, reads),
      answerHeader('content-type', 'application/json', reads),
      requestHeader('accept', undefined, { ...reads, path: /\/ingresses$/ }),
      requestHeader('accept', undefined, { ...reads, path: /\/scale$/ }),
      requestHeader('accept', undefined, { ...reads, method: ['PATCH', 'DELETE'] }),
      changeBytes('loses an item', (bytes) => spoiltList(bytes), { ...reads, path: /\/roles$/ }),
    ],
    async check(context, { kind }) {
      const { objects, expect } = context;
      const made = await objects.createMany(2, { metadata: { annotations: { 'example.com/empty': '' } } });
      const one = envelopeOf(context, 'get', await objects.get(nameOf(made[0]), '', accept));
      expect({ ...one, raw: '' }).toMatchObject({ kind: objects.at.kind, apiVersion: apiVersionOf(objects.at) });
      const all = envelopeOf(context, 'list', await objects.viewed('labels').getAll('', accept));
      expect(all.kind).toBe(`${objects.at.kind}List`);
      const page = envelopeOf(context, 'page', await objects.viewed('labels').getAll({ limit: 1 }, accept));
      expect(itemsOf(page.raw), 'of a page').toHaveLength(1);
      const items = itemsOf(all.raw).map(metadataOf);
      if (kind.busy) expect(items.map(({ uid }) => uid)).toEqual(made.map(({ metadata }) => metadata.uid));
      else {
        expect(metadataOf(one.raw)).toEqual(told(made[0]));
        expect(items).toEqual(made.map(told));
      }
      const missing = await objects.get('touchstone-missing', '', accept);
      expect(missing.status, 'what is missing').toBe(404);
      for (const [sub, shown] of [
        ...(kind.status ? [['status', objects.at.kind] as const] : []),
        ...(kind.name === 'deployments' ? [['scale', 'Scale'] as const] : []),
      ])
        expect(envelopeOf(context, sub, await objects.get(nameOf(made[0]), '', { sub, ...accept })).kind, sub).toBe(
          shown,
        );
      if (['secrets', 'leases', 'clusterroles', 'events'].includes(kind.name)) await answersWrites(context, made);
    },
  }),

  // Writes are read as protobuf when `Content-Type` says so.
  defineRule('content.protobuf.content-type', {
    needs: ['protobuf'],
    matrix: { kind: [...builtInKinds, revisions], parts: ['sample', 'edges'] },
    where: ({ kind, parts }) => parts === 'sample' || Object.keys(kind.edges).length > 0,
    sabotage: [
      answerStatus(415, writes),
      answerStatus(415, { ...writes, method: 'PUT' }),
      answerStatus(415, { ...writes, method: 'PUT', path: /\/status$/ }),
      loseWrite({ ...writes, path: /\/leases$/ }),
      answerStatus(200, { ...writes, method: 'DELETE', instead: 409 }),
      answerStatus(400, { ...writes, path: /\/controllerrevisions$/ }),
      ignoreQuery('fieldManager', writes),
    ],
    async check({ objects, unique, expect }, { kind, parts }) {
      const annotations = { 'example.com/empty': '', 'example.com/full': 'schön ✓ 語 😀' };
      const edges = parts === 'edges' ? kind.edges : {};
      const object = await objects.create(merged({ metadata: { annotations, finalizers: [] } }, edges));
      expect(object, 'as JSON').toMatchObject(edges);
      const headers = { 'content-type': protobufType };
      const { raw, ...envelope } = readEnvelope((await objects.get(nameOf(object), '', accept)).bytes);
      // What was read is what is there: to write it changes nothing.
      for (const sub of ['', ...(kind.status ? ['status'] : [])]) {
        const put = await objects.put(writeEnvelope({ ...envelope, raw }), '', { name: nameOf(object), sub, headers });
        expect([200, ...(kind.busy ? [409] : [])], `update ${sub}: ${said(put)}`).toContain(put.status);
      }
      const stored = await objects.read(nameOf(object));
      if (kind.busy) expect(stored, 'after the update').toMatchObject(edges);
      else expect(stored, 'after the update').toEqual(object);
      if (parts === 'sample') await readsDeleteOptions(objects, expect, stored);
      const name = unique();
      const sent = Buffer.concat([renamed(raw, name), untold[kind.name] ?? Buffer.alloc(0), laterFields, laterLayouts]);
      const query = { fieldManager: 'copier' };
      const copy = await objects.post(writeEnvelope({ ...envelope, raw: sent }), query, { headers });
      if (kind.name === 'services') return void expect(copy.status, 'its addresses are taken').toBe(422);
      if (kind.name === 'jobs') return void expect([201, 422], "its selector is another one's").toContain(copy.status);
      expect(copy.status, said(copy)).toBe(201);
      expect(entryOf(copy.body, 'copier'), 'the manager of the copy').toMatchObject({ operation: 'Update' });
      const { status, body: made } = await objects.get(name);
      expect(status, 'the copy, read').toBe(200);
      // A Namespace has its name for a label.
      const { name: _, labels: __, ...alike } = lasting(made).metadata;
      const { name: ___, labels: ____, ...expected } = lasting(object).metadata;
      expect({ ...wanted(lasting(made), kind), metadata: alike }, 'the copy').toEqual({
        ...wanted(lasting(object), kind),
        metadata: expected,
      });
    },
  }),

  // Custom resources cannot be had in protobuf.
  defineRule('content.protobuf.not-custom', {
    needs: ['protobuf', 'crd'],
    sabotage: [
      answerStatus(200, { ...reads, instead: 406 }),
      requestHeader('accept', undefined, { ...reads, header: { accept: /protobuf/ } }),
    ],
    async check(context) {
      const things = await customType(context, {});
      const { metadata } = await things.create();
      context.expect((await things.get(metadata.name)).status, 'JSON').toBe(200);
      context.expect((await things.get(metadata.name, '', accept)).status, 'protobuf').toBe(406);
      await keepsDefinition(context);
    },
  }),

  // A protobuf body opens with the four bytes `6b 38 73 00`, then comes a message Unknown.
  defineRule('content.protobuf.magic', {
    needs: ['protobuf'],
    matrix: { kind: builtInKinds },
    sabotage: changeBytes(
      'begins with other bytes',
      (bytes) => Buffer.concat([Buffer.from('k8s!'), bytes.subarray(4)]),
      reads,
    ),
    async check({ objects, expect }, { kind }) {
      const { metadata } = await objects.create();
      const reads = {
        get: await objects.get(metadata.name, '', accept),
        list: await objects.viewed('labels').getAll('', accept),
        refusal: await objects.get('touchstone-missing', '', accept),
      };
      for (const [what, { bytes }] of Object.entries(reads)) {
        expect(bytes.subarray(0, 4).toString('hex'), what).toBe('6b387300');
        expect(readEnvelope(bytes).raw.length, what).toBeGreaterThan(0);
      }
      await refusesOtherBeginnings(objects, expect, reads.get.bytes);
      if (!['secrets', 'jobs', 'clusterroles', 'events'].includes(kind.name)) return;
      const watched = await objects.viewed('labels').getAll({ watch: 1, timeoutSeconds: 1 }, accept);
      expect(watched.headers['content-type'], 'of a watch').toMatch(/^application\/vnd\.kubernetes\.protobuf/);
      const [event] = framesOf(watched.bytes);
      expect(event?.includes(metadata.name), 'the event of the object').toBe(true);
      expect(event?.includes('ADDED')).toBe(true);
    },
  }),

  // In the envelope field 1 names apiVersion and kind.
  envelopeRule(
    'content.protobuf.type-meta',
    spoilEnvelope('names another kind', () => ({ kind: 'Thing' })),
    ({ apiVersion, kind }, _, at) => apiVersion === apiVersionOf(at) && kind === at.kind,
  ),

  // In the envelope field 2 is the serialized object, whole.
  envelopeRule(
    'content.protobuf.raw',
    spoilEnvelope('leaves out the object', () => ({ raw: Buffer.alloc(0) })),
    ({ raw }, object) => textsOf(object).every((text) => raw.includes(text)),
  ),

  // In the envelope field 3 is the encoding, none when unset.
  envelopeRule(
    'content.protobuf.content-encoding',
    spoilEnvelope('tells an encoding', () => ({ contentEncoding: 'gzip' })),
    ({ contentEncoding }) => contentEncoding === '',
  ),

  // In the envelope field 4 is the media type, protobuf when unset.
  envelopeRule(
    'content.protobuf.envelope-content-type',
    spoilEnvelope('tells JSON', () => ({ contentType: 'application/json' })),
    ({ contentType }) => contentType === '' || contentType === protobufType,
  ),
];
