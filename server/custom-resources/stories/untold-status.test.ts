import { expect, it } from 'vitest';
import { startTestServer } from '../../stories/test-server.fixture.ts';
import { defineThings } from '../definition/definition.fixture.ts';

it('tells who set the fields of a kind that has a status apart, of which its schema says nothing', async () => {
  const server = await startTestServer();
  try {
    const schema = { openAPIV3Schema: { type: 'object', properties: { size: { type: 'integer' } } } };
    await defineThings(server, { schema, subresources: { status: {} } }, 'Cluster');
    const made = await server.post('/apis/example.com/v1/things?fieldManager=m', {
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      metadata: { name: 'one' },
      size: 3,
      status: { seen: true },
    });
    expect(made.status).toBe(201);
    expect(made.body).not.toHaveProperty('status');
    expect(made.body.metadata.managedFields).toMatchObject([{ manager: 'm', fieldsV1: { 'f:size': {} } }]);
  } finally {
    await server.stop();
  }
});
