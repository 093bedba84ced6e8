import { expect, it } from 'vitest';
import type { OracleKind } from '../oracle-kind.ts';
import { general } from './tours/kind-tours.ts';
import { tourScenarios } from './tours/tours.ts';

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

const namespaced = {
  ...{ Secret: 'secrets', ConfigMap: 'configmaps', Pod: 'pods', ServiceAccount: 'serviceaccounts', Role: 'roles' },
  ...{ ResourceQuota: 'resourcequotas', LimitRange: 'limitranges', Service: 'services' },
};
const clustered = {
  ...{ Node: 'nodes', CertificateSigningRequest: 'certificatesigningrequests', PriorityClass: 'priorityclasses' },
  ...{ CustomResourceDefinition: 'customresourcedefinitions', FlowSchema: 'flowschemas' },
};

const kindsOf = (all: Readonly<Record<string, string>>, isNamespaced: boolean): readonly OracleKind[] =>
  Object.entries(all).map(([kind, resource]) => ({
    ...{ group: '', version: 'v1', resource, kind, namespaced: isNamespaced, verbs },
    subresources: [{ name: 'status', verbs: ['get', 'patch', 'update'] }],
  }));

const kinds = [...kindsOf(namespaced, true), ...kindsOf(clustered, false)];

/** How many steps of tours come before the first of such a name. */
function stepsBefore(name: string): number {
  let steps = 0;
  for (const scenario of tourScenarios(kinds, true)) {
    if (scenario.name.startsWith(name)) return steps;
    steps += scenario.steps.length;
  }
  return Number.POSITIVE_INFINITY;
}

it('asks webhooks and has types converted by one early: much of a server is reached by nothing else', () => {
  for (const name of ['webhooks on', 'versions that a webhook converts', 'applied by several', 'patches of'])
    expect(stepsBefore(name), name).toBeLessThan(2_500);
});

it('takes each tour that any kind can take early: what kinds have in common is most of a server', () => {
  for (const { name } of general) expect(stepsBefore(`${name} of`), name).toBeLessThan(5_500);
});
