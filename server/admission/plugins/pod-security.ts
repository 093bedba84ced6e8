import type { KubeObject } from '../../base/kube-object.ts';
import { internalError, invalid } from '../../base/status-error.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../admission.ts';
import type { PluginServices } from '../plugin-services.ts';
import { refusal, writes } from '../refusal.ts';
import type { CheckedPod } from './pod-security/checked-pod.ts';
import { podSecurityConfiguration } from './pod-security/configuration.ts';
import { violations, violationsText } from './pod-security/evaluate.ts';
import { existingPodWarnings } from './pod-security/existing-pods.ts';
import { makesPods, templateOf } from './pod-security/pod-templates.ts';
import { levelText, type Policy, policyOf, sameLevel, strictness } from './pod-security/policy.ts';
import { changesSecurity } from './pod-security/significant-update.ts';

const annotationPrefix = 'pod-security.kubernetes.io/';
const isNamespaceWrite = writes('', 'namespaces', 'CREATE', 'UPDATE');

const isPodWrite = ({ operation, resource: { group, resource }, subresource }: AdmissionAttributes) =>
  group === '' &&
  resource === 'pods' &&
  (subresource === '' || subresource === 'ephemeralcontainers') &&
  (operation === 'CREATE' || operation === 'UPDATE');

const isTemplateWrite = ({ operation, resource: { group, resource }, subresource }: AdmissionAttributes) =>
  subresource === '' && makesPods(group, resource) && (operation === 'CREATE' || operation === 'UPDATE');

const isPrivileged = ({ enforce, audit, warn }: Policy) =>
  strictness(enforce) + strictness(audit) + strictness(warn) === 0;

/** Judges pods by the Pod Security Standards that labels of their namespace name: refuses, warns and notes for the audit. */
export const podSecurity = ({
  followed,
  lookup,
  configurations,
}: Pick<PluginServices, 'followed' | 'lookup' | 'configurations'>): AdmissionPlugin => {
  const { defaults, exempt } = podSecurityConfiguration(configurations.get('PodSecurity'));
  const policies = new WeakMap<KubeObject, ReturnType<typeof policyOf>>();
  /** What a namespace asks for; worked out once for each version of it. */
  const policyFor = async (name: string) => {
    const namespace = followed.namespaces.get('', name) ?? (await lookup.get('', 'namespaces', '', name));
    if (!namespace) throw internalError(`failed to lookup namespace ${JSON.stringify(name)}`);
    const found = policies.get(namespace) ?? policyOf(namespace, defaults);
    policies.set(namespace, found);
    return found;
  };
  const exemption = ({ namespace, user }: AdmissionAttributes): string | undefined => {
    if (exempt.namespaces.has(namespace)) return 'namespace';
    return exempt.users.has(user.name) ? 'user' : undefined;
  };

  /** @throws 403 when `enforces` and the pod breaks the level that is enforced */
  const judge = async (attributes: AdmissionAttributes, pod: CheckedPod, enforces: boolean) => {
    const note = (key: string, value: string) => attributes.annotate(annotationPrefix + key, value);
    const { policy, errors } = await policyFor(attributes.namespace);
    if (exempt.runtimeClasses.has(pod.spec?.runtimeClassName ?? '')) return note('exempt', 'runtimeClass');
    if (errors.length > 0)
      note('error', `Failed to parse policy: ${errors.map(({ field, text }) => `${field}: ${text}`).join(', ')}`);
    if (enforces) note('enforce-policy', levelText(policy.enforce));
    if (isPrivileged(policy)) return;
    const broken = (mode: keyof Policy) => {
      const found = violations(pod, policy[mode]);
      return found.length > 0 ? `violate PodSecurity "${levelText(policy[mode])}": ${violationsText(found)}` : '';
    };
    const audited = broken('audit');
    if (audited) note('audit-violations', `would ${audited}`);
    const refused = enforces && broken('enforce');
    if (refused) throw refusal(attributes, refused.replace('violate', 'violates'));
    const warned = broken('warn');
    if (warned) attributes.warn(`would ${warned}`);
  };

  const checkNamespace = async (attributes: AdmissionAttributes) => {
    const { object, oldObject } = attributes;
    if (!object) return;
    const next = policyOf(object, defaults);
    const previous = oldObject && policyOf(oldObject, defaults);
    if (next.errors.length > 0 && (previous?.errors.length ?? 0) === 0) {
      throw invalid({ group: '', resource: 'Namespace' }, attributes.name, next.errors);
    }
    if (!previous || exempt.namespaces.has(attributes.name)) return;
    const [level, before] = [next.policy.enforce, previous.policy.enforce];
    const relaxed = level.minor === before.minor && strictness(level) < strictness(before);
    if (sameLevel(level, before) || level.level === 'privileged' || relaxed) return;
    const pods = (await lookup.list('', 'pods', attributes.name)) as readonly CheckedPod[];
    const judged = pods.filter(({ spec }) => !exempt.runtimeClasses.has(spec?.runtimeClassName ?? ''));
    for (const text of existingPodWarnings(attributes.name, judged, level)) attributes.warn(text);
  };

  return {
    name: 'PodSecurity',
    handles: (attributes) => isPodWrite(attributes) || isTemplateWrite(attributes) || isNamespaceWrite(attributes),
    async validate(attributes) {
      if (isNamespaceWrite(attributes)) return checkNamespace(attributes);
      const { object, oldObject, resource } = attributes;
      if (!object) return;
      const exempted = exemption(attributes);
      if (exempted) return attributes.annotate(`${annotationPrefix}exempt`, exempted);
      if (!isPodWrite(attributes)) {
        const template = templateOf(resource.group, resource.resource, object);
        return template && judge(attributes, template, false);
      }
      if (!oldObject || changesSecurity(object as CheckedPod, oldObject as CheckedPod))
        return judge(attributes, object as CheckedPod, true);
    },
  };
};
