import { perObject } from '../../../base/caches/memo.ts';
import type { KubeObject } from '../../../base/kube-object.ts';
import { internalError } from '../../../base/status-error.ts';
import type { AdmissionPlugin } from '../../admission.ts';
import { writes } from '../../concern.ts';
import type { PluginServices } from '../../plugin-services.ts';
import type { CheckedPod } from './checked-pod.ts';
import { podSecurityConfiguration } from './configuration.ts';
import { checkNamespace } from './namespace-check.ts';
import { PodJudge, type PolicyFor } from './pod-judge.ts';
import { makersOfPods, templateOf } from './pod-templates.ts';
import { type NamespacePolicy, policyOf } from './policy.ts';
import { changesSecurity } from './significant-update.ts';

type Services = Pick<PluginServices, 'followed' | 'lookup' | 'configurations'>;

/** Judges pods by the Pod Security Standards that labels of their namespace name: refuses, warns and notes for the audit. */
export function podSecurity(services: Services): AdmissionPlugin {
  const { lookup, configurations } = services;
  const configuration = podSecurityConfiguration(configurations.get('PodSecurity'));
  const judge = new PodJudge(
    configuration.exempt,
    policySource(services, (namespace) => policyOf(namespace, configuration.defaults)),
  );
  const podsOf = async (namespace: string) => (await lookup.list('', 'pods', namespace)) as readonly CheckedPod[];
  return {
    name: 'PodSecurity',
    cares: [
      writes('', 'namespaces', 'CREATE', 'UPDATE'),
      { ...writes('', 'pods', 'CREATE', 'UPDATE'), subresources: ['', 'ephemeralcontainers'] },
      ...makersOfPods.map(({ group, resource }) => writes(group, resource, 'CREATE', 'UPDATE')),
    ],
    async validate(attributes) {
      const { object, oldObject, resource } = attributes;
      if (!object) return;
      if (resource.resource === 'namespaces') return checkNamespace(attributes, configuration, podsOf);
      if (resource.resource === 'pods') {
        if (oldObject && !changesSecurity(object as CheckedPod, oldObject as CheckedPod)) return;
        return judge.judge(attributes, object as CheckedPod, true);
      }
      const template = templateOf(resource.group, resource.resource, object);
      if (template) return judge.judge(attributes, template, false);
    },
  };
}

/** What namespaces ask for; worked out once for each version of one. */
function policySource({ followed, lookup }: Services, policyIn: (namespace: KubeObject) => NamespacePolicy): PolicyFor {
  const policyOf = perObject(policyIn);
  return async (name) => {
    const namespace = followed.namespaces.get('', name) ?? (await lookup.get('', 'namespaces', '', name));
    if (!namespace) throw internalError(`failed to lookup namespace ${JSON.stringify(name)}`);
    return policyOf(namespace);
  };
}
