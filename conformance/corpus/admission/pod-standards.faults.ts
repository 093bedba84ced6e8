import { slip } from '../fault.ts';

/** Standards that the pods of a namespace keep to. */
export default [
  slip(
    'users of labels are beyond no standard of pods',
    ['admission'],
    'admission/plugins/pod-security/baseline.ts',
    'badType(context) || Boolean(context.seLinuxOptions?.user || context.seLinuxOptions?.role)',
    'badType(context) || Boolean(context.seLinuxOptions?.role)',
  ),
  slip(
    'a container may take back what its pod says of users',
    ['admission'],
    'admission/plugins/pod-security/restricted.ts',
    '({ runAsNonRoot }) => runAsNonRoot === false);',
    '({ runAsNonRoot }) => runAsNonRoot === false && false);',
  ),
  slip(
    'one container that says how it calls stands for all',
    ['admission'],
    'admission/plugins/pod-security/restricted.ts',
    'if (pod.spec?.securityContext?.seccompProfile) return undefined;',
    'if (pod.spec?.securityContext?.seccompProfile || containersOf(pod).some(({ securityContext }) => securityContext?.seccompProfile)) return undefined;',
  ),
  slip(
    'of the volumes of a pod the first is looked at',
    ['admission'],
    'admission/plugins/pod-security/restricted.ts',
    'const bad = (spec.volumes ?? []).flatMap(',
    'const bad = (spec.volumes ?? []).slice(0, 1).flatMap(',
  ),
  slip(
    'what makes pods is refused for the standard that they are to keep to',
    ['admission'],
    'admission/plugins/pod-security/pod-security.ts',
    'return judge.judge(attributes, template, false);',
    'return judge.judge(attributes, template, true);',
  ),
  slip(
    'a namespace may ask for a standard that nobody knows',
    ['admission'],
    'admission/plugins/pod-security/policy.ts',
    'errors.push(invalidValue(labelsAt.key(name), asked, levelProblem));',
    '',
  ),
  slip(
    'a namespace may ask for a version of a standard that nobody knows',
    ['admission'],
    'admission/plugins/pod-security/policy.ts',
    'errors.push(invalidValue(labelsAt.key(`${name}-version`), version, versionProblem));',
    '',
  ),
  slip(
    'nobody is warned of pods that a CronJob will make',
    ['admission'],
    'admission/plugins/pod-security/pod-templates.ts',
    "  ['cronjobs.batch', ['spec', 'jobTemplate', 'spec', 'template']],\n",
    '',
  ),
  slip(
    'nobody is warned of the pods of a PodTemplate',
    ['admission'],
    'admission/plugins/pod-security/pod-templates.ts',
    "['podtemplates', ['template']]",
    "['podtemplates', inSpec]",
  ),
  slip(
    'each version of a standard is the newest',
    ['admission'],
    'admission/plugins/pod-security/evaluate.ts',
    'const version = Math.min(minor, latest);',
    'const version = latest;',
  ),
  slip(
    'nobody is warned of pods that break the standard from now on',
    ['admission'],
    'admission/plugins/pod-security/namespace-check.ts',
    'for (const text of existingPodWarnings(name, judged, next.policy.enforce)) warn(text);',
    'existingPodWarnings(name, judged, next.policy.enforce);',
  ),
  slip(
    'what a namespace warns of is only noted for the audit',
    ['admission'],
    'admission/plugins/pod-security/pod-judge.ts',
    'if (warned) attributes.warn(`would violate ${warned}`);',
    "if (warned) note('warned', warned);",
  ),
];
