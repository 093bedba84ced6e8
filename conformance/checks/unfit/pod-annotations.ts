import type { Json } from '../../verbs/json.ts';
import { kindPaths } from '../../verbs/kinds.ts';
import { type JudgedKind, judged } from './judged-kind.ts';

const noted = (annotations: Json, spec: Json = {}): Json => ({ template: { metadata: { annotations }, spec } });
const cost = (text: string): Json => noted({ 'controller.kubernetes.io/pod-deletion-cost': text });
/** Of the container that the sample has. */
const confined = (profile: string, container = 'main'): Json =>
  noted({ [`container.apparmor.security.beta.kubernetes.io/${container}`]: profile });
const mirrored = { 'kubernetes.io/config.mirror': 'a' };

const seccomp = 'seccomp.security.alpha.kubernetes.io/pod';
const seccompOf = 'container.seccomp.security.alpha.kubernetes.io/main';
const bounded = (seccompProfile: Json): Json => ({ securityContext: { seccompProfile } });
const tolerated = (text: string): Json => noted({ 'scheduler.alpha.kubernetes.io/tolerations': text });

/** What annotations of pods say that the server itself reads, as templates show it. */
export const unfitPodAnnotations: readonly JudgedKind[] = [
  judged(kindPaths.podTemplates, {
    ...{ name: 'annotations of podtemplates', holds: { from: 22 } },
    fresh: {
      ...Object.fromEntries(
        ['', 'some', '+1', '01', '1.5', '2147483648'].map((text) => [
          `"${text}" as a cost of its deletion`,
          cost(text),
        ]),
      ),
      'a profile of AppArmor that there is not': confined('other'),
      'a profile of AppArmor for a container that there is not': confined('runtime/default', 'none'),
      'a mirror pod of no node': noted(mirrored),
    },
    fitting: {
      'a cost of its deletion': cost('-2147483648'),
      'the usual profile of AppArmor': confined('runtime/default'),
      'a profile of AppArmor that its node has': confined('localhost/a'),
      'no profile of AppArmor': confined('unconfined'),
      'a mirror pod of a node': noted(mirrored, { nodeName: 'a' }),
    },
  }),
  judged(kindPaths.podTemplates, {
    ...{ name: 'older annotations of podtemplates', holds: { from: 22, to: 26 } },
    fresh: {
      'a profile of seccomp that there is not': noted({ [seccomp]: 'other' }),
      'a profile of seccomp above': noted({ [seccompOf]: 'localhost/../a' }),
      'another profile of seccomp than its field says': noted(
        { [seccomp]: 'unconfined' },
        bounded({ type: 'RuntimeDefault' }),
      ),
      'tolerations that are no JSON': tolerated('{'),
      'a toleration of an unknown effect': tolerated('[{"key":"a","operator":"Exists","effect":"Other"}]'),
    },
    fitting: {
      'the usual profiles of seccomp': noted({ [seccomp]: 'runtime/default', [seccompOf]: 'docker/default' }),
      'the profile of seccomp that its field says': noted(
        { [seccomp]: 'localhost/a' },
        bounded({ type: 'Localhost', localhostProfile: 'a' }),
      ),
      'a toleration': tolerated('[{"key":"a","operator":"Exists","effect":"NoExecute"}]'),
    },
  }),
];
