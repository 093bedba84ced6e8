import type { Service } from '../../../kinds/core/service/shape.ts';
import type { Evaluator } from './evaluator.ts';
import { count } from './resource-amounts.ts';

const tracked: ReadonlySet<string> = new Set([
  'count/services',
  'services',
  'services.nodeports',
  'services.loadbalancers',
]);

/** Ports of a service that take a port of the nodes. */
function nodePorts({ spec = {} }: Service): number {
  const { type, ports = [], allocateLoadBalancerNodePorts = true } = spec;
  if (type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts)) return ports.length;
  return type === 'LoadBalancer' ? ports.filter(({ nodePort }) => nodePort).length : 0;
}

/** A service may become one that needs more, so updates count too. */
export const services: Evaluator = {
  updatesUseMore: true,
  tracks: (resource) => tracked.has(resource),
  usage(object) {
    const service = object as Service;
    return new Map([
      ['count/services', count(1)],
      ['services', count(1)],
      ['services.nodeports', count(nodePorts(service))],
      ['services.loadbalancers', count(service.spec?.type === 'LoadBalancer' ? 1 : 0)],
    ]);
  },
};
