import { expect, it } from 'vitest';
import type { OracleKind } from '../oracle-kind.ts';
import { otherwiseOf } from '../samples/objects.ts';
import { heapScenarios } from './heaped.ts';

const kind = (resource: string, name: string, group = ''): OracleKind => ({
  ...{ group, version: 'v1', resource, kind: name, namespaced: true },
  verbs: ['create', 'get', 'list', 'update', 'patch', 'delete'],
  subresources: [{ name: 'status', verbs: ['get', 'patch', 'update'] }],
});
const ingresses = kind('ingresses', 'Ingress', 'networking.k8s.io');

it('what is odd of a kind is tried in few requests: new, changed, and what is left where it is refused', () => {
  const [{ steps = [] } = {}] = heapScenarios([ingresses]);
  const { odd = [], statuses = [] } = otherwiseOf(ingresses) ?? {};
  expect(steps.length).toBeLessThan(odd.length);
  expect(steps.filter(({ path }) => path.endsWith('/status')).length).toBeLessThan(statuses.length);
  const sent = JSON.stringify(steps.filter(({ method }) => method === 'PUT'));
  for (const host of ['a_b', 'a..b', '10.1.2.3']) expect(sent).toContain(`"host":"${host}"`);
  const left = steps.flatMap(({ body }) => (body && 'passedOf' in body ? [body.passedOf] : []));
  expect(left).toEqual(
    steps
      .filter(({ body }, at) => at > 0 && body && 'json' in body)
      .flatMap(({ id, method }) => (method === 'POST' ? [id] : [])),
  );
});

it('nothing stays of it, so that another version of a kind finds no object of its name', () => {
  const [{ steps = [] } = {}] = heapScenarios([ingresses, kind('jobs', 'Job', 'batch')]);
  const real = steps.filter(({ method, query }) => method !== 'GET' && !JSON.stringify(query ?? '').includes('dryRun'));
  expect(real.map(({ method }) => method)).toEqual(['POST', 'DELETE', 'POST', 'DELETE']);
});
