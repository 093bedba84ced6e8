import { slip } from '../fault.ts';

/** Services, their addresses and ports, and NetworkPolicies. */
export default [
  slip(
    'a Service that needs no ports of the nodes any more has to let go of them itself',
    ['kinds', 'component'],
    'kinds/core/service/allocation.ts',
    '      for (const port of next.ports ?? []) delete port.nodePort;',
    "      for (const port of next.ports ?? []) if (next.type === 'ExternalName') delete port.nodePort;",
  ),
  slip(
    'a service has a family that is not there, always',
    ['component'],
    'kinds/core/service/allocation.ts',
    "both.some((known) => known === family) && !configured.some((known) => known === family)\n        ? [\n            invalidValue(\n              spec.child(said > position ? 'ipFamilies' : 'clusterIPs').index(position),\n              family,\n              'not configured on this cluster',\n            ),\n          ]\n        : []",
    "([\n            invalidValue(\n              spec.child(said > position ? 'ipFamilies' : 'clusterIPs').index(position),\n              family,\n              'not configured on this cluster',\n            ),\n          ])",
  ),
  slip(
    'two protocols of a Service may not have one number',
    ['kinds', 'component'],
    'kinds/core/service/validation.ts',
    'firstOf(numbers, `${protocol}/${port}`)',
    'firstOf(numbers, `${protocol && port}`)',
  ),
  slip(
    'the class of a load balancer may change and may not stay',
    ['component'],
    'kinds/core/service/validation.ts',
    'next.loadBalancerClass === previous.loadBalancerClass',
    '!(next.loadBalancerClass === previous.loadBalancerClass)',
  ),
  slip(
    'the address of a Service that is gone stays taken',
    ['kinds', 'component'],
    'kinds/core/service/allocator.ts',
    'range.holdings.release(distancesOf(range, previous), holder);',
    'if (current) range.holdings.release(distancesOf(range, previous), holder);',
  ),
  slip(
    'what a NetworkPolicy says of egress is about ingress unless it says more',
    ['kinds', 'component'],
    'kinds/networking/network-policy.ts',
    "spec.policyTypes = (spec.egress?.length ?? 0) > 0 ? ['Ingress', 'Egress'] : ['Ingress'];",
    "spec.policyTypes = (spec.egress?.length ?? 0) > 1 ? ['Ingress', 'Egress'] : ['Ingress'];",
  ),
  slip(
    'a port of a network policy has no protocol',
    ['component'],
    'kinds/networking/network-policy.ts',
    "for (const rule of [...(spec.ingress ?? []), ...(spec.egress ?? [])])\n    for (const port of rule.ports ?? []) port.protocol ??= 'TCP';",
    '',
  ),
  slip(
    'an affinity lasts a second longer unless it is said otherwise',
    ['component'],
    'kinds/core/service/service.ts',
    '10_800',
    '10801',
  ),
  slip(
    'a range of addresses is eight bits narrower',
    ['service', 'kinds'],
    'base/ip.ts',
    'for (let position = 0; position < whole; position++) if (base[position] !== ip[position]) return false;',
    'for (let position = 0; position <= whole; position++) if (base[position] !== ip[position]) return false;',
  ),
];
