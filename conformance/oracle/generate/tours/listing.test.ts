import { expect, it } from 'vitest';
import type { Step } from '../../play/scenario.ts';
import { life } from './life.ts';
import { moments, paging } from './listing.ts';
import { roles, told } from './told.fixture.ts';

const queryOf = ({ query }: Step): Record<string, string> => (typeof query === 'object' ? { ...query } : {});
const lists = (steps: readonly Step[]): readonly Step[] =>
  steps.filter(({ method, path, watch }) => method === 'GET' && path.endsWith('/roles') && !watch);

it('looks at pages of all namespaces one by one, too', () => {
  const wide = lists(told(roles, paging)).filter(({ path }) => !path.includes('/namespaces/'));
  const turned = wide.filter(({ walk }) => !walk).map((step) => Boolean(queryOf(step)['continue']));
  expect(turned.length).toBeGreaterThan(2);
  expect(turned).toContain(true);
});

it('has namesakes in two namespaces, of which one stays as it is', () => {
  const namesOf = (steps: readonly Step[], place: number): readonly string[] =>
    steps
      .filter(({ method, path }) => method === 'POST' && path.includes(`<own>-${place}/`))
      .flatMap(({ body }) => (body && 'json' in body ? [body.json.metadata.name] : []));
  for (const tour of [life, paging]) {
    const steps = told(roles, tour);
    expect(namesOf(steps, 2).some((name) => namesOf(steps, 1).includes(name))).toBe(true);
  }
  expect(told(roles, life).at(-1)?.path).toContain('/namespaces/<own>-2/');
});

it('asks for each moment with a selector and without one', () => {
  const exact = lists(told(roles, moments)).filter((step) => queryOf(step)['resourceVersionMatch'] === 'Exact');
  expect(new Set(exact.map((step) => queryOf(step)['labelSelector']))).toEqual(new Set(['app=<own>', undefined]));
});
