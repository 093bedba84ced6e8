import { afterAll, beforeAll, expect, it } from 'vitest';
import { things } from '../../custom-resources/definition/definition.fixture.ts';
import { longestTurn, watchStandstill } from '../standstill.fixture.ts';
import { startTestServer, type TestServer } from '../test-server.fixture.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const path = '/apis/example.com/v1/namespaces/default/things';

let server: TestServer;
const standstill = watchStandstill();
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));

it('a list of many items, each of which fits the last of many schemas, holds nobody up', async () => {
  const last = 499;
  const items = {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    anyOf: times(last + 1, (n) => ({ required: [`a${n}`] })),
  };
  const schema = { openAPIV3Schema: { type: 'object', properties: { items: { type: 'array', items } } } };
  expect((await server.post(definitions, things({ schema }))).status).toBe(201);
  await expect.poll(async () => (await server.get(path)).status).toBe(200);
  const thing = { kind: 'Thing', apiVersion: 'example.com/v1', metadata: { name: 'a' } };
  const body = JSON.stringify({ ...thing, items: times(8_000, () => ({ [`a${last}`]: 1 })) });
  standstill.take();
  const { status } = await server.post(path, body);
  expect(standstill.take()).toBeLessThan(longestTurn);
  expect(status).toBe(201);
  await server.delete(`${definitions}/things.example.com`);
});

it('a long text that fits a pattern in very many ways, and then does not, holds nobody up', async () => {
  const schema = (pattern: string) => ({
    openAPIV3Schema: { type: 'object', properties: { text: { type: 'string', pattern } } },
  });
  expect((await server.post(definitions, things({ schema: schema('[ab]*a[ab]{901}[cd]') }))).status).toBe(201);
  await expect.poll(async () => (await server.get(path)).status).toBe(200);
  const thing = { kind: 'Thing', apiVersion: 'example.com/v1', metadata: { name: 'b' } };
  for (const [end, code] of [
    ['c', 201],
    ['', 422],
  ] as const) {
    const text = `${'aab'.repeat(20_000)}${end}`;
    standstill.take();
    expect((await server.post(path, { ...thing, text })).status).toBe(code);
    expect(standstill.take()).toBeLessThan(longestTurn);
  }
  standstill.take();
  const many = await server.post(definitions, things({ schema: schema('[a-z]{1000}'.repeat(100)) }));
  expect(standstill.take()).toBeLessThan(longestTurn);
  expect([many.status, many.body.message]).toEqual([422, expect.stringContaining('with its repetitions written out')]);
  await server.delete(`${definitions}/things.example.com`);
});

it('a definition of very many properties holds nobody up', async () => {
  const fields = Object.fromEntries(times(40_000, (n) => [`field${n}`, { type: 'string' }]));
  const spec = { type: 'object', properties: fields };
  const body = JSON.stringify(things({ schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } }));
  standstill.take();
  const { status } = await server.post(definitions, body);
  expect(standstill.take()).toBeLessThan(longestTurn);
  expect(status).toBe(201);
  await server.delete(`${definitions}/things.example.com`);
});

it('many definitions hold nobody up when OpenAPI tells of them', async () => {
  const properties = Object.fromEntries(times(2500, (n) => [`field${n}`, { type: 'string', description: 'A text.' }]));
  const { spec } = things({ schema: { openAPIV3Schema: { type: 'object', properties } } });
  const groups = times(60, (n) => `group${n}.example.com`);
  for (const group of groups)
    await server.post(definitions, { metadata: { name: `things.${group}` }, spec: { ...spec, group } });
  const lastGroup = async () => (await server.get(`/apis/${groups.at(-1)}/v1`)).status;
  await expect.poll(lastGroup).toBe(200);
  for (const [path, accept] of [
    ['/openapi/v3', 'application/json'],
    ['/openapi/v2', 'application/json'],
    ['/openapi/v2', 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'],
  ] as const) {
    standstill.take();
    const { text } = await server.get(path, { accept });
    expect(standstill.take(), `${path} ${accept}`).toBeLessThan(longestTurn);
    expect(text).toContain(groups.at(-1));
  }
});
