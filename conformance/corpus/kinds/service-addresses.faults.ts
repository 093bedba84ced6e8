import { slip } from '../fault.ts';

/** What Services have of the cluster, whom they stand for, and what goes when they are something else. */
export default [
  slip(
    'an address that the cluster does not have can be had',
    ['component'],
    'kinds/core/service/allocator.ts',
    "    return 'outside';\n  }",
    '    return undefined;\n  }',
  ),
  slip(
    'a Service of neither pods nor an address is refused where there is one family',
    ['component'],
    'kinds/core/service/families.ts',
    'const later = selectorless ? [] : familiesExist(service, configured);',
    'const later = familiesExist(service, configured);',
  ),
  slip(
    'each protocol of one number has a port of the nodes of its own',
    ['component'],
    'kinds/core/service/allocation.ts',
    'const shared = byNumber.get(port.port);',
    'const shared: number | undefined = undefined;',
  ),
  slip(
    'another name keeps the families of what it was',
    ['component'],
    'kinds/core/service/allocation.ts',
    '    delete next.ipFamilies;\n',
    '',
  ),
  slip(
    'a Service keeps the class of the balancer that it has no more',
    ['component'],
    'kinds/core/service/allocation.ts',
    "  drop('loadBalancerClass', balanced(previous), balanced(next));\n",
    '',
  ),
  slip(
    'a Service may select by anything',
    ['component'],
    'kinds/core/service/validation.ts',
    "...validateLabels(spec.selector, at.child('selector')),",
    '',
  ),
  slip(
    'a balancer may be at a host that is an address',
    ['component'],
    'kinds/core/service/validation.ts',
    '...(parseIp(hostname)\n',
    "...(parseIp(hostname) && hostname.includes(':')\n",
  ),
  slip(
    'who may come by a balancer is not looked at where an annotation says it',
    ['component'],
    'kinds/core/service/source-ranges.ts',
    'if (annotated === undefined) return undefined;',
    'return undefined;',
  ),
];
