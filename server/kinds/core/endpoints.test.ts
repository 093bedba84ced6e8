import { describe, expect, test } from 'vitest';
import { sample } from '../kind-write.fixture.ts';
import { creations } from '../write-tables.fixture.ts';
import { endpoints } from './endpoints.ts';

describe('Endpoints', () => {
  const subset = (fields: object) => ({ subsets: [fields] });
  creations(endpoints, [
    ['nothing', {}, []],
    ['nobody in it', subset({ ports: [{ port: 1 }] }), ['subsets[0] Required']],
    ['no address', subset({ addresses: [{ ip: 'x' }] }), ['subsets[0].addresses[0].ip Invalid']],
    [
      'an address of the machine itself',
      subset({ notReadyAddresses: [{ ip: '127.0.0.1' }] }),
      ['subsets[0].notReadyAddresses[0].ip Invalid'],
    ],
    [
      'names that are there, and empty',
      subset({ addresses: [{ ip: '10.0.0.1', hostname: '', nodeName: '' }], ports: [{ port: 1, appProtocol: '' }] }),
      [
        'subsets[0].addresses[0].nodeName Invalid',
        // It may not be empty, and the characters of a name are missing.
        ...['subsets[0].ports[0].appProtocol Invalid', 'subsets[0].ports[0].appProtocol Invalid'],
      ],
    ],
    [
      'ports without name, number, protocol',
      subset({ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 0 }, { name: 'a', port: 1, protocol: 'X' }] }),
      [
        'subsets[0].ports[0].name Required',
        'subsets[0].ports[0].port Invalid',
        'subsets[0].ports[1].protocol NotSupported',
      ],
    ],
  ]);

  test.each([
    ['none', [], '<none>'],
    ['nothing where none is ready', [{ notReadyAddresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }], ''],
    [
      'each with its port',
      [{ addresses: [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }], ports: [{ port: 80 }] }],
      '10.0.0.1:80,10.0.0.2:80',
    ],
    [
      'the first three',
      [{ addresses: [1, 2, 3, 4, 5].map((last) => ({ ip: `10.0.0.${last}` })) }],
      '10.0.0.1,10.0.0.2,10.0.0.3 + 2 more...',
    ],
    [
      'the number of all, however many',
      [
        {
          addresses: Array.from({ length: 40_000 }, () => ({ ip: '10.0.0.1' })),
          ports: Array.from({ length: 40_000 }, () => ({ port: 1 })),
        },
      ],
      '10.0.0.1:1,10.0.0.1:1,10.0.0.1:1 + 1599999997 more...',
    ],
  ])('the table shows %s', (_title, subsets, text) => {
    expect(endpoints.table?.cells(sample(endpoints, { subsets }), 0)[1]).toBe(text);
  });
});
