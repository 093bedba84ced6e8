export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** Which writes somebody wants to be asked about, as data: all that is said must hold. In each list `*` stands for any. */
export interface Concern {
  readonly operations: readonly (Operation | '*')[];
  /** Missing: any. */
  readonly groups?: readonly string[];
  /** Missing: any. */
  readonly resources?: readonly string[];
  /** Empty text: the object itself. Missing: only that. */
  readonly subresources?: readonly string[];
  /** None of these, each `resource` or `resource.group`. */
  readonly except?: readonly string[];
  /** What shows the same objects in another group counts as well. */
  readonly equivalents?: boolean;
}

/** A sort of writes. */
export interface Subject {
  readonly operation: Operation;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
}

const isIn = (list: readonly string[] | undefined, text: string) => !list || list.includes(text) || list.includes('*');

const itself: readonly string[] = [''];

/** Whether such writes are of concern. */
export function isAbout(concern: Concern, { operation, group, resource, subresource }: Subject): boolean {
  const { operations, groups, resources, subresources = itself, except } = concern;
  return (
    isIn(operations, operation) &&
    isIn(groups, group) &&
    isIn(resources, resource) &&
    isIn(subresources, subresource) &&
    !except?.includes(group ? `${resource}.${group}` : resource)
  );
}

/** Writes of these objects themselves, in these ways. */
export const writes = (group: string, resource: string, ...operations: readonly Operation[]): Concern => ({
  operations,
  groups: [group],
  resources: [resource],
});
