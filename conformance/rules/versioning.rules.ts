import { defineRule } from '../rule.ts';
import { pretendVersion } from '../sabotage/discovery.ts';
import { answerStatus, replaceIn } from '../sabotage/transforms.ts';
import { isBuiltIn, servedVersions } from '../verbs/discovery.ts';
import { configMapBytes, hasMagic, metadataOf, protobufType, readEnvelope, writeEnvelope } from '../verbs/protobuf.ts';

const headers = { 'content-type': protobufType, accept: protobufType };
/** Field 1000, of two bytes: no object has it, but one of a version to come may. */
const unknownField = Buffer.from([0xc2, 0x3e, 0x02, 0x61, 0x62]);

export default [
  // A stable version is a `v` and a number.
  defineRule('versioning.stable.name', {
    sabotage: pretendVersion('apps/stable'),
    async check({ send, expect }) {
      const versions = (await servedVersions(send)).filter(isBuiltIn);
      expect(versions).toEqual(expect.arrayContaining(['v1', 'apps/v1', 'autoscaling/v2']));
      const names = versions.map((groupVersion) => groupVersion.split('/').at(-1) ?? '');
      for (const name of names.filter((one) => !/alpha|beta/.test(one))) expect(name).toMatch(/^v\d+$/);
    },
  }),

  // The group stands in the path and in the body, and both must agree.
  defineRule('versioning.group-in-path-and-body', {
    sabotage: [
      replaceIn('apiVersion', { method: 'GET', path: /\/leases\// }),
      answerStatus(201, { method: 'POST', path: /\/leases$/, instead: 400 }),
    ],
    async check({ leases, expect }) {
      const { metadata } = await leases.create();
      expect(await leases.path()).toContain('/apis/coordination.k8s.io/v1/');
      expect((await leases.get(metadata.name)).body.apiVersion).toBe('coordination.k8s.io/v1');
      for (const apiVersion of ['coordination.k8s.io/v1beta1', 'apps/v1', 'v1']) {
        expect((await leases.post({ ...leases.sample(), apiVersion })).status, apiVersion).toBe(400);
      }
    },
  }),

  // It is version 1.25 that is described.
  defineRule('versioning.api-1-25', {
    sabotage: [
      replaceIn('minor', { with: '24', path: /^\/version$/ }),
      replaceIn('gitVersion', { with: 'v1.26.1', path: /^\/version$/ }),
    ],
    async check({ send, expect }) {
      const { status, body } = await send('GET', '/version');
      expect(status).toBe(200);
      expect(body.major).toBe('1');
      expect(body.minor).toMatch(/^25\+?$/);
      expect(body.gitVersion).toMatch(/^v1\.25\./);
    },
  }),

  // `--runtime-config` turns groups and resources on and off by a list of keys and values.
  defineRule('versioning.runtime-config', {
    flags: ['--runtime-config=api/all=true,batch/v1=false,autoscaling/v2beta2=false,apps/v1=true'],
    sabotage: [pretendVersion('batch/v1'), answerStatus(200, { path: /^\/apis\/batch\/v1$/, instead: 404 })],
    async check({ send, expect }) {
      const versions = await servedVersions(send);
      expect(versions, 'what is turned on').toContain('apps/v1');
      for (const off of ['batch/v1', 'autoscaling/v2beta2']) expect(versions, 'what is turned off').not.toContain(off);
      expect((await send('GET', '/apis/batch/v1')).status).toBe(404);
    },
  }),

  // What may change in JSON may change in protobuf, and no more.
  defineRule('versioning.json-protobuf-same', {
    needs: ['protobuf'],
    sabotage: [
      answerStatus(400, { method: 'POST', header: { 'content-type': /protobuf/ } }),
      answerStatus(400, { method: 'POST', header: { 'content-type': /json/ }, path: /\/configmaps$/ }),
      replaceIn('data', { method: 'GET', path: /\/configmaps\/[^/]+$/, with: { a: '1', later: '2' } }),
    ],
    async check({ configMaps, unique, expect }) {
      const [first, second] = [unique(), unique()];
      const sample = configMaps.sample({ metadata: { name: first }, data: { a: '1' }, later: { b: 2 } });
      const asJson = await configMaps.post(sample, { fieldValidation: 'Ignore' });
      expect(asJson.status, 'JSON with a field of a version to come').toBe(201);
      const raw = Buffer.concat([configMapBytes(second, { a: '1' }), unknownField]);
      const body = writeEnvelope({ apiVersion: 'v1', kind: 'ConfigMap', raw });
      const asProtobuf = await configMaps.post(body, undefined, { headers });
      expect(asProtobuf.status, 'protobuf with a field of a version to come').toBe(201);
      expect(hasMagic(asProtobuf.bytes), 'the answer is protobuf').toBe(true);
      expect(metadataOf(readEnvelope(asProtobuf.bytes).raw).name).toBe(second);
      for (const name of [first, second]) {
        const { data, later } = await configMaps.read(name);
        expect([data, later], `what is kept of ${name}`).toEqual([{ a: '1' }, undefined]);
      }
    },
  }),
];
