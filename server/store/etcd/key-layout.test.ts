import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtInResources } from '../../schema/load.ts';
import { kindPrefix, objectKey } from '../object-keys.ts';
import { kubernetesLayout } from './key-layout.ts';

const layout = kubernetesLayout('/registry');

describe('the layout of a v1.25 server', () => {
  it.each([
    ['', 'configmaps', 'default', 'a', 'configmaps/default/a'],
    ['', 'namespaces', '', 'default', 'namespaces/default'],
    ['', 'nodes', '', 'n1', 'minions/n1'],
    ['', 'services', 'default', 'kubernetes', 'services/specs/default/kubernetes'],
    ['', 'endpoints', 'default', 'kubernetes', 'services/endpoints/default/kubernetes'],
    ['', 'replicationcontrollers', 'a', 'b', 'controllers/a/b'],
    ['', 'events', 'a', 'b.17', 'events/a/b.17'],
    ['apps', 'deployments', 'a', 'b', 'deployments/a/b'],
    ['networking.k8s.io', 'ingresses', 'a', 'b', 'ingress/a/b'],
    ['networking.k8s.io', 'ingressclasses', '', 'b', 'ingressclasses/b'],
    ['rbac.authorization.k8s.io', 'clusterroles', '', 'system:a', 'clusterroles/system:a'],
    ['apiregistration.k8s.io', 'apiservices', '', 'v1.', 'apiregistration.k8s.io/apiservices/v1.'],
    [
      'apiextensions.k8s.io',
      'customresourcedefinitions',
      '',
      'a.b.c',
      'apiextensions.k8s.io/customresourcedefinitions/a.b.c',
    ],
    ['stable.example.com', 'crontabs', 'a', 'b', 'stable.example.com/crontabs/a/b'],
    ['stable.example.com', 'clusterthings', '', 'b', 'stable.example.com/clusterthings/b'],
  ])('%s %s %s/%s is %s', (group, resource, namespace, name, spelt) => {
    const key = objectKey({ group, resource }, namespace, name);
    expect(layout.toEtcd(key)).toBe(`/registry/${spelt}`);
    expect(layout.fromEtcd(`/registry/${spelt}`)).toBe(key);
  });

  it.each([
    '/registry/ranges/serviceips',
    '/registry/masterleases/10.0.0.1',
    '/registry/touchstone/identity',
    '/registry/touchstone/claims/addresses/10.0.0.1',
    '/registry/configmaps/default',
    '/registry/configmaps/default/a/b',
    '/registry/configmaps//a',
    '/registry/services/default/a',
    '/other/configmaps/default/a',
    'compact_rev_key',
  ])('%s is of no object', (key) => expect(layout.fromEtcd(key)).toBeUndefined());

  it.each([
    ['registry', '/registry/'],
    ['/registry/', '/registry/'],
    ['/a/b', '/a/b/'],
  ])('takes the prefix %s for %s', (prefix, root) => expect(kubernetesLayout(prefix).root).toBe(root));

  const name = fc.stringMatching(/^[a-z0-9:.-]{1,12}$/);
  const place = fc.constantFrom(
    ...builtInResources().filter(({ verbs, group }) => verbs.includes('list') && group !== 'events.k8s.io'),
    { group: 'a.example.com', resource: 'things', namespaced: true },
    { group: 'a.example.com', resource: 'clusterthings', namespaced: false },
  );

  it('spells each key so that it is read again, and all of a range together and in order', () => {
    fc.assert(
      fc.property(place, fc.array(fc.tuple(name, name), { minLength: 2, maxLength: 6 }), (kind, pairs) => {
        const keys = pairs.map(([namespace, own]) => objectKey(kind, kind.namespaced ? namespace : '', own));
        const spelt = keys.map((key) => layout.toEtcd(key));
        expect(spelt.map((key) => layout.fromEtcd(key))).toEqual(keys);
        const folder = layout.prefixInEtcd(kindPrefix(kind)) ?? '';
        for (const key of spelt) expect(key.startsWith(folder)).toBe(true);
        const sorted = [...new Set(keys)].sort();
        expect([...new Set(spelt)].sort().map((key) => layout.fromEtcd(key))).toEqual(sorted);
      }),
    );
  });
});
