import type { User } from '../base/user.ts';
import type { Action, Authorizer, Decision, ResourceAction } from './authorizer.ts';
import type { NodeRelations } from './node-relations.ts';
import { type CompiledRule, compileRule, type PolicyRule, ruleHoldsPath, ruleHoldsResource } from './policy-rule.ts';

const nodesGroup = 'system:nodes';
const namePrefix = 'system:node:';
const leaseNamespace = 'kube-node-lease';

const allowed: Decision = { decision: 'allow', reason: '' };
const undecided: Decision = { decision: 'no opinion', reason: '' };
const noOpinion = (reason: string): Decision => ({ decision: 'no opinion', reason });

/** The node that the user is; empty when it is none. */
export function nodeNameOf(user: User): string {
  return user.groups.includes(nodesGroup) && user.name.startsWith(namePrefix) ? user.name.slice(namePrefix.length) : '';
}

const reading = new Set(['get', 'list', 'watch']);

/** How a node may reach kinds of which it may only see what concerns it; other kinds go by the rules of nodes. */
const limited: Readonly<Record<string, (action: ResourceAction, node: string, relations: NodeRelations) => string>> = {
  '/secrets': readUsed,
  '/configmaps': readUsed,
  '/persistentvolumes': (action, node, relations) => getUsed(action, node, relations, ['']),
  '/persistentvolumeclaims': (action, node, relations) =>
    action.subresource === 'status' && ['get', 'update', 'patch'].includes(action.verb)
      ? related(action, node, relations)
      : getUsed(action, node, relations, ['']),
  '/serviceaccounts': (action, node, relations) =>
    action.verb === 'create' && action.subresource === 'token'
      ? related(action, node, relations)
      : 'nodes can only create tokens of service accounts',
  'storage.k8s.io/volumeattachments': (action, node, relations) => {
    if (action.verb !== 'get' || action.subresource) return 'nodes can only get volume attachments';
    return relations.attachedTo(node, action.name) ? '' : unrelated(node);
  },
  'coordination.k8s.io/leases': (action, node) =>
    action.namespace === leaseNamespace ? ownOnly(action, node) : `nodes can only reach leases in ${leaseNamespace}`,
  'storage.k8s.io/csinodes': ownOnly,
};

const unrelated = (node: string) => `no pod of node ${JSON.stringify(node)} uses this object`;

function related(action: ResourceAction, node: string, relations: NodeRelations): string {
  const { resource, namespace, name } = action;
  return name && relations.uses(node, resource, namespace, name) ? '' : unrelated(node);
}

/** Lists and watches only with a field selector on one name, which makes `name` that name. */
function readUsed(action: ResourceAction, node: string, relations: NodeRelations): string {
  if (!reading.has(action.verb) || action.subresource) return 'nodes can only read objects of this kind';
  if (!action.name) return 'nodes can only read single objects of this kind';
  return related(action, node, relations);
}

function getUsed(action: ResourceAction, node: string, relations: NodeRelations, subresources: readonly string[]) {
  if (action.verb !== 'get' || !subresources.includes(action.subresource)) {
    return 'nodes can only get objects of this kind';
  }
  return related(action, node, relations);
}

const ownVerbs = new Set(['get', 'create', 'update', 'patch', 'delete']);

function ownOnly(action: ResourceAction, node: string): string {
  if (!ownVerbs.has(action.verb) || action.subresource) return 'nodes can only get and write objects of this kind';
  if (action.verb === 'create' || action.name === node) return '';
  return `node ${JSON.stringify(node)} can only reach the object of its own name`;
}

/**
 * Judges node agents (`system:node:<name>` in `system:nodes`): Secrets, ConfigMaps, claims, volumes and token
 * requests only where a pod bound to that node uses them, leases and CSINodes only their own, all else by the rules
 * of nodes. Has no opinion on anybody else.
 */
export function nodeAuthorizer(relations: NodeRelations, rulesOfNodes: readonly PolicyRule[]): Authorizer {
  const rules: readonly CompiledRule[] = rulesOfNodes.map(compileRule);
  const byRules = (action: Action) =>
    rules.some((rule) => (action.type === 'path' ? ruleHoldsPath(rule, action) : ruleHoldsResource(rule, action)));
  return {
    authorize(user, action) {
      const node = nodeNameOf(user);
      if (!node) return undecided;
      const kind = action.type === 'resource' ? `${action.group}/${action.resource}` : '';
      if (action.type === 'resource' && Object.hasOwn(limited, kind)) {
        const refusal = limited[kind]?.(action, node, relations);
        return refusal ? noOpinion(refusal) : allowed;
      }
      return byRules(action) ? allowed : undecided;
    },
  };
}
