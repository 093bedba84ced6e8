import type { AdmissionAttributes } from '../../admission.ts';
import { refusal } from '../../refusal.ts';
import type { CheckedPod } from './checked-pod.ts';
import type { PodSecurityConfiguration } from './configuration.ts';
import { violations, violationsText } from './evaluate.ts';
import { levelText, type Mode, type NamespacePolicy, type Policy, strictness } from './policy.ts';

const annotationPrefix = 'pod-security.kubernetes.io/';

const isPrivileged = ({ enforce, audit, warn }: Policy) =>
  strictness(enforce) + strictness(audit) + strictness(warn) === 0;

/** Where a policy comes from. @throws 500 there is no such namespace */
export type PolicyFor = (namespace: string) => Promise<NamespacePolicy>;

/** Judges pods by the policies of their namespaces. */
export class PodJudge {
  readonly #exempt: PodSecurityConfiguration['exempt'];
  readonly #policyFor: PolicyFor;

  constructor(exempt: PodSecurityConfiguration['exempt'], policyFor: PolicyFor) {
    this.#exempt = exempt;
    this.#policyFor = policyFor;
  }

  /**
   * Notes for the audit, refuses and warns, as each mode says; `enforces`: the pod itself is written, not something
   * that will make it, which is never refused. @throws 403
   */
  async judge(attributes: AdmissionAttributes, pod: CheckedPod, enforces: boolean): Promise<void> {
    const note = (key: string, value: string) => attributes.annotate(annotationPrefix + key, value);
    const exempted = this.#exemption(attributes, pod);
    if (exempted) return note('exempt', exempted);
    const { policy, errors } = await this.#policyFor(attributes.namespace);
    if (errors.length > 0) {
      note('error', `Failed to parse policy: ${errors.map(({ field, text }) => `${field}: ${text}`).join(', ')}`);
    }
    if (enforces) note('enforce-policy', levelText(policy.enforce));
    if (isPrivileged(policy)) return;
    const audited = fault(pod, policy, 'audit');
    if (audited) note('audit-violations', `would violate ${audited}`);
    const refused = enforces && fault(pod, policy, 'enforce');
    if (refused) throw refusal(attributes, `violates ${refused}`);
    const warned = fault(pod, policy, 'warn');
    if (warned) attributes.warn(`would violate ${warned}`);
  }

  #exemption({ namespace, user }: AdmissionAttributes, { spec }: CheckedPod): string | undefined {
    if (this.#exempt.namespaces.has(namespace)) return 'namespace';
    if (this.#exempt.users.has(user.name)) return 'user';
    return this.#exempt.runtimeClasses.has(spec?.runtimeClassName ?? '') ? 'runtimeClass' : undefined;
  }
}

/** What of a level a pod breaks, in words; empty: nothing. */
function fault(pod: CheckedPod, policy: Policy, mode: Mode): string {
  const found = violations(pod, policy[mode]);
  return found.length > 0 ? `PodSecurity "${levelText(policy[mode])}": ${violationsText(found)}` : '';
}
