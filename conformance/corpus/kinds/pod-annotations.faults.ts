import { slip } from '../fault.ts';

/** What annotations of pods say that the server itself reads. */
export default [
  slip(
    'a container may be confined by anything',
    ['component'],
    'kinds/core/pod/annotations.ts',
    "...(isKnown ? [] : [invalidValue(at, profile, 'is no profile of AppArmor')]),",
    '',
  ),
  slip(
    'a container that is not there may be confined',
    ['component'],
    'kinds/core/pod/annotations.ts',
    "...(isThere ? [] : [invalidValue(at, name, 'no container is called so')]),",
    '',
  ),
  slip(
    'what it costs to lose a pod may be any number',
    ['component'],
    'kinds/core/pod/annotations.ts',
    '/^(?:0|[1-9]\\d*|-\\d+)$/.test(text) && (Number(text) | 0) === Number(text)',
    "!Number.isNaN(Number(text)) && text !== ''",
  ),
  slip(
    'a template may stand for pods of no node',
    ['component'],
    'kinds/core/pod/annotations.ts',
    'return spec.nodeName\n      ? none\n',
    "return spec.nodeName !== ''\n      ? none\n",
  ),
  slip(
    'bounds of calls may differ from what an annotation says',
    ['component'],
    'kinds/core/pod/seccomp.ts',
    "return types.has(type) && profiles.get(text) !== type ? differs('type') : [];",
    "return !types.has(type) && profiles.get(text) !== type ? differs('type') : [];",
  ),
  slip(
    'tolerations of an annotation are not looked at',
    ['component'],
    'kinds/core/pod/annotations.ts',
    'if (key === oldTolerations) return value ? tolerationErrors(value, at) : none;',
    '',
  ),
];
