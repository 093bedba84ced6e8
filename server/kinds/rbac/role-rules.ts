import type { KubeObject } from '../../base/kube-object.ts';
import { pathSegmentName } from '../../base/names.ts';
import { emptyListsAreNull } from '../empty-lists.ts';
import type { KindRules } from '../strategy.ts';
import { createdAtColumn, nameColumn } from '../table-cells.ts';
import { rbacGroup } from './policy-rules.ts';

type Validate<T extends KubeObject> = NonNullable<KindRules<T>['validate']>;

/** What roles of both scopes have in common. */
export const roleRules = <T extends KubeObject>(validate: Validate<T>) => ({
  group: rbacGroup,
  version: 'v1',
  nameRule: pathSegmentName,
  createOnUpdate: true,
  withEmptyLists: (role: KubeObject) => emptyListsAreNull(role, ['rules']),
  validate,
  // An update is checked as a new object and as an update, and clients see each cause twice.
  validateUpdate: (next: T, _previous: T, context: Parameters<Validate<T>>[1]) => validate(next, context),
  table: {
    columns: [nameColumn, createdAtColumn],
    cells: ({ metadata }: T) => [metadata.name, metadata.creationTimestamp],
  },
});
