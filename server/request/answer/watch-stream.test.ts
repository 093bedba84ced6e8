import { expect, test } from 'vitest';
import { kindsFor } from '../../kinds/index.ts';
import { builtIns } from '../../registry/resources.ts';
import { streamForm } from './watch-stream.ts';

const resource = builtIns(kindsFor()).find(({ plural }) => plural === 'configmaps');

async function bookmark(as: 'Table' | 'PartialObjectMetadata' | undefined, mediaType = 'application/json') {
  const transform = as && { as, version: 'v1' as const };
  const exchange = { representation: { mediaType, transform }, query: { get: () => undefined } };
  const call = { resource, services: { clock: { now: () => 0 } } };
  const { encoder } = await streamForm(exchange as never, call as never);
  return encoder.bookmark(7);
}

const partial = {
  kind: 'PartialObjectMetadata',
  apiVersion: 'meta.k8s.io/v1',
  metadata: { resourceVersion: '7', creationTimestamp: null },
};

test.each([
  [undefined, { ...partial, kind: 'ConfigMap', apiVersion: 'v1' }],
  ['PartialObjectMetadata', partial],
  [
    'Table',
    {
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { resourceVersion: '7' },
      columnDefinitions: [{ name: 'Name' }, { name: 'Data' }, { name: 'Age' }],
      rows: [{ cells: ['', 0, '<unknown>'], object: partial }],
    },
  ],
] as const)('bookmarks come in the form that was asked for: %s', async (as, object) => {
  expect(JSON.parse((await bookmark(as)).toString())).toMatchObject({ type: 'BOOKMARK', object });
});

test('bookmarks in protobuf, too', async () => {
  const bytes = (await bookmark('PartialObjectMetadata', 'application/vnd.kubernetes.protobuf')).toString('latin1');
  expect(bytes).toContain('PartialObjectMetadata');
  expect(bytes).toContain('meta.k8s.io/v1');
  expect(bytes).not.toContain('ConfigMap');
});
