import { describe } from 'vitest';
import { creations } from '../../write-tables.fixture.ts';
import { podTemplate } from './pod-template.ts';

describe('PodTemplate', () => {
  const containers = [{ name: 'c', image: ' i ' }];
  const annotations = { 'seccomp.security.alpha.kubernetes.io/pod': 'runtime/default' };
  const confined = (type: string) => ({
    template: { metadata: { annotations }, spec: { containers, securityContext: { seccompProfile: { type } } } },
  });
  creations(podTemplate, [
    ['no containers', {}, ['template.spec.containers Required']],
    ['blanks around an image', { template: { spec: { containers } } }, []],
    ['one profile in both places', confined('RuntimeDefault'), []],
    ['two profiles', confined('Unconfined'), ['template.spec.securityContext.seccompProfile.type Forbidden']],
  ]);
});
