import { describe } from 'vitest';
import { creations, updates } from '../write-tables.fixture.ts';
import { runtimeClass } from './runtime-class.ts';

const toleration = { key: 'k', operator: 'Exists' };

describe('RuntimeClass', () => {
  creations(runtimeClass, [
    ['a handler', { handler: 'runc' }, []],
    ['none', {}, ['handler Invalid']],
    ['a handler in capitals', { handler: 'Runc' }, ['handler Invalid']],
    [
      'overhead of nothing known',
      { handler: 'a', overhead: { podFixed: { gold: '1' } } },
      ['overhead.limits[gold] Invalid', 'overhead.limits[gold] Invalid'],
    ],
    [
      'a toleration twice',
      { handler: 'a', scheduling: { tolerations: [toleration, toleration] } },
      ['scheduling.tolerations[1] Duplicate'],
    ],
  ]);
  updates(runtimeClass, [
    ['its handler', { handler: 'a' }, (next) => Object.assign(next, { handler: 'b' }), ['handler Invalid']],
    ['its overhead', { handler: 'a' }, (next) => Object.assign(next, { overhead: { podFixed: { cpu: '1' } } }), []],
  ]);
});
