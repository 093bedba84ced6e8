import { expect, test } from 'vitest';
import { kindPrefix, nameIn, namespacePrefix, objectKey, resourceIn } from './object-keys.ts';

const pods = { group: '', resource: 'pods' };
const deployments = { group: 'apps', resource: 'deployments' };

test.each([
  [pods, 'default', 'web', '/pods/default/web'],
  [pods, '', 'web', '/pods//web'],
  [deployments, 'default', 'web', 'apps/deployments/default/web'],
] as const)('a key of %j in %j', (kind, namespace, name, key) => {
  expect(objectKey(kind, namespace, name)).toBe(key);
  expect(key.startsWith(namespacePrefix(kindPrefix(kind), namespace))).toBe(true);
  expect([resourceIn(key), nameIn(key)]).toEqual([kind.resource, name]);
});
