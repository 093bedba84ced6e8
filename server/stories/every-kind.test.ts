import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleOf } from '../../fixtures/objects.ts';
import { apiVersionOf, type Json } from '../base/kube-object.ts';
import { builtInResources, structureOfKind } from '../schema/load.ts';
import { fitting } from '../schema/structure.fixture.ts';
import type { StructType } from '../schema/structure.ts';
import { type Answer, isFailure, startTestServer, type TestServer } from './test-server.fixture.ts';

let server: TestServer;
const faults: string[] = [];
beforeAll(async () => {
  const error = (message: string, cause: unknown) =>
    void faults.push(`${message}: ${(cause as Error)?.stack ?? cause}`);
  server = await startTestServer({ log: { info() {}, debug() {}, error } });
});
afterAll(async () => {
  await server.stop();
  // A 500 is a defect of the server, whatever the request was.
  expect([...new Set(faults)].map((fault) => fault.slice(0, 500))).toEqual([]);
});

const resources = builtInResources()
  .filter(({ verbs }) => verbs.includes('create') && verbs.includes('get'))
  .map(({ group, version, kind, resource, namespaced, subresources }) => ({
    kind,
    apiVersion: apiVersionOf(group, version),
    path: `${group ? `/apis/${group}` : '/api'}/${version}/${namespaced ? 'namespaces/default/' : ''}${resource}`,
    structure: structureOfKind(group, version, kind) as StructType,
    hasStatus: subresources.some(({ name }) => name === 'status'),
  }));

function expectSound({ status, body, text }: Answer, what: string): void {
  const said = `${what}: ${status} ${text.slice(0, 400)}`;
  if (status >= 400) expect(isFailure(body, status), said).toBe(true);
  expect(status, said).not.toBe(500);
}

const nameOf = (kind: string) =>
  kind === 'APIService' ? 'v1.example.com' : kind === 'CustomResourceDefinition' ? 'things.example.com' : 'sample';

const filledByReads: ReadonlySet<string> = new Set(['Job', 'PersistentVolume', 'PersistentVolumeClaim']);

describe.each(resources)('$kind of $apiVersion', ({ kind, apiVersion, path, structure, hasStatus }) => {
  const content = fitting(structure) as fc.Arbitrary<{ [key: string]: Json }>;
  const named = (object: { [key: string]: Json }, name: string) => ({
    ...object,
    kind,
    apiVersion,
    metadata: { ...(object['metadata'] as object), name },
  });

  it('lives through every verb', async () => {
    const name = nameOf(kind);
    const item = `${path}/${name}`;
    const sample = sampleOf(kind, apiVersion, name);
    const created = await server.post(path, sample);
    expectSound(created, 'create');
    if (created.status !== 201) return;
    let read = await server.get(item);
    expect(read.body).toEqual(created.body);
    // Reading fills in labels of a Job, and the phase of volumes and claims: the first write of what was read is a change.
    if (filledByReads.has(kind)) read = await server.put(item, read.body);
    const same = await server.put(item, read.body);
    expectSound(same, 'the same again');
    if (same.status === 200) expect(same.body.metadata.resourceVersion).toBe(read.body.metadata.resourceVersion);
    const label = { metadata: { labels: { a: 'b' } } };
    expectSound(await server.patch(item, label, 'application/merge-patch+json'), 'merge patch');
    expectSound(
      await server.patch(item, { metadata: { annotations: { a: 'b' } } }, 'application/strategic-merge-patch+json'),
      'strategic merge patch',
    );
    expectSound(
      await server.patch(item, [{ op: 'remove', path: '/metadata/labels' }], 'application/json-patch+json'),
      'JSON patch',
    );
    expectSound(
      await server.patch(`${item}?fieldManager=m&force=true`, sample, 'application/apply-patch+yaml'),
      'apply',
    );
    for (const accept of [
      'application/yaml',
      'application/vnd.kubernetes.protobuf',
      'application/json;as=Table;v=v1;g=meta.k8s.io',
    ]) {
      expect((await server.get(item, { accept })).status, accept).toBe(200);
      expect((await server.get(path, { accept })).status, accept).toBe(200);
    }
    if (hasStatus) {
      const status = structure.fields.get('status')?.type;
      const values = status ? fc.sample(fitting(status), 8) : [];
      for (const value of values) {
        expectSound(
          await server.patch(`${item}/status`, { status: value }, 'application/merge-patch+json'),
          `status ${JSON.stringify(value)}`,
        );
      }
    }
    expectSound(await server.delete(item), 'delete');
  });

  it('is sound whatever it is made of', async () => {
    const property = fc.asyncProperty(content, async (object) =>
      expectSound(await server.post(`${path}?dryRun=All`, named(object, nameOf(kind))), 'create'),
    );
    await fc.assert(property, { numRuns: 12 });
  });
});
