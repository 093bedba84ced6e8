import { type PatchOperation, patch, pathSegment } from '../admission-review.ts';
import type { Policy } from '../policy.ts';
import type { Container, Pod } from './pod.ts';

/**
 * Containers that do not say what they need get default requests. A limit counts as saying so: the API server takes
 * it for the request. Asked twice, it changes nothing the second time.
 */
export function defaultResourceRequests(defaults: Readonly<Record<string, string>>): Policy {
  return {
    name: 'default-resource-requests',
    type: 'mutating',
    about: `containers without requests get ${Object.entries(defaults)
      .map(([name, amount]) => `${name}=${amount}`)
      .join(', ')}`,
    failurePolicy: 'Ignore',
    rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
    decide({ object }) {
      const { spec } = (object as Pod | null) ?? {};
      const filled = (part: 'containers' | 'initContainers') =>
        (spec?.[part] ?? []).flatMap((container, i) => fill(container, `/spec/${part}/${i}/resources`, defaults));
      return patch([...filled('containers'), ...filled('initContainers')]);
    },
  };
}

function fill({ resources }: Container, path: string, defaults: Readonly<Record<string, string>>): PatchOperation[] {
  const { requests, limits = {} } = resources ?? {};
  const said = { ...limits, ...requests };
  const missing = Object.entries(defaults).filter(([name]) => !Object.hasOwn(said, name));
  if (missing.length === 0) return [];
  // A patch can only add below what is there.
  if (!resources) return [{ op: 'add', path, value: { requests: Object.fromEntries(missing) } }];
  if (!requests) return [{ op: 'add', path: `${path}/requests`, value: Object.fromEntries(missing) }];
  return missing.map(([name, value]) => ({ op: 'add', path: `${path}/requests/${pathSegment(name)}`, value }));
}
