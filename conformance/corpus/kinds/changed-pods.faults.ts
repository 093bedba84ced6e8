import { slip } from '../fault.ts';

/** Changes of pods that are there, and containers that are added to them. */
export default [
  slip(
    'a pod may lose its image',
    ['component'],
    'kinds/core/pod/update.ts',
    'return [...images, ...tolerationsOnlyAdded',
    'return [...tolerationsOnlyAdded',
  ),
  slip(
    'a container may be added beside none',
    ['component'],
    'kinds/core/pod/containers.ts',
    '!targets.has(container.targetContainerName)',
    '!names.has(container.targetContainerName)',
  ),
  slip(
    'a container may not be added beside one that begins',
    ['component'],
    'kinds/core/pod/containers.ts',
    'const targets = namesOf([...(regular ?? []), ...(init ?? [])]);',
    'const targets = namesOf([...(regular ?? [])]);',
  ),
];
