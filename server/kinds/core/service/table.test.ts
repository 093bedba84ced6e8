import { describe, expect, test } from 'vitest';
import { sample } from '../../kind-write.fixture.ts';
import { service } from './written-service.fixture.ts';

describe('the table of services', () => {
  const cells = (spec: object, status: object = {}) =>
    service.table?.cells(sample(service, { spec, status }), 0).slice(1, 5);

  test.each<[string, object, object, unknown[]]>([
    [
      'ports',
      {
        type: 'NodePort',
        clusterIPs: ['10.0.0.1'],
        ports: [
          { port: 80, nodePort: 30000, protocol: 'TCP' },
          { port: 53, protocol: 'UDP' },
        ],
      },
      {},
      ['NodePort', '10.0.0.1', '<none>', '80:30000/TCP,53/UDP'],
    ],
    ['a name', { type: 'ExternalName', externalName: 'a.b' }, {}, ['ExternalName', '<none>', 'a.b', '<none>']],
    ['a balancer to come', { type: 'LoadBalancer' }, {}, ['LoadBalancer', '<none>', '<pending>', '<none>']],
    [
      'a balancer',
      { type: 'LoadBalancer' },
      { loadBalancer: { ingress: ['5.6.7.8', '1.2.3.4', '1.2.3.4'].map((ip) => ({ ip })) } },
      ['LoadBalancer', '<none>', '1.2.3.4,5.6.7.8', '<none>'],
    ],
  ])('shows %s', (_title, spec, status, expected) => {
    expect(cells(spec, status)).toEqual(expected);
  });
});
