import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configMaps } from '../../controllers/runtime/resources.ts';
import { type RunningServer, startServer } from '../start.ts';
import { type World, Worlds } from './worlds.ts';

const kubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
let server: RunningServer;
let worlds: Worlds;
let world: World;

beforeAll(async () => {
  server = await startServer({ faults: true });
  worlds = await Worlds.on(server);
  world = await worlds.enter(false);
});

afterAll(async () => {
  worlds.close();
  await server.stop();
});

describe('a world', () => {
  it('is a namespace that no other has, and goes', async () => {
    const other = await worlds.enter(false);
    expect(other.namespace).not.toBe(world.namespace);
    await worlds.leave(other);
    await expect(worlds.leave(other)).resolves.toBeUndefined();
  });

  it('applies documents in order: a definition, then an object of it, in its own namespace or where it says', async () => {
    const stored = await world.apply(`${definition}---
{ apiVersion: example.com/v1, kind: Tale, metadata: { name: one } }
---
---
{ apiVersion: v1, kind: ConfigMap, metadata: { name: two, namespace: default } }
---
{ apiVersion: v1, kind: ConfigMap, metadata: { name: two, namespace: default }, data: { again: "yes" } }
`);
    expect(stored.map(({ kind, metadata }) => [kind, metadata?.namespace])).toEqual([
      ['CustomResourceDefinition', undefined],
      ['Tale', world.namespace],
      ['ConfigMap', 'default'],
      ['ConfigMap', 'default'],
    ]);
  });

  it.each([
    ['what is no YAML', '{ unfinished', /Flow map|expected/i],
    ['what is no object', '- a list', 'a document of the YAML is no object'],
    [
      'a kind that is not served',
      '{ apiVersion: v1, kind: Nonsense, metadata: { name: a } }',
      'does not serve v1 Nonsense',
    ],
    ['an object without a kind', '{ metadata: { name: a } }', 'does not serve ? ?'],
  ])('refuses %s', async (_what, yaml, message) => {
    await expect(world.apply(yaml)).rejects.toThrow(message);
  });

  it.skipIf(!kubectl)('runs kubectl in its namespace', async () => {
    await world.kubectl('create', 'configmap', 'by-kubectl');
    expect(await world.kubectl('get', 'configmaps', '-o', 'name')).toBe('configmap/by-kubectl\n');
    await expect(world.kubectl('get', 'configmap', 'missing')).rejects.toThrow('not found');
  });
});

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: tales.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: tales, kind: Tale }
  versions:
    - { name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }
`;

describe('the report of a world', () => {
  it('has the very last request, and none of its own', async () => {
    await world.apply('{ apiVersion: v1, kind: ConfigMap, metadata: { name: last } }');
    const report = await world.report();
    expect(report).toContain(`201 PATCH  /api/v1/namespaces/${world.namespace}/configmaps/last`);
    expect(report).not.toContain(`/namespaces/${world.namespace}/events`);
  });

  it('tells what became of what was applied', async () => {
    await world.apply('{ apiVersion: v1, kind: ConfigMap, metadata: { name: changed }, data: { n: "1" } }');
    await world.apply('{ apiVersion: v1, kind: ConfigMap, metadata: { name: gone } }');
    const at = (name: string) => ({ namespace: world.namespace, name });
    await world.client.patch(configMaps, at('changed'), { data: { n: '2' } });
    await world.client.delete(configMaps, at('gone'));
    const report = await world.report();
    expect(report).toContain('data.n: "1" → "2"');
    expect(report).toContain('ConfigMap gone: gone');
    expect(report).toMatch(new RegExp(`PATCH +/api/v1/namespaces/${world.namespace}/configmaps/changed`));
  });
});
