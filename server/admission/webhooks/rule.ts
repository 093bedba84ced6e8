import type { WebhookRule } from '../../kinds/admissionregistration/webhook-shape.ts';
import type { AdmissionAttributes } from '../admission.ts';
import type { Concern } from '../concern.ts';

/** What a rule looks at. `namespace` is empty for cluster-scoped objects; a Namespace has its own name there. */
export type RuleSubject = Pick<AdmissionAttributes, 'operation' | 'resource' | 'subresource' | 'namespace'>;

export type CompiledRule = (subject: RuleSubject) => boolean;

type Accepts = (text: string) => boolean;

function oneOf(values: readonly string[] = []): Accepts {
  if (values.includes('*')) return () => true;
  if (values.length === 1) return (text) => text === values[0];
  const set = new Set(values);
  return (text) => set.has(text);
}

type AcceptsResource = (resource: string, subresource: string) => boolean;

/** `pods`, `pods/log`, `pods/*` (pods and all below), `*` (all but subresources), and `*` with a subresource or `*`. */
function resourcePattern(text: string): AcceptsResource {
  const slash = text.indexOf('/');
  const wantedResource = slash < 0 ? text : text.slice(0, slash);
  const wantedSubresource = slash < 0 ? '' : text.slice(slash + 1);
  return (resource, subresource) =>
    (wantedResource === '*' || wantedResource === resource) &&
    (wantedSubresource === '*' || wantedSubresource === subresource);
}

const isNamespaceObject = ({ resource }: RuleSubject) => resource.group === '' && resource.resource === 'namespaces';

/** A subresource has the scope of its parent. */
function scopeOf(scope: string | undefined): (subject: RuleSubject) => boolean {
  if (scope !== 'Namespaced' && scope !== 'Cluster') return () => true;
  const wantsCluster = scope === 'Cluster';
  return (subject) => (subject.namespace === '' || isNamespaceObject(subject)) === wantsCluster;
}

/** A rule of a webhook (rules `webhook.rules.*`): all of its parts must hold. */
export function compileRule(rule: WebhookRule): CompiledRule {
  const operation = oneOf(rule.operations);
  const group = oneOf(rule.apiGroups);
  const version = oneOf(rule.apiVersions);
  const resources = (rule.resources ?? []).map(resourcePattern);
  const scope = scopeOf(rule.scope);
  return (subject) =>
    operation(subject.operation) &&
    group(subject.resource.group) &&
    version(subject.resource.version) &&
    scope(subject) &&
    resources.some((accepts) => accepts(subject.resource.resource, subject.subresource));
}

/** Webhooks are never asked about webhooks, so that one that refuses everything can be taken away. */
const exempt = ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'].map(
  (resource) => `${resource}.admissionregistration.k8s.io`,
);

/** Which writes a rule may be about, apart from versions and scope. `equivalents`: in whatever group they are written. */
export const concernsOf = (rule: WebhookRule, equivalents: boolean): Concern[] =>
  (rule.resources ?? []).map((text) => {
    const [resource = '', subresource = ''] = text.split('/', 2);
    return {
      operations: (rule.operations ?? []) as Concern['operations'],
      groups: rule.apiGroups ?? [],
      resources: [resource],
      subresources: [subresource],
      except: exempt,
      equivalents,
    };
  });
