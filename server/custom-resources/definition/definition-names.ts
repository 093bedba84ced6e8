import { type FieldError, invalidValue, notSupported, required } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import { dns1035Label, dnsSubdomain } from '../../base/names.ts';
import type { Definition, Names } from '../definition-shape.ts';

const spec = FieldPath.of('spec');

/** The group, the scope and the names of a definition. */
export function validateNames({ spec: { group, names, scope } }: Definition): FieldError[] {
  return [...groupErrors(group), ...scopeErrors(scope), ...namesErrors(names)];
}

/** A definition is named after its plural and its group. */
export function validateOwnName({ metadata, spec: { names, group } }: Definition): FieldError[] {
  return (['name', 'generateName'] as const).flatMap((field) => {
    const given = metadata[field];
    return !given || given === `${names.plural}.${group}`
      ? []
      : [invalidValue(`metadata.${field}`, given, 'must be spec.names.plural+"."+spec.group')];
  });
}

function groupErrors(group: string): FieldError[] {
  const path = spec.child('group');
  if (!group) return [required(path)];
  const problems = [...dnsSubdomain(group)];
  if (!group.includes('.')) problems.push('should be a domain with at least one dot');
  return problems.map((problem) => invalidValue(path, group, problem));
}

const scopes = ['Cluster', 'Namespaced'];

function scopeErrors(scope: string): FieldError[] {
  const path = spec.child('scope');
  if (!scope) return [required(path)];
  return scopes.includes(scope) ? [] : [notSupported(path, scope, scopes)];
}

/** Names that must be there, in the order in which they are told. */
const single = ['plural', 'singular', 'kind', 'listKind'] as const;

function namesErrors(names: Names): FieldError[] {
  const path = spec.child('names');
  const missing = single.flatMap((field) => (names[field] ? [] : [required(path.child(field))]));
  return [...missing, ...formErrors(names, path)];
}

/** What the status says of names that were accepted; none need be there. */
export const validateAcceptedNames = ({ status }: Definition): FieldError[] =>
  formErrors(status?.acceptedNames ?? {}, FieldPath.of('status', 'acceptedNames'));

/** The form of the names that are there. */
function formErrors(names: Partial<Names>, path: FieldPath): FieldError[] {
  const label = (at: FieldPath, value: string, folded = value) =>
    dns1035Label(folded).map((problem) => invalidValue(at, value, problem));
  const errors: FieldError[] = [];
  for (const field of single) {
    const value = names[field];
    const kind = field === 'kind' || field === 'listKind';
    if (value) errors.push(...label(path.child(field), value, kind ? value.toLowerCase() : value));
  }
  for (const field of ['shortNames', 'categories'] as const) {
    for (const [i, each] of (names[field] ?? []).entries()) errors.push(...label(path.child(field).index(i), each));
  }
  if (names.kind && names.kind === names.listKind) {
    errors.push(invalidValue(path.child('listKind'), names.listKind, 'kind and listKind may not be the same'));
  }
  return errors;
}

const approval = 'api-approved.kubernetes.io';

/** What the annotation of a definition says of where its group was approved; undefined for anybody's own groups. */
export function approvalOf({ metadata, spec: { group } }: Definition) {
  if (!/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group)) return undefined;
  const text = metadata.annotations?.[approval];
  if (!text) return { state: 'missing' } as const;
  if (text.startsWith('unapproved')) return { state: 'unapproved', text } as const;
  return { state: isUrl(text) ? 'approved' : 'invalid', text } as const;
}

/** Groups of the Kubernetes community need an annotation that says where they were approved. */
export function validateApproval(definition: Definition): FieldError[] {
  const found = approvalOf(definition);
  const path = FieldPath.of('metadata', 'annotations').key(approval);
  if (found?.state === 'missing') {
    return [required(path, `protected groups must have the annotation ${JSON.stringify(approval)}`)];
  }
  return found?.state === 'invalid'
    ? [invalidValue(path, found.text, 'must be the URL of the approval, or begin with "unapproved"')]
    : [];
}

const isUrl = (text: string) => URL.canParse(text) && new URL(text).host !== '';
