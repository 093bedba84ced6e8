import { describe, expect, test } from 'vitest';
import { sample, tryCreate, tryUpdate } from '../kind-write.fixture.ts';
import { creations, updates } from '../write-tables.fixture.ts';
import { apiService } from './api-service.ts';

const api = (fields: object = {}, name = 'v1.example.com') => ({
  metadata: { name },
  spec: { group: 'example.com', version: 'v1', groupPriorityMinimum: 100, versionPriority: 10, ...fields },
});

describe('APIService', () => {
  creations(apiService, [
    ['a group served here', api(), []],
    ['a group served elsewhere', api({ service: { namespace: 'n', name: 's' } }), []],
    ['a name of its own', api({}, 'mine'), ['metadata.name Invalid']],
    [
      'no priorities',
      api({ groupPriorityMinimum: 0, versionPriority: 1001 }),
      ['spec.groupPriorityMinimum Invalid', 'spec.versionPriority Invalid'],
    ],
    [
      'a service without names',
      api({ service: {} }),
      ['spec.service.namespace Required', 'spec.service.name Required'],
    ],
    ['a certificate for nobody', api({ caBundle: 'AA==' }), ['spec.caBundle Invalid']],
    [
      'a certificate that is not looked at',
      api({ service: { namespace: 'n', name: 's' }, caBundle: 'AA==', insecureSkipTLSVerify: true }),
      ['spec.insecureSkipTLSVerify Invalid'],
    ],
  ]);

  updates(apiService, [
    [
      'a condition that neither holds nor does not',
      api(),
      (next) => Object.assign(next, { status: { conditions: [{ type: 'A', status: 'Maybe' }] } }),
      ['status.conditions[0].status NotSupported'],
      'status',
    ],
  ]);

  test('whoever writes the status leaves the rest as it is', async () => {
    const stored = { ...sample(apiService), ...api() };
    const { object } = await tryUpdate(
      apiService,
      stored,
      (next) => {
        next.metadata.labels = { a: 'b' };
        next.spec.versionPriority = 20;
      },
      { subresource: 'status' },
    );
    expect([object.metadata.labels, object['spec']]).toEqual([undefined, stored.spec]);
  });

  test('what is served here is available', async () => {
    const { object } = await tryCreate(apiService, { ...sample(apiService), ...api() });
    expect(apiService.table?.cells(object, 0).slice(1, 3)).toEqual(['Local', 'True']);
  });
});
