import { nodeNameOf } from '../../../authz/node.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../../admission.ts';
import type { Concern } from '../../concern.ts';
import type { PluginServices } from '../../plugin-services.ts';
import { refusal } from '../../refusal.ts';
import { claimProblem } from './claim-status.ts';
import { nodeProblem } from './own-node.ts';
import type { StoredObjects } from './own-pods.ts';
import { mirrorPodProblem, podOwnerProblem } from './own-pods.ts';
import { tokenProblem } from './own-tokens.ts';

/** Why a node may not do this, undefined when it may. */
type Rule = (
  attributes: AdmissionAttributes,
  node: string,
  stored: StoredObjects,
) => string | undefined | Promise<string | undefined>;

const leaseNamespace = 'kube-node-lease';

function pods(attributes: AdmissionAttributes, node: string, stored: StoredObjects) {
  const { operation, subresource } = attributes;
  if (subresource === 'status' || subresource === 'eviction') return podOwnerProblem(attributes, node, stored);
  if (subresource) return `unexpected pod subresource "${subresource}", only 'status' and 'eviction' are allowed`;
  if (operation === 'CREATE') return mirrorPodProblem(attributes, node, stored);
  if (operation === 'DELETE') return podOwnerProblem(attributes, node, stored);
  return `unexpected operation "${operation}", node ${JSON.stringify(node)} can only create and delete mirror pods`;
}

function leases({ namespace, name, object }: AdmissionAttributes, node: string): string | undefined {
  if (namespace !== leaseNamespace) return `can only access leases in the "${leaseNamespace}" system namespace`;
  return (name || object?.metadata.name) === node
    ? undefined
    : 'can only access node lease with the same name as the requesting node';
}

const csiNodes: Rule = ({ name, object }, node) =>
  (name || object?.metadata.name) === node
    ? undefined
    : 'can only access CSINode with the same name as the requesting node';

/** By resource and group. Of what is not named here nodes may write what authorization lets them. */
const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['pods', pods],
  ['nodes', nodeProblem],
  ['persistentvolumeclaims', claimProblem],
  ['serviceaccounts', tokenProblem],
  ['leases.coordination.k8s.io', leases],
  ['csinodes.storage.k8s.io', csiNodes],
]);

const operations: Concern['operations'] = ['CREATE', 'UPDATE', 'DELETE'];

/** Node agents (`system:node:<name>` in `system:nodes`) write only what is theirs: their node and the pods on it. */
export const nodeRestriction = ({ lookup }: Pick<PluginServices, 'lookup'>): AdmissionPlugin => {
  const stored: StoredObjects = {
    pod: (namespace, name) => lookup.get('', 'pods', namespace, name),
    node: (name) => lookup.get('', 'nodes', '', name),
  };
  return {
    name: 'NodeRestriction',
    cares: [...rules.keys()].map((name) => {
      const [resource = '', ...groups] = name.split('.');
      return { operations, groups: [groups.join('.')], resources: [resource], subresources: ['*'] };
    }),
    async check(attributes) {
      const node = nodeNameOf(attributes.user);
      if (node === '') return;
      const { group, resource } = attributes.resource;
      const rule = rules.get(group ? `${resource}.${group}` : resource);
      const problem = await rule?.(attributes, node, stored);
      if (problem) throw refusal(attributes, problem);
    },
  };
};
