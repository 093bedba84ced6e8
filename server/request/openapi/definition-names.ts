import type { ApiOperation } from '../../schema/load.ts';
import { definitionOfKind } from '../../schema/load.ts';
import type { Schema } from '../../schema/openapi-definitions.ts';

/** `com.example.stable.v1.CronTab`: the group's parts in reverse order, the version, the kind. */
const customDefinitionName = (group: string, version: string, kind: string) =>
  [...group.split('.').toReversed(), version, kind].join('.');

const common: Readonly<Record<string, string>> = {
  Status: 'io.k8s.apimachinery.pkg.apis.meta.v1.Status',
  DeleteOptions: 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions',
  Patch: 'io.k8s.apimachinery.pkg.apis.meta.v1.Patch',
};

/** References to the schemas of an operation's kinds, under the given prefix. */
export const referenceUnder =
  (prefix: string) =>
  ({ gvk }: ApiOperation) =>
  (kind: string): Schema => {
    const { group = '', version = '' } = gvk ?? {};
    const name = common[kind] ?? definitionOfKind(group, version, kind) ?? customDefinitionName(group, version, kind);
    return { $ref: prefix + name };
  };
