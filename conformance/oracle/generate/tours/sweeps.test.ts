import { expect, it } from 'vitest';
import type { OracleKind } from '../../oracle-kind.ts';
import { sweepScenarios } from './sweeps.ts';

const kind = (resource: string, name: string, group = ''): OracleKind => ({
  ...{ group, version: 'v1', resource, kind: name, namespaced: true },
  ...{ verbs: ['create', 'get', 'list', 'update', 'patch', 'delete'], subresources: [] },
});
const kinds = [kind('jobs', 'Job', 'batch'), kind('limitranges', 'LimitRange')];

const told = [...sweepScenarios(kinds, () => [])];
const stepsOf = (name: string) => told.filter((one) => one.name.startsWith(name)).flatMap(({ steps }) => steps);

it('each kind is told of in each sweep, and none of it changes anything', () => {
  for (const { name, steps } of told) {
    for (const { resource } of kinds)
      expect(
        steps.some(({ path }) => path.includes(`/${resource}`)),
        `${name}: ${resource}`,
      ).toBe(true);
    expect(steps.every(({ alongside }) => alongside)).toBe(true);
    expect(steps.every(({ method, query }) => method === 'GET' || JSON.stringify(query).includes('dryRun'))).toBe(true);
  }
});

it('what is not there is put, applied, patched and deleted', () => {
  const methods = stepsOf('what is not there').map(({ method }) => method);
  expect(methods.slice(0, methods.length / 2)).toEqual(['PUT', 'PATCH', 'PATCH', 'DELETE', 'GET']);
});

it('a row is asked for without each member, and with each number as none and as a fraction', () => {
  const bodies = stepsOf('rows of')
    .filter(({ path }) => path.endsWith('/jobs'))
    .map(({ body }) => (body as { json: { spec: Record<string, unknown> } }).json.spec);
  expect(bodies.some((spec) => !('parallelism' in spec) && 'template' in spec)).toBe(true);
  expect(bodies.map(({ parallelism }) => parallelism)).toContain(0);
});

it('kinds are told of some at once, however many there are', () => {
  const many = Array.from({ length: 40 }, (_, at) => kind(`things${at}`, `Thing${at}`, 'g'));
  const all = [...sweepScenarios(many, () => [])];
  expect(all.map(({ name }) => name).slice(0, 4)).toEqual([
    ...['what is not there, 1', 'what is not there, 2', 'what is not there, 3'],
    'rows of what is not said, 1',
  ]);
});
