import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ManagedFieldsEntry } from '../../base/kube-object.ts';
import { startTestServer, type TestServer } from '../../stories/test-server.fixture.ts';
import type { Definition, DefinitionVersion } from '../definition-shape.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const text = { type: 'string' };
const merge = 'application/merge-patch+json';
const apply = 'application/apply-patch+yaml';
const status = { status: {} };

type Version = Partial<DefinitionVersion> & { readonly fields?: object };

const version = (name: string, { fields = { a: text }, ...more }: Version = {}) => ({
  name,
  served: true,
  storage: false,
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: { type: 'object', properties: fields },
        status: { type: 'object', properties: { s: text } },
      },
    },
  },
  ...more,
});

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** A kind of its own, and one object of it. */
class Kind {
  readonly #plural: string;
  constructor(plural: string) {
    this.#plural = plural;
  }
  path = (name: string, at = 'one') => `/apis/example.com/${name}/namespaces/default/${this.#plural}/${at}`;
  async define(...versions: object[]) {
    const names = { plural: this.#plural, kind: 'Thing', listKind: `${this.#plural}List` };
    const name = `${this.#plural}.example.com`;
    const found = await server.get(`${definitions}/${name}`);
    const spec = { group: 'example.com', scope: 'Namespaced', names: { ...names, kind: this.#plural }, versions };
    const definition = { ...(found.body as Definition), metadata: { name, ...found.body.metadata }, spec };
    const { status: code } = await (found.status === 200
      ? server.put(`${definitions}/${name}`, definition)
      : server.post(definitions, { metadata: { name }, spec }));
    expect(code).toBeLessThan(300);
    await server.settle();
  }
  #body = (at: string, more: object) => ({
    apiVersion: `example.com/${at}`,
    kind: this.#plural,
    metadata: { name: 'one' },
    ...more,
  });
  create = (at: string, more: object = {}) =>
    server.post(`${this.path(at, '')}?fieldManager=maker`.replace('/?', '?'), this.#body(at, more));
  merge = (at: string, patch: object, sub = '') =>
    server.patch(`${this.path(at)}${sub}?fieldManager=merger`, patch, merge);
  apply = (at: string, more: object, manager = 'applier') =>
    server.patch(`${this.path(at)}?fieldManager=${manager}&force=true`, this.#body(at, more), apply);
  read = async (at: string) => (await server.get(this.path(at))).body;
  owners = async (at: string) =>
    Object.fromEntries(
      ((await this.read(at)).metadata.managedFields ?? []).map(({ manager, fieldsV1 }: ManagedFieldsEntry) => [
        manager,
        fieldsV1,
      ]),
    );
}

describe('a kind of several versions', () => {
  it('counts what changed in the version of the request, whatever the stored one loses', async () => {
    const kind = new Kind('counted');
    await kind.define(version('v1', { storage: true, fields: { a: text, b: text } }), version('v2'));
    await kind.create('v1', { spec: { a: 'x', b: 'y' } });
    const { body } = await kind.merge('v2', { metadata: { labels: { l: '1' } } });
    expect(body.metadata.generation).toBe(1);
    expect((await kind.read('v1')).spec).toEqual({ a: 'x' });
  });

  it('gives nobody the defaults of the stored version', async () => {
    const kind = new Kind('filled');
    const a = { type: 'string', default: 'x' };
    await kind.define(version('v1', { storage: true, fields: { a } }), version('v2', { fields: { a: text, b: text } }));
    await kind.create('v2', { spec: { b: 'y' } });
    expect((await kind.read('v1')).spec).toEqual({ a: 'x' });
    expect(await kind.owners('v1')).toEqual({ maker: { 'f:spec': { '.': {}, 'f:b': {} } } });
  });

  it('resets what belongs to the status in the version of the request alone', async () => {
    const kind = new Kind('reset');
    await kind.define(version('v1', { storage: true, subresources: status }), version('v2'));
    await kind.create('v2', { spec: { a: 'x' }, status: { s: '1' } });
    const { body } = await kind.merge('v1', { status: { s: '2' } });
    expect(body.status).toEqual({ s: '1' });
    expect(await kind.owners('v1')).toEqual({ maker: { 'f:spec': { '.': {}, 'f:a': {} }, 'f:status': {} } });
  });

  it('refuses to apply what a version in which somebody else wrote does not know', async () => {
    const kind = new Kind('refused');
    await kind.define(version('v1', { storage: true, fields: { a: text, b: text } }), version('v2'));
    await kind.apply('v2', { spec: { a: 'x' } }, 'other');
    const { status: code, body } = await kind.apply('v1', { spec: { a: 'x', b: 'y' } });
    expect([code, body.message]).toEqual([422, 'failed to convert the object: .spec.b: field not declared in schema']);
  });

  it('gives no defaults by a write to the status', async () => {
    const kind = new Kind('told');
    const d = { type: 'string', default: 'x' };
    await kind.define(
      version('v1', { storage: true, fields: { a: text, d: text } }),
      version('v2', { fields: { a: text, d }, subresources: status }),
    );
    await kind.create('v1', { spec: { a: 'x' } });
    expect((await kind.merge('v2', { status: { s: '1' } }, '/status')).body.spec).toEqual({ a: 'x' });
  });

  it('gives no defaults by an apply that changes nothing', async () => {
    const kind = new Kind('applied');
    const d = { type: 'string', default: 'x' };
    await kind.define(
      version('v1', { storage: true, fields: { a: text, d: text } }),
      version('v2', { fields: { a: text, d } }),
    );
    await kind.create('v1', { spec: { a: 'x' } });
    const { body } = await kind.apply('v2', { spec: { a: 'x' } });
    expect([body.spec, body.metadata.generation]).toEqual([{ a: 'x' }, 1]);
  });
});

describe('a definition that is deleted', () => {
  it('waits for its objects whatever becomes of dependents, and takes new ones once they are gone', async () => {
    const kind = new Kind('ending');
    await kind.define(version('v1', { storage: true }));
    await kind.create('v1', { metadata: { name: 'one', finalizers: ['example.com/f'] } });
    const path = `${definitions}/ending.example.com`;
    await server.patch(path, { metadata: { finalizers: ['example.com/f'] } }, merge);
    const { body } = await server.delete(`${path}?propagationPolicy=Orphan`);
    expect(body.metadata.finalizers).toEqual(['example.com/f', 'customresourcecleanup.apiextensions.k8s.io']);
    expect((await kind.create('v1', { metadata: { name: 'two' } })).status).toBe(405);
    await kind.merge('v1', { metadata: { finalizers: null } });
    await server.settle();
    const { metadata, status: told } = (await server.get(path)).body as Definition;
    expect([metadata.finalizers, told?.conditions?.at(-1)?.reason]).toEqual([
      ['example.com/f'],
      'InstanceDeletionCompleted',
    ]);
    expect((await kind.create('v1')).status).toBe(201);
    await server.patch(path, { metadata: { finalizers: null } }, merge);
    expect((await server.get(path)).status).toBe(404);
  });
});

describe('an object whose definition changes', () => {
  it('gets new defaults with its next write, which is no new generation', async () => {
    const kind = new Kind('late');
    await kind.define(version('v1', { storage: true }));
    const { body: made } = await kind.create('v1', { spec: {} });
    await kind.define(version('v1', { storage: true, fields: { a: { type: 'string', default: 'x' } } }));
    const { body } = await kind.merge('v1', {});
    expect([body.spec, body.metadata.generation]).toEqual([{ a: 'x' }, 1]);
    expect(body.metadata.resourceVersion).not.toBe(made.metadata.resourceVersion);
  });

  it('tells no more who wrote it once a version in which somebody did is gone, and cannot be applied to before', async () => {
    const kind = new Kind('gone');
    await kind.define(version('v1', { storage: true }), version('v2'));
    await kind.create('v2', { spec: { a: 'x' } });
    await kind.define(version('v1', { storage: true }));
    expect((await kind.apply('v1', { spec: { a: 'y' } })).status).toBe(422);
    expect((await kind.merge('v1', {})).body.metadata.managedFields).toBeUndefined();
  });

  it('cannot be read once the version in which it is stored is gone', async () => {
    const kind = new Kind('lost');
    await kind.define(version('v1', { storage: true }), version('v2'));
    await kind.create('v1', { spec: { a: 'x' } });
    await kind.define(version('v1'), version('v2', { storage: true }));
    await server.patch(`${definitions}/lost.example.com/status`, { status: { storedVersions: ['v2'] } }, merge);
    await kind.define(version('v2', { storage: true }));
    expect((await server.get(kind.path('v2'))).status).toBe(500);
    expect((await server.get(kind.path('v2', '').slice(0, -1))).status).toBe(500);
    expect((await server.delete(kind.path('v2'))).status).toBe(500);
  });

  it('owns as one what became atomic since, by any write', async () => {
    const kind = new Kind('atomic');
    const map = { type: 'object', additionalProperties: text };
    await kind.define(version('v1', { storage: true, fields: { map } }));
    await kind.apply('v1', { spec: { map: { a: 'x' } } });
    await kind.define(version('v1', { storage: true, fields: { map: { ...map, 'x-kubernetes-map-type': 'atomic' } } }));
    await kind.merge('v1', {});
    expect(await kind.owners('v1')).toEqual({ applier: { 'f:spec': { 'f:map': {} } } });
  });

  it('may hold in a set twice what it held before, until it once does not', async () => {
    const kind = new Kind('twice');
    const list = { type: 'array', items: text };
    await kind.define(version('v1', { storage: true, fields: { list } }));
    await kind.create('v1', { spec: { list: ['x', 'x'] } });
    await kind.define(version('v1', { storage: true, fields: { list: { ...list, 'x-kubernetes-list-type': 'set' } } }));
    const statuses = [];
    for (const given of [
      ['y', 'y', 'z'],
      ['y', 'z'],
      ['y', 'y'],
    ])
      statuses.push((await kind.merge('v1', { spec: { list: given } })).status);
    expect(statuses).toEqual([200, 200, 422]);
  });

  it('is answered as it was when its last finalizer goes', async () => {
    const kind = new Kind('ended');
    const z = { type: 'string', default: 'x' };
    await kind.define(version('v1', { fields: { a: text, z } }), version('v2', { storage: true }));
    await kind.create('v1', { metadata: { name: 'one', finalizers: ['example.com/f'] }, spec: { a: 'y' } });
    await server.delete(kind.path('v1'));
    expect((await kind.merge('v1', { metadata: { finalizers: null } })).body.spec).toEqual({ a: 'y', z: 'x' });
  });
});
