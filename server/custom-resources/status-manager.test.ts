import { expect, test } from 'vitest';
import type { ManagedFieldsEntry } from '../base/kube-object.ts';
import type { Definition } from './definition-shape.ts';
import { bookStatus } from './status-manager.ts';

const entry = (manager: string, time: string, subresource?: string): ManagedFieldsEntry => ({
  manager,
  operation: 'Update',
  apiVersion: 'apiextensions.k8s.io/v1',
  time,
  fieldsType: 'FieldsV1',
  fieldsV1: {},
  ...(subresource && { subresource }),
});

const definition = (managedFields: ManagedFieldsEntry[]) =>
  ({
    kind: 'X',
    apiVersion: 'apiextensions.k8s.io/v1',
    metadata: { name: 'x', managedFields },
  }) as unknown as Definition;

const managersAt = (now: number, ...entries: ManagedFieldsEntry[]) =>
  bookStatus(definition(entries), {}, now).map(({ manager, time }) => `${manager} ${time}`);

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
    [entry('kube-apiserver', '1970-01-01T00:00:00Z', 'status'), entry('zoe', '1970-01-01T00:00:01Z')],
    ['zoe 1970-01-01T00:00:01Z', 'kube-apiserver 1970-01-01T00:00:02Z'],
  ],
])('the entry of a status stands among those %s', (_title, now, entries, order) => {
  expect(managersAt(now, ...entries)).toEqual(order);
});
