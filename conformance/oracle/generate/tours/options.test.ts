import { expect, it } from 'vitest';
import { bound } from './bound.ts';
import { forms } from './forms.ts';
import { changes } from './life.ts';
import { rights } from './rights.ts';
import { roles, services, told } from './told.fixture.ts';

it('says who writes beside bodies in each form', () => {
  const named = told(roles, forms).filter(({ query }) => JSON.stringify(query ?? '').includes('fieldManager":"alice'));
  for (const form of ['bytesOf', 'yaml'])
    expect(
      named.some(({ body }) => body && form in body),
      form,
    ).toBe(true);
});

it('asks after each grant what it allows', () => {
  const steps = told(services, rights);
  const grants = steps.filter(({ what }) => what === 'create a role' || what === 'update a role').length;
  const asked = steps.filter(({ what, body }) => {
    const attributes = body && 'json' in body ? body.json.spec?.resourceAttributes : undefined;
    return what === 'create selfsubjectaccessreviews' && attributes?.subresource === 'status';
  });
  expect(asked.length).toBeGreaterThan(grants);
});

it('says older and later versions of what it does not change', () => {
  const unchanged = told(roles, bound).flatMap(({ method, body }) =>
    method === 'PUT' && body && 'answerOf' in body && Object.keys(body.merge ?? {}).join() === 'metadata'
      ? [JSON.stringify(body.merge)]
      : [],
  );
  expect(new Set(unchanged).size).toBeGreaterThan(2);
});

it('applies the same once more when another second has begun', () => {
  const steps = told(roles, changes);
  const again = steps.findIndex(({ method, later }) => method === 'PATCH' && later);
  expect(steps[again]?.body).toEqual(steps[again - 1]?.body);
});
