import { describe, expect, it } from 'vitest';
import { StatusError } from '../base/status-error.ts';
import type { ApiService } from '../kinds/apiregistration/api-service-shape.ts';
import { kindsFor } from '../kinds/index.ts';
import { builtIns, type ListedResource, Resources } from '../registry/resources.ts';
import { aggregatedApi } from './aggregation/aggregated-apis.ts';
import { servedGroups } from './discovery.ts';
import { identify } from './identify.ts';
import { route } from './route.ts';

const all = builtIns(kindsFor());
const pods = all.find(({ plural }) => plural === 'pods') as ListedResource;
const custom = (version: string, plural = 'things'): ListedResource => ({
  ...pods,
  group: 'example.com',
  plural,
  served: { ...pods.served, group: 'example.com', version, apiVersion: `example.com/${version}` },
  custom: {
    definition: { key: '', uid: undefined, isTerminating: () => false },
    terminating: false,
    version: () => undefined,
    lasts: new AbortController().signal,
  },
  subresources: new Map(),
});
const resources = new Resources(all);
resources.setCustom([custom('v1')]);

/** Where a request leads: a resource, nowhere that is known, or a failure's code. */
function leads(method: string, url: string): string | number | undefined {
  try {
    const found = route(identify(method, url), resources);
    return found && [found.resource.plural, found.subresource].filter(Boolean).join('/');
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return error.status.code;
  }
}

describe('a request leads', () => {
  it.each([
    ['GET', '/api/v1/pods', 'pods'],
    ['GET', '/api/v1/namespaces/a/pods/b', 'pods'],
    ['GET', '/api/v1/namespaces/a/pods/b/status', 'pods/status'],
    ['POST', '/api/v1/namespaces/a/pods/b/eviction', 'pods/eviction'],
    ['GET', '/api/v1/namespaces/a/pods/b/proxy/c/d', 'pods/proxy'],
    ['GET', '/api/v1/watch/namespaces/a/pods/b', 'pods'],
    ['PUT', '/api/v1/watch/namespaces/a/pods/b', 405],
    ['DELETE', '/api/v1/watch/pods', 405],
    ['GET', '/api/v1/watch/componentstatuses', 404],
    ['GET', '/apis/authentication.k8s.io/v1/watch/tokenreviews', 404],
    ['GET', '/api/v1/componentstatuses?watch=1', 405],
    ['POST', '/api/v1/pods', 405],
    ['DELETE', '/api/v1/pods', 405],
    ['GET', '/api/v1/pods/b', 404],
    ['POST', '/api/v1/namespaces/a/pods/b', 405],
    ['PUT', '/api/v1/namespaces/a/pods', 405],
    ['OPTIONS', '/api/v1/namespaces/a/pods', 405],
    ['GET', '/api/v1/namespaces/a/nodes', 404],
    ['GET', '/api/v1/namespaces/a/pods/b/nothing', 404],
    ['GET', '/api/v1/namespaces/a/pods/b/status/more', 404],
    ['DELETE', '/api/v1/namespaces/a/pods/b/status', 405],
    ['GET', '/api/v1/nothing', 404],
    ['GET', '/apis/apps/v7/deployments', 404],
    ['GET', '/apis/unheard.example/v1/things', undefined],
    ['GET', '/apis/example.com/v1/things', 'things'],
    ['GET', '/apis/example.com/v2/things', undefined],
    ['POST', '/apis/example.com/v1/things', undefined],
    ['GET', '/apis/authentication.k8s.io/v1/tokenreviews', 405],
    ['GET', '/apis/authentication.k8s.io/v1/tokenreviews/x', 404],
    ['POST', '/api/v1/bindings', 404],
    ['GET', '/api/v1/bindings', 404],
    ['GET', '/api/v1/__proto__', 404],
  ])('%s %s to %s', (method, url, expected) => {
    expect(leads(method, url)).toBe(expected);
  });
});

const apiService = (spec: NonNullable<ApiService['spec']>): ApiService => ({
  kind: 'APIService',
  apiVersion: 'apiregistration.k8s.io/v1',
  metadata: { name: '' },
  spec,
});

describe('discovery', () => {
  it('lists the groups in their documented order, custom ones behind them, versions from best to worst', () => {
    const served = new Resources(all);
    served.setCustom(['v1beta1', 'v2', 'v1', 'v10', 'v2alpha1', 'wild'].map((version) => custom(version)));
    const groups = servedGroups({ resources: served, aggregated: { all: [] } });
    expect(groups[0]?.name).toBe('apiregistration.k8s.io');
    expect(groups.at(-1)).toMatchObject({ name: 'example.com', preferredVersion: { version: 'v10' } });
    expect(groups.at(-1)?.versions.map(({ version }) => version)).toEqual([
      'v10',
      'v2',
      'v1',
      'v1beta1',
      'v2alpha1',
      'wild',
    ]);
    expect(groups.find(({ name }) => name === 'autoscaling')?.preferredVersion.version).toBe('v2');
  });

  it('tells the groups of others among custom ones, by their priorities', () => {
    const served = new Resources(all);
    served.setCustom([custom('v1')]);
    const other = (group: string, version: string, groupPriority: number, versionPriority: number) =>
      aggregatedApi(
        apiService({ group, version, groupPriorityMinimum: groupPriority, versionPriority, service: {} }),
        undefined,
      ) ?? [];
    const aggregated = {
      all: [
        other('late.example', 'v1', 10, 1),
        other('early.example', 'v1', 2000, 1),
        other('early.example', 'v2alpha1', 10, 20),
        other('example.com', 'v9', 10, 10),
      ].flat(),
    };
    const found = servedGroups({ resources: served, aggregated }).slice(-3);
    expect(found.map(({ name }) => name)).toEqual(['early.example', 'example.com', 'late.example']);
    expect(found.map(({ versions }) => versions.map(({ version }) => version))).toEqual([
      ['v2alpha1', 'v1'],
      ['v1', 'v9'],
      ['v1'],
    ]);
  });
});
