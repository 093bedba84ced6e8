import { expect, test } from 'vitest';
import { ApiError } from './api-error.ts';
import type { Client } from './client.ts';
import { scaleOf } from './scales.ts';

const widgets = { name: 'widgets', kind: 'Widget', namespaced: true, verbs: ['get'] };
const served: Readonly<Record<string, unknown>> = {
  '/api/v1': { resources: [{ ...widgets, name: 'pods', kind: 'Pod' }] },
  '/apis': { groups: [{ name: 'example.com', versions: [{ groupVersion: 'example.com/v2' }] }] },
  '/apis/example.com/v2': { resources: [widgets, { ...widgets, name: 'widgets/scale', kind: 'Scale' }] },
};

/** A client that has these answers, and tells what it was asked. */
function clientOf() {
  const asked: string[] = [];
  const client = {
    read: async (path: string) => {
      asked.push(path);
      if (!served[path]) throw new ApiError(404, {}, path);
      return served[path];
    },
    get: async ({ version, plural }: { version: string; plural: string }, place: object) => {
      asked.push(`${version} ${plural}`);
      return { spec: { replicas: 3 }, place };
    },
  };
  return { asked, client: client as unknown as Client };
}

test('one question finds where the scale of an object is', async () => {
  const { asked, client } = clientOf();
  const { scale } = await scaleOf(client, { apiVersion: 'example.com/v2', kind: 'Widget', name: 'w' }, 'ns');
  expect(scale).toEqual({ spec: { replicas: 3 }, place: { namespace: 'ns', name: 'w', part: 'scale' } });
  expect(asked).toEqual(['/apis/example.com/v2', 'v2 widgets']);
});

test('a version that is not served any more leads to the one that is', async () => {
  const { asked, client } = clientOf();
  await scaleOf(client, { apiVersion: 'example.com/v1', kind: 'Widget', name: 'w' }, 'ns');
  expect(asked.at(-1)).toBe('v2 widgets');
});

test('a kind that nobody serves is said', async () => {
  const { client } = clientOf();
  const target = { apiVersion: 'example.com/v2', kind: 'Gadget', name: 'w' };
  await expect(scaleOf(client, target, 'ns')).rejects.toThrow('no kind Gadget is served in example.com/v2');
});
