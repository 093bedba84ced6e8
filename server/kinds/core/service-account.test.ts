import { expect, test } from 'vitest';
import { sample } from '../kind-write.fixture.ts';
import { serviceAccount } from './service-account.ts';

test('a service account is counted by its secrets', () => {
  expect(serviceAccount.table?.cells(sample(serviceAccount, { secrets: [{ name: 's' }] }), 0)[1]).toBe(1);
});
