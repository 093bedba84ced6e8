import { slip } from '../fault.ts';

/** What pods may not be, or become, and containers that are added to them. */
export default [
  slip(
    'a container may not be added beside one that begins',
    ['component'],
    'kinds/core/pod/containers.ts',
    'const targets = namesOf([...(regular ?? []), ...(init ?? [])]);',
    'const targets = namesOf([...(regular ?? [])]);',
  ),
  slip(
    'a device may be of a volume that is no device',
    ['component'],
    'kinds/core/pod/mounts.ts',
    'if (volume && !volume.persistentVolumeClaim && !volume.ephemeral)',
    'if (volume && !volume.persistentVolumeClaim && !volume.ephemeral && !volume.emptyDir)',
  ),
  slip(
    'a pod of Windows may have what only Linux has',
    ['component'],
    'kinds/core/pod/operating-system.ts',
    "...refused(spec.securityContext, linuxPodFields, 'windows', at.child('securityContext')),",
    '',
  ),
  slip(
    'bounds of calls may be in a file anywhere',
    ['component'],
    'kinds/core/pod/security.ts',
    ": relativePath(file, at.child('localhostProfile'));",
    ': [];',
  ),
  slip(
    'a pod may not have as many places to look for names as there may be',
    ['component'],
    'kinds/core/pod/spec.ts',
    'searches.length > maxSearches',
    'searches.length >= maxSearches',
  ),
  slip(
    'a volume may use the claim that another makes',
    ['component'],
    'kinds/core/pod/pod.ts',
    'return claimName !== undefined && made.has(claimName)',
    "return claimName === '' && made.has(claimName)",
  ),
  slip(
    'a claim that a volume makes may have any name',
    ['component'],
    'kinds/core/pod/pod.ts',
    "return claimMade(volume.name, claimOf(volume), here.child('name'));",
    'return taken;',
  ),
  slip(
    'a node may have less than nothing',
    ['component'],
    'kinds/core/node.ts',
    'const validate = (node: Node): FieldError[] => [\n  ...nodeAnnotationErrors(node.metadata.annotations),\n  ...validateTaints(node.spec?.taints, taintsAt),\n  ...validateAmounts(node),',
    'const validate = (node: Node): FieldError[] => [\n  ...nodeAnnotationErrors(node.metadata.annotations),\n  ...validateTaints(node.spec?.taints, taintsAt),',
  ),
];
