import { expect, it } from 'vitest';
import { forms } from './forms.ts';
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
