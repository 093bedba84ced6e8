import { slip } from '../fault.ts';

/** What a pod may become, and how its address is told. */
export default [
  slip(
    'a pod may not get another image of what begins',
    ['component'],
    'kinds/core/pod/update.ts',
    'initContainers: images(after.initContainers, before.initContainers),',
    'initContainers: after.initContainers,',
  ),
  slip(
    'a pod may be confined to something later',
    ['component'],
    'kinds/core/pod/annotations.ts',
    'const keys = new Set([...Object.keys(previous), ...Object.keys(next)]);',
    'const keys = new Set(Object.keys(previous));',
  ),
  slip(
    'time to end may be one second more than none',
    ['component'],
    'kinds/core/pod/update.ts',
    '(before.terminationGracePeriodSeconds ?? 0) < 0;',
    '(before.terminationGracePeriodSeconds ?? 0) <= 0;',
  ),
  slip(
    'the second way to tell the address of a pod decides',
    ['component'],
    'kinds/core/pod/pod.ts',
    'if (status.podIP && status.podIPs?.[0]?.ip !== status.podIP) status.podIPs = [{ ip: status.podIP }];',
    'if (status.podIP && !status.podIPs?.[0]) status.podIPs = [{ ip: status.podIP }];\n  else if (status.podIPs?.[0]?.ip) status.podIP = status.podIPs[0].ip;',
  ),
];
