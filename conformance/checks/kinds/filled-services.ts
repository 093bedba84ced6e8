import { kindPaths } from '../../verbs/kinds.ts';
import { spec } from '../unfit/judged-kind.ts';
import { type FilledKind, filledKind } from './filled-kind.ts';

const { services } = kindPaths;

/** What is filled in of Services, and what goes with what they no longer are. */
export const filledServices: readonly FilledKind[] = [
  filledKind(
    services,
    {},
    {
      'a port': [
        {},
        spec({
          ...{ type: 'ClusterIP', sessionAffinity: 'None' },
          ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 80 }],
        }),
      ],
      'two ports': [
        spec({ ports: [80, 81].map((port) => ({ name: `p${port}`, port })) }),
        spec({ ports: [80, 81].map((port) => ({ name: `p${port}`, port, protocol: 'TCP', targetPort: port })) }),
      ],
      'an affinity': [
        spec({ sessionAffinity: 'ClientIP' }),
        spec({ sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } } }),
      ],
      'ports of the nodes': [spec({ type: 'NodePort' }), spec({ externalTrafficPolicy: 'Cluster' })],
    },
    {
      turned: {
        'ports of the nodes are no more': [
          ...([spec({ type: 'NodePort' }), spec({ type: 'ClusterIP' })] as const),
          ['spec.ports.0.nodePort', 'spec.externalTrafficPolicy'],
        ],
        'the affinity is no more': [
          ...([spec({ sessionAffinity: 'ClientIP' }), spec({ sessionAffinity: 'None' })] as const),
          ['spec.sessionAffinityConfig'],
        ],
        'the Service stands for another': [
          ...([{}, spec({ type: 'ExternalName', externalName: 'a.example.com' })] as const),
          ['spec.clusterIP', 'spec.clusterIPs', 'spec.ipFamilies', 'spec.ipFamilyPolicy'],
        ],
      },
    },
  ),
  filledKind(
    services,
    {},
    {
      'who may be reached': [{}, spec({ internalTrafficPolicy: 'Cluster' })],
      'pods without an address': [
        spec({ clusterIP: 'None' }),
        spec({ clusterIP: 'None', clusterIPs: ['None'], ipFamilyPolicy: 'SingleStack' }),
      ],
      'neither pods nor an address': [
        spec({ clusterIP: 'None', selector: undefined }),
        spec({ clusterIP: 'None', clusterIPs: ['None'], ipFamilyPolicy: 'RequireDualStack' }),
      ],
      'a balancer': [
        spec({ type: 'LoadBalancer', loadBalancerClass: 'touchstone.example/nobody' }),
        spec({ allocateLoadBalancerNodePorts: true, externalTrafficPolicy: 'Cluster' }),
      ],
    },
    {
      ...{ name: 'services within a node', holds: { from: 22 } },
      turned: {
        'nobody balances it any more': [
          spec({ type: 'LoadBalancer', loadBalancerClass: 'touchstone.example/nobody' }),
          spec({ type: 'ClusterIP' }),
          ['spec.allocateLoadBalancerNodePorts', 'spec.loadBalancerClass', 'spec.externalTrafficPolicy'],
        ],
      },
    },
  ),
];
