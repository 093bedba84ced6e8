import { describe } from 'vitest';
import { creations, updates } from '../write-tables.fixture.ts';
import { priorityClass } from './priority-class.ts';

describe('PriorityClass', () => {
  creations(priorityClass, [
    ['a value', { value: 1000 }, []],
    ['below nothing', { value: -5 }, []],
    ['the highest', { value: 1_000_000_000 }, []],
    ['above the highest', { value: 1_000_000_001 }, ['value Forbidden']],
    ['a reserved name', { metadata: { name: 'system-mine' } }, ['metadata.name Forbidden']],
    ['one of the system', { metadata: { name: 'system-node-critical' }, value: 2_000_001_000 }, []],
    ['an unknown policy', { preemptionPolicy: 'Always' }, ['preemptionPolicy NotSupported']],
  ]);
  updates(priorityClass, [
    ['what it is for', { value: 1 }, (next) => Object.assign(next, { description: 'd', globalDefault: true }), []],
    ['its value', { value: 1 }, (next) => Object.assign(next, { value: 2 }), ['value Forbidden']],
    [
      'its policy',
      { value: 1 },
      (next) => Object.assign(next, { preemptionPolicy: 'Never' }),
      ['preemptionPolicy Invalid'],
    ],
  ]);
});
