import { expect, it } from 'vitest';
import { besideControllers } from './beside-controllers.ts';
import type { Step } from './play/scenario.ts';

const beside = (step: Partial<Step>): Step =>
  besideControllers({
    ...{ name: 'some', generator: 'sequences', namespaces: 1 },
    steps: [{ id: 's1', what: 'some', method: 'DELETE', path: '/api/v1/namespaces/<own>-1/secrets/a', ...step }],
  }).steps[0] as Step;

it.each<Partial<Step>>([
  { query: { propagationPolicy: 'Orphan' } },
  { query: 'orphanDependents=true' },
  { path: '/api/v1/namespaces/<own>-2' },
  { body: { json: { propagationPolicy: 'Foreground' } } },
  { method: 'PUT', body: { answerOf: 's0', merge: { metadata: { ownerReferences: [{ uid: 'none' }] } } } },
  { method: 'POST', body: { json: { aggregationRule: { clusterRoleSelectors: [] } } } },
])('rehearses what controllers act on: %j', (step) => {
  const { query, body } = beside(step);
  expect(JSON.stringify(query)).toMatch(/dryRun\W+All/);
  if (step.body && 'json' in step.body && step.method === undefined)
    expect(body).toMatchObject({ json: { dryRun: ['All'] } });
});

it.each<Partial<Step>>([
  { query: { propagationPolicy: 'Background' } },
  { query: { propagationPolicy: 'Orphan', dryRun: 'All' } },
  { body: { json: { orphanDependents: false } } },
  { method: 'GET', query: 'labelSelector=ownerReferences' },
  { method: 'PATCH', body: { json: { metadata: { labels: { a: 'b' } } } } },
])('leaves all else as it is: %j', (step) => {
  expect(beside(step)).toMatchObject(step);
  expect(beside(step).query).toBe(step.query);
});

it('lists what controllers have objects among without pages', () => {
  const path = '/api/v1/namespaces/<own>-1/configmaps';
  expect(beside({ method: 'GET', path, query: { limit: '1', labelSelector: 'a' } }).query).toEqual({
    labelSelector: 'a',
  });
  expect(beside({ method: 'GET', path, query: 'limit=1&limit=2&labelSelector=a' }).query).toBe('labelSelector=a');
  expect(beside({ method: 'GET', path: path.replace('configmaps', 'secrets'), query: 'limit=1' }).query).toBe(
    'limit=1',
  );
});
