import { formatTime } from '../../base/time/clock.ts';
import {
  conditionOf,
  type Definition,
  type DefinitionCondition,
  type DefinitionStatus,
  isEstablished,
  type Names,
} from '../definition-shape.ts';
import { approvalOf } from './definition-names.ts';

/** Names that other definitions of the same group have been granted. */
interface Taken {
  /** plurals, singulars, short names */
  readonly resources: ReadonlySet<string>;
  /** kinds, list kinds */
  readonly kinds: ReadonlySet<string>;
}

function takenBy(others: readonly Definition[]): Taken {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const { status } of others) {
    const { plural, singular, shortNames = [], kind, listKind } = status?.acceptedNames ?? {};
    for (const name of [plural, singular, ...shortNames]) if (name) resources.add(name);
    for (const name of [kind, listKind]) if (name) kinds.add(name);
  }
  return { resources, kinds };
}

/**
 * The status that follows for a definition from the names that the others of its group hold: which of its names are
 * accepted, and whether it is established. `others` are the definitions of the same group but for this one. A name
 * that was granted stays granted, and an established definition stays so. The same reference when nothing changes.
 */
export function nextStatus(definition: Definition, others: readonly Definition[], now: number): DefinitionStatus {
  const before = definition.status ?? {};
  const time = formatTime(now);
  const granted = grantNames(definition.spec.names, before.acceptedNames ?? {}, takenBy(others));
  const accepted = granted.conflict
    ? ({ type: 'NamesAccepted', status: 'False', ...granted.conflict } as const)
    : ({ type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' } as const);
  let status: DefinitionStatus = sameNames(before.acceptedNames, granted.names)
    ? before
    : { ...before, acceptedNames: granted.names };
  status = withCondition(status, { ...accepted, lastTransitionTime: time });
  const approval = approvalCondition(definition);
  if (approval) status = withCondition(status, { ...approval, lastTransitionTime: time });
  if (isEstablished(definition)) return status;
  return withCondition(status, { ...(granted.conflict ? notEstablished : established), lastTransitionTime: time });
}

/** Only groups of the Kubernetes community have one. */
function approvalCondition(definition: Definition): DefinitionCondition | undefined {
  const type = 'KubernetesAPIApprovalPolicyConformant';
  const approval = approvalOf(definition);
  if (approval?.state === 'approved') {
    return { type, status: 'True', reason: 'ApprovedAnnotation', message: `approved in ${approval.text}` };
  }
  if (approval?.state !== 'unapproved') return undefined;
  const message = `not approved: ${JSON.stringify(approval.text)}`;
  return { type, status: 'False', reason: 'UnapprovedAnnotation', message };
}

const established = {
  type: 'Established',
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
} as const;

const notEstablished = {
  type: 'Established',
  status: 'False',
  reason: 'NotAccepted',
  message: 'not all names are accepted',
} as const;

interface Grant {
  readonly names: Names;
  /** The last name that is in use by another. */
  readonly conflict?: { readonly reason: string; readonly message: string };
}

function grantNames(asked: Names, before: Partial<Names>, taken: Taken): Grant {
  const names: Names = { plural: '', kind: '', ...before };
  let conflict: Grant['conflict'];
  const refuse = (what: string, name: string) => {
    conflict = { reason: `${what}Conflict`, message: `${JSON.stringify(name)} is already in use` };
  };
  const single = (field: 'plural' | 'singular' | 'kind' | 'listKind', what: string, used: ReadonlySet<string>) => {
    const name = asked[field] ?? '';
    if (name !== before[field] && used.has(name)) refuse(what, name);
    else names[field] = name;
  };
  single('plural', 'Plural', taken.resources);
  single('singular', 'Singular', taken.resources);
  const shortNames = asked.shortNames ?? [];
  const own = new Set(before.shortNames);
  const used = shortNames.find((name) => !own.has(name) && taken.resources.has(name));
  if (used !== undefined) refuse('ShortNames', used);
  else if (shortNames.length > 0) names.shortNames = shortNames;
  else delete names.shortNames;
  single('kind', 'Kind', taken.kinds);
  single('listKind', 'ListKind', taken.kinds);
  if (asked.categories?.length) names.categories = asked.categories;
  else delete names.categories;
  return { names, ...(conflict && { conflict }) };
}

const sameNames = (one: Partial<Names> | undefined, other: Names): boolean =>
  one !== undefined && nameText(one) === nameText(other);

const nameText = ({ plural, singular, kind, listKind, shortNames = [], categories = [] }: Partial<Names>) =>
  JSON.stringify([plural, singular, kind, listKind, shortNames, categories]);

/** Sets a condition; the same reference when it stands already. Its time moves only with its status. */
export function withCondition(status: DefinitionStatus, condition: DefinitionCondition): DefinitionStatus {
  const conditions = status.conditions ?? [];
  const at = conditions.findIndex(({ type }) => type === condition.type);
  const before = conditions[at];
  if (!before) return { ...status, conditions: [...conditions, condition] };
  const same = before.status === condition.status;
  if (same && before.reason === condition.reason && before.message === condition.message) return status;
  const time = same ? before.lastTransitionTime : condition.lastTransitionTime;
  return { ...status, conditions: conditions.with(at, { ...condition, ...(time && { lastTransitionTime: time }) }) };
}

/** Paths exist for the objects of a definition that is established, also while it is being deleted. */
export const isServed = (definition: Definition): boolean => isEstablished(definition);

/** Its objects are being deleted. Once they are gone, others may come while something else holds the definition. */
export const isTerminating = (definition: Definition): boolean =>
  conditionOf(definition, 'Terminating')?.status === 'True';
