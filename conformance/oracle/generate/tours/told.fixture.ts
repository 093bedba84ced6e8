import type { OracleKind } from '../../oracle-kind.ts';
import type { Step } from '../../play/scenario.ts';
import { KindStory, Story } from '../story.ts';

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

export const roles: OracleKind = {
  ...{ group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'roles', kind: 'Role', namespaced: true, verbs },
  subresources: [],
};

export const services: OracleKind = {
  ...{ group: '', version: 'v1', resource: 'services', kind: 'Service', namespaced: true, verbs },
  subresources: [{ name: 'status', verbs: ['get', 'patch', 'update'] }],
};

/** The steps of a tour of one kind. */
export function told(kind: OracleKind, tell: (at: KindStory) => void): readonly Step[] {
  const at = new KindStory(new Story(), kind);
  tell(at);
  return at.story.scenario('some', 'sequences', 2).steps;
}
