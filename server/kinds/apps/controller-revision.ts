import { required } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import { type KubeObject, parseApiVersion } from '../../base/kube-object.ts';
import { immutable, nonNegative } from '../field-rules.ts';
import { defineKind } from '../strategy.ts';
import { age, ageColumn, column, nameColumn } from '../table-cells.ts';

interface ControllerRevision extends KubeObject {
  data?: unknown;
  revision?: number;
}

/** `statefulset.apps/web` */
function controllerText({ metadata }: KubeObject): string {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller);
  if (!owner) return '<none>';
  const { group } = parseApiVersion(owner.apiVersion);
  return `${owner.kind.toLowerCase()}${group && `.${group}`}/${owner.name}`;
}

export const controllerRevision = defineKind<ControllerRevision>({
  group: 'apps',
  version: 'v1',
  kind: 'ControllerRevision',
  resource: 'controllerrevisions',
  default(revision) {
    revision.revision ??= 0;
  },
  validate: ({ data, revision }) => [
    ...(data === undefined || data === null ? [required('data', 'data is mandatory')] : []),
    ...nonNegative(revision, FieldPath.of('revision')),
  ],
  validateUpdate: (next, previous) => immutable(next.data, previous.data, FieldPath.of('data')),
  table: {
    columns: [nameColumn, column('Controller'), column('Revision'), ageColumn],
    cells: (revision, now) => [
      revision.metadata.name,
      controllerText(revision),
      revision.revision ?? 0,
      age(revision, now),
    ],
  },
});
