import type { Json } from '../../verbs/json.ts';
import { kindPaths } from '../../verbs/kinds.ts';
import { type JudgedKind, judged } from './judged-kind.ts';

const noted = (annotations: Json, spec: Json = {}): Json => ({ template: { metadata: { annotations }, spec } });
const cost = (text: string): Json => noted({ 'controller.kubernetes.io/pod-deletion-cost': text });
/** Of the container that the sample has. */
const confined = (profile: string, container = 'main'): Json =>
  noted({ [`container.apparmor.security.beta.kubernetes.io/${container}`]: profile });
const mirrored = { 'kubernetes.io/config.mirror': 'a' };

const calls = 'seccomp.security.alpha.kubernetes.io/pod';
const callsOf = 'container.seccomp.security.alpha.kubernetes.io/main';
const bounded = (seccompProfile: Json): Json => ({ securityContext: { seccompProfile } });
const tolerated = (text: string): Json => noted({ 'scheduler.alpha.kubernetes.io/tolerations': text });

/** What annotations of pods say that the server itself reads, as templates show it. */
export const unfitPodAnnotations: readonly JudgedKind[] = [
  judged(kindPaths.podTemplates, {
    ...{ name: 'annotations of podtemplates', holds: { from: 22 } },
    fresh: {
      ...Object.fromEntries(
        ['', 'some', '+1', '01', '1.5', '2147483648'].map((text) => [`"${text}" as what it costs to lose`, cost(text)]),
      ),
      'what is confined by nothing that there is': confined('other'),
      'what is confined and is not there': confined('runtime/default', 'none'),
      'one that stands for one of no node': noted(mirrored),
    },
    fitting: {
      'what it costs to lose': cost('-2147483648'),
      'what is confined as usual': confined('runtime/default'),
      'what is confined by a profile of its node': confined('localhost/a'),
      'what is not confined': confined('unconfined'),
      'one that stands for one of a node': noted(mirrored, { nodeName: 'a' }),
    },
  }),
  judged(kindPaths.podTemplates, {
    ...{ name: 'older annotations of podtemplates', holds: { from: 22, to: 26 } },
    fresh: {
      'bounds of calls that there are not': noted({ [calls]: 'other' }),
      'bounds of calls above': noted({ [callsOf]: 'localhost/../a' }),
      'other bounds of calls than its field says': noted(
        { [calls]: 'unconfined' },
        bounded({ type: 'RuntimeDefault' }),
      ),
      'tolerations that are no JSON': tolerated('{'),
      'a toleration of an unknown effect': tolerated('[{"key":"a","operator":"Exists","effect":"Other"}]'),
    },
    fitting: {
      'the usual bounds of calls': noted({ [calls]: 'runtime/default', [callsOf]: 'docker/default' }),
      'bounds of calls as its field says': noted(
        { [calls]: 'localhost/a' },
        bounded({ type: 'Localhost', localhostProfile: 'a' }),
      ),
      'a toleration': tolerated('[{"key":"a","operator":"Exists","effect":"NoExecute"}]'),
    },
  }),
];
