import { expect, test } from 'vitest';
import type { ManagedFieldsEntry } from '../base/kube-object.ts';
import type { Definition, DefinitionStatus } from './definition-shape.ts';
import { withStatus } from './status-manager.ts';

const entry = (manager: string, time: string, more: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry => ({
  manager,
  operation: 'Update',
  apiVersion: 'apiextensions.k8s.io/v1',
  time,
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:spec': { 'f:group': {} } },
  ...more,
});
const fresh: DefinitionStatus = { acceptedNames: { plural: '', kind: '' } };

const definition = (status: DefinitionStatus, ...managedFields: ManagedFieldsEntry[]) =>
  ({
    kind: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1',
    metadata: { name: 'x', managedFields },
    status,
  }) as unknown as Definition;

async function told(live: Definition, status: DefinitionStatus, now: number) {
  const change = await withStatus(live, status, now);
  return ('write' in change && change.write.metadata.managedFields) || [];
}

test.each<[string, number, ManagedFieldsEntry[], string[]]>([
  [
    'of the same second by name',
    900,
    [entry('zoe', '1970-01-01T00:00:00Z'), entry('amy', '1970-01-01T00:00:00Z')],
    ['amy 1970-01-01T00:00:00Z', 'kube-apiserver 1970-01-01T00:00:00Z', 'zoe 1970-01-01T00:00:00Z'],
  ],
  [
    'of another second by time',
    1000,
    [entry('zoe', '1970-01-01T00:00:00Z')],
    ['zoe 1970-01-01T00:00:00Z', 'kube-apiserver 1970-01-01T00:00:01Z'],
  ],
  [
    'of an earlier status once',
    2000,
    [
      entry('kube-apiserver', '1970-01-01T00:00:00Z', {
        subresource: 'status',
        fieldsV1: { 'f:status': { 'f:acceptedNames': { 'f:singular': {} } } },
      }),
      entry('zoe', '1970-01-01T00:00:01Z'),
    ],
    ['zoe 1970-01-01T00:00:01Z', 'kube-apiserver 1970-01-01T00:00:02Z'],
  ],
])('the entry of a status stands among those %s', async (_title, now, entries, order) => {
  const entriesAfter = await told(definition(fresh, ...entries), { acceptedNames: { plural: 'xs', kind: 'X' } }, now);
  expect(entriesAfter.map(({ manager, time }) => `${manager} ${time}`)).toEqual(order);
});

test('what the status says as before is not owned, nor a name that is not granted', async () => {
  const live = definition(
    { ...fresh, conditions: [{ type: 'Terminating', status: 'True', reason: 'Pending', message: 'a' }] },
    entry('zoe', '1970-01-01T00:00:00Z'),
  );
  const entries = await told(
    live,
    {
      acceptedNames: { plural: 'xs', kind: '' },
      conditions: [{ type: 'Terminating', status: 'True', reason: 'InProgress', message: 'b' }],
    },
    0,
  );
  expect(entries.find(({ manager }) => manager === 'kube-apiserver')?.fieldsV1).toEqual({
    'f:status': {
      'f:acceptedNames': { 'f:plural': {} },
      'f:conditions': { 'k:{"type":"Terminating"}': { 'f:message': {}, 'f:reason': {} } },
    },
  });
});

test('a status that stands already is not written', async () => {
  const live = definition(fresh);
  expect(await withStatus(live, fresh, 0)).toEqual({ keep: true });
});
