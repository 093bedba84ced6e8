import { describe, expect, it } from 'vitest';
import { deploymentResource, mapOf, Registry } from '../call.fixture.ts';
import { create } from '../create.ts';
import { patch } from '../patch.ts';

const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };

describe('who set what', () => {
  const made = async (conditions: object[]) => {
    const call = new Registry().call({ resource: deploymentResource });
    const spec = { selector: { matchLabels: { a: 'b' } }, template: structuredClone(template) };
    const sent = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, spec, status: { conditions } };
    return (await create(call, sent as never)).object.metadata.managedFields;
  };

  it('is told of an object whose status, which is not set here, could be told apart', async () => {
    expect(await made([{ type: 'Available', status: 'True' }])).toHaveLength(1);
  });

  it('is not told where the elements of a list cannot be told apart', async () => {
    const twice = ['True', 'False'].map((status) => ({ type: 'Available', status }));
    expect(await made(twice)).toBeUndefined();
  });

  it.each([
    ['merge', { metadata: { managedFields: [] } }],
    ['merge', { metadata: { managedFields: [{}] } }],
    ['json', [{ op: 'replace', path: '/metadata/managedFields', value: [] }]],
    ['strategic-merge', { metadata: { managedFields: [{ $patch: 'replace' }] } }],
  ] as const)('is forgotten by a %s patch that says that there is nobody: %j', async (type, body) => {
    const registry = new Registry();
    const { object } = await create(registry.call(), mapOf('one', {}, { a: '1' }));
    expect(object.metadata.managedFields).toHaveLength(1);
    const patched = await patch(registry.call(), `application/${type}-patch+json`, Buffer.from(JSON.stringify(body)));
    expect(patched.object.metadata.managedFields).toBeUndefined();
  });
});

describe('an apply that says what belongs to the server', () => {
  const applied = async (metadata: object) => {
    const registry = new Registry();
    await create(registry.call(), mapOf('one', {}, { a: '1' }));
    const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one', ...metadata } };
    const call = registry.call({ options: { ...registry.call().options, fieldManager: 'm' } });
    return patch(call, 'application/apply-patch+yaml', Buffer.from(JSON.stringify(config)));
  };

  it.each([{ creationTimestamp: 5 }, { creationTimestamp: 'x' }, { generation: 1.5 }])(
    'is refused where it is of the wrong type: %j',
    async (metadata) => {
      await expect(applied(metadata)).rejects.toMatchObject({ status: { code: 400 } });
    },
  );

  it.each([{ creationTimestamp: '2020-01-01T00:00:00Z' }, { generation: 7 }, { selfLink: '/x' }])(
    'changes nothing: %j',
    async (metadata) => {
      const { object } = await applied(metadata);
      expect(object.metadata).toMatchObject({ creationTimestamp: '2024-01-02T03:04:05Z' });
      expect(object.metadata).not.toHaveProperty('generation');
      expect(object.metadata).not.toHaveProperty('selfLink');
    },
  );
});
