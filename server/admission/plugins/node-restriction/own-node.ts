import { deepEqual } from '../../../base/deep-equal.ts';
import { memberOf } from '../../../base/json-value.ts';
import type { Node } from '../../../kinds/core/node.ts';
import type { AdmissionAttributes } from '../../admission.ts';

/** Labels of the system that nodes may tell about themselves. */
const own: ReadonlySet<string> = new Set([
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/instance-type',
  'beta.kubernetes.io/os',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'kubernetes.io/arch',
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'node.kubernetes.io/instance-type',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
]);
const ownDomains: readonly string[] = ['kubelet.kubernetes.io', 'node.kubernetes.io'];
/** Nodes can never set these, so that pods can be kept to nodes by them. */
const isolating = 'node-restriction.kubernetes.io';

const isIn = (name: string, domain: string) => name === domain || name.endsWith(`.${domain}`);

function isForbidden(label: string): boolean {
  const domain = label.includes('/') ? label.slice(0, label.indexOf('/')) : '';
  if (isIn(domain, isolating)) return true;
  if (!isIn(domain, 'kubernetes.io') && !isIn(domain, 'k8s.io')) return false;
  return !own.has(label) && !ownDomains.some((each) => isIn(domain, each));
}

/** Labels that were added, changed or taken away. */
function changedLabels(next: Readonly<Record<string, string>>, previous: Readonly<Record<string, string>>): string[] {
  const names = new Set([...Object.keys(next), ...Object.keys(previous)]);
  return [...names].filter((name) => memberOf(next, name) !== memberOf(previous, name)).sort();
}

/** What a change does that is for others to do, beside labels. */
function steering(next: Node, previous: Node | undefined): string | undefined {
  if (!deepEqual(next.spec?.configSource, previous?.spec?.configSource))
    return 'update configSource to a new non-nil configSource';
  if (!deepEqual(next.spec?.taints ?? [], previous?.spec?.taints ?? [])) return 'modify taints';
  // Without the owner that it names the node goes, and could come back with any labels and taints.
  if (!deepEqual(next.metadata.ownerReferences ?? [], previous?.metadata.ownerReferences ?? []))
    return 'modify ownerReferences';
  return undefined;
}

/** A node writes the Node of its own name, and not what others steer it by. */
export function nodeProblem(
  { operation, name, object, oldObject }: AdmissionAttributes,
  node: string,
): string | undefined {
  const who = `node ${JSON.stringify(node)}`;
  const asked = object?.metadata.name || name;
  if (asked !== node) return `${who} is not allowed to modify node ${JSON.stringify(asked)}`;
  if (operation === 'DELETE' || !object) return undefined;
  const [next, previous] = [object as Node, oldObject as Node | undefined];
  const changed = changedLabels(next.metadata.labels ?? {}, previous?.metadata.labels ?? {}).filter(isForbidden);
  if (operation === 'CREATE') {
    return changed.length > 0 ? `${who} is not allowed to set the following labels: ${changed.join(', ')}` : undefined;
  }
  const what = steering(next, previous) ?? (changed.length > 0 ? `modify labels: ${changed.join(', ')}` : undefined);
  return what && `${who} is not allowed to ${what}`;
}
