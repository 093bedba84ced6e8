import { describe } from 'vitest';
import { creations, updates } from '../write-tables.fixture.ts';
import { resourceQuota } from './resource-quota.ts';

describe('ResourceQuota', () => {
  const hard = (amounts: object, more: object = {}) => ({ spec: { hard: amounts, ...more } });
  creations(resourceQuota, [
    [
      'objects and amounts',
      hard({ pods: '1', 'requests.cpu': '500m', 'count/secrets': '2', 'requests.example.com/gpu': '1' }),
      [],
    ],
    ['huge pages that are asked for', hard({ 'requests.hugepages-2Mi': '2Mi', 'hugepages-2Mi': '2Mi' }), []],
    [
      'huge pages that are allowed, of which there is no count',
      hard({ 'limits.hugepages-2Mi': '2Mi' }),
      ['spec.hard[limits.hugepages-2Mi] Invalid', 'spec.hard[limits.hugepages-2Mi] Invalid'],
    ],
    ['less than nothing', hard({ pods: '-1' }), ['spec.hard[pods] Invalid']],
    ['half an object', hard({ pods: '1500m' }), ['spec.hard[pods] Invalid']],
    ['unknown things', hard({ things: '1' }), ['spec.hard[things] Invalid', 'spec.hard[things] Invalid']],
    [
      'scopes against each other',
      hard({ pods: '1' }, { scopes: ['BestEffort', 'NotBestEffort'] }),
      ['spec.scopes Invalid'],
    ],
    ['a count beside a scope', hard({ 'count/pods': '1' }, { scopes: ['Terminating'] }), []],
    [
      'huge pages beside a scope',
      hard({ 'hugepages-2Mi': '2Mi' }, { scopes: ['Terminating'] }),
      ['spec.scopes Invalid'],
    ],
    ['an unknown scope', hard({ pods: '1' }, { scopes: ['Best'] }), ['spec.scopes Invalid']],
    ['a scope that only counts', hard({ cpu: '1' }, { scopes: ['BestEffort'] }), ['spec.scopes Invalid']],
    [
      'a selector against itself',
      hard(
        { pods: '1' },
        {
          scopeSelector: {
            matchExpressions: ['Terminating', 'NotTerminating'].map((scopeName) => ({ scopeName, operator: 'Exists' })),
          },
        },
      ),
      ['spec.scopeSelector.matchExpressions Invalid'],
    ],
    [
      'a selector without values',
      hard({ pods: '1' }, { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In' }] } }),
      ['spec.scopeSelector.matchExpressions.values Required'],
    ],
  ]);
  updates(resourceQuota, [
    ['amounts', hard({ pods: '1' }), (next) => Object.assign(next.spec.hard, { pods: '2' }), []],
    [
      'scopes',
      hard({ pods: '1' }),
      (next) => Object.assign(next.spec, { scopes: ['Terminating'] }),
      ['spec.scopes Invalid'],
    ],
    [
      'what is used, less than nothing',
      hard({ pods: '1' }),
      (next) => Object.assign(next, { status: { used: { pods: '-1' } } }),
      ['status.used[pods] Invalid'],
      'status',
    ],
  ]);
});
