import { type FieldError, invalidValue, notSupported, required } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { dnsSubdomain, pathSegment, pathSegmentName } from '../../base/names.ts';
import { eachOf, named, oneOf, requiredName } from '../field-rules.ts';
import type { KindTable } from '../kind-table.ts';
import { sameValue } from '../same-value.ts';
import { age, ageColumn, column, nameColumn, wideColumn } from '../table-cells.ts';
import { rbacGroup } from './policy-rules.ts';

interface Subject {
  kind?: string;
  apiGroup?: string;
  name?: string;
  namespace?: string;
}

export interface Binding extends KubeObject {
  roleRef?: { apiGroup?: string; kind?: string; name?: string };
  subjects?: Subject[];
}

/** Users and groups belong to the group of the bindings themselves, service accounts to the core group. */
function defaultBinding(binding: Binding): void {
  binding.roleRef ??= {};
  binding.roleRef.apiGroup ||= rbacGroup;
  for (const subject of binding.subjects ?? []) {
    if (!subject.apiGroup && (subject.kind === 'User' || subject.kind === 'Group')) subject.apiGroup = rbacGroup;
    if (subject.apiGroup === '') delete subject.apiGroup;
    if (subject.namespace === '') delete subject.namespace;
  }
}

function validateBinding(binding: Binding, roleKinds: readonly string[], clusterWide: boolean): FieldError[] {
  const { roleRef: { apiGroup = '', kind = '', name = '' } = {}, subjects } = binding;
  const ref = FieldPath.of('roleRef');
  return [
    ...oneOf(apiGroup, [rbacGroup], ref.child('apiGroup')),
    ...oneOf(kind, roleKinds, ref.child('kind')),
    ...requiredName(name, pathSegment, ref.child('name')),
    ...eachOf(subjects, FieldPath.of('subjects'), (subject, here) => validateSubject(subject, clusterWide, here)),
  ];
}

function validateSubject(subject: Subject, clusterWide: boolean, at: FieldPath): FieldError[] {
  const { kind = '', apiGroup = '', name = '', namespace = '' } = subject;
  const errors = name ? [] : [required(at.child('name'))];
  switch (kind) {
    case 'ServiceAccount':
      return [
        ...errors,
        ...named(name, dnsSubdomain, at.child('name')),
        ...oneOf(apiGroup, [''], at.child('apiGroup')),
        ...(clusterWide && !namespace ? [required(at.child('namespace'))] : []),
      ];
    case 'User':
    case 'Group':
      return [...errors, ...oneOf(apiGroup, [rbacGroup], at.child('apiGroup'))];
    default:
      return [...errors, notSupported(at.child('kind'), kind, ['ServiceAccount', 'User', 'Group'])];
  }
}

/** A binding can never grant something else than it once did: who may bind the one role may not bind another. */
const roleRefStays = (next: Binding, previous: Binding): FieldError[] =>
  sameValue(next.roleRef, previous.roleRef)
    ? []
    : [invalidValue('roleRef', next.roleRef, 'the role of a binding cannot be changed')];

/**
 * What bindings of both scopes have in common. `roleKinds`: which kinds of role may be bound. A cluster-wide binding
 * must say whose service account it means.
 */
export function bindingRules(roleKinds: readonly string[], clusterWide: boolean) {
  const validate = (binding: Binding) => validateBinding(binding, roleKinds, clusterWide);
  return {
    group: rbacGroup,
    version: 'v1',
    nameRule: pathSegmentName,
    createOnUpdate: true,
    default: defaultBinding,
    validate,
    // An update is checked as a new object and as an update, and clients see each cause twice.
    validateUpdate: (next: Binding, previous: Binding) => [...validate(next), ...roleRefStays(next, previous)],
  };
}

const names = ({ subjects = [] }: Binding, kind: string, text = (subject: Subject) => subject.name) =>
  subjects
    .filter((subject) => subject.kind === kind)
    .map(text)
    .join(', ');

/** `noun`: how the columns call the kind. */
export const bindingTable = (noun: string, roleDescription: string): KindTable<Binding> => ({
  columns: [
    nameColumn,
    column('Role', roleDescription),
    ageColumn,
    wideColumn('Users', `Users in the ${noun}`),
    wideColumn('Groups', `Groups in the ${noun}`),
    wideColumn('ServiceAccounts', `ServiceAccounts in the ${noun}`),
  ],
  cells: (binding, now) => [
    binding.metadata.name,
    `${binding.roleRef?.kind ?? ''}/${binding.roleRef?.name ?? ''}`,
    age(binding, now),
    names(binding, 'User'),
    names(binding, 'Group'),
    names(binding, 'ServiceAccount', ({ namespace = '', name = '' }) => `${namespace}/${name}`),
  ],
});
