import { type FieldError, forbiddenField, invalidValue, required } from '../../../base/field-error.ts';
import type { FieldPath } from '../../../base/field-path.ts';
import { eachOf, requiredText } from '../../field-rules.ts';
import {
  validateFieldRef,
  validateResourceFieldRef,
  volumeFieldPaths,
  volumeResources,
} from '../pod/downward-fields.ts';
import type { FieldRef, ResourceFieldRef } from '../pod/shape.ts';
import { all, count, needs, type Source, type SourceCheck, text } from './source-fields.ts';

/** Volumes that show a pod what is written elsewhere: secrets, config maps, its own fields, tokens. */

/** A path must not climb out of where it begins. */
export function withoutBacksteps(path: string, at: FieldPath): FieldError[] {
  return path.split('/').includes('..') ? [invalidValue(at, path, "must not contain '..'")] : [];
}

export const relativePath = (path: string, at: FieldPath): FieldError[] => [
  ...(path.startsWith('/') ? [invalidValue(at, path, 'must be a relative path')] : []),
  ...withoutBacksteps(path, at),
];

/** The path of a file in a volume; names that begin with `..` are kept for the volume itself. */
const filePath = (path: string | undefined, at: FieldPath): FieldError[] =>
  path
    ? [
        ...relativePath(path, at),
        ...(path.startsWith('..') && !path.startsWith('../')
          ? [invalidValue(at, path, "must not start with '..'")]
          : []),
      ]
    : [required(at)];

const fileMode = (mode: number | undefined, at: FieldPath): FieldError[] =>
  mode !== undefined && (mode < 0 || mode > 0o777)
    ? [invalidValue(at, mode, 'must be a number between 0 and 0777 (octal)')]
    : [];

interface KeyToPath {
  key?: string;
  path?: string;
  mode?: number;
}

export const keysToPaths: SourceCheck = (source, at) =>
  eachOf(source.items as KeyToPath[] | undefined, at.child('items'), ({ key, path, mode }, here) => [
    ...requiredText(key, here.child('key')),
    ...filePath(path, here.child('path')),
    ...fileMode(mode, here.child('mode')),
  ]);

interface DownwardItem {
  path?: string;
  mode?: number;
  fieldRef?: FieldRef;
  resourceFieldRef?: ResourceFieldRef;
}

/** Faults of the items are told at the source, not at the item. */
export const downwardItems: SourceCheck = (source, at) =>
  ((source.items as DownwardItem[] | undefined) ?? []).flatMap((item) => downwardItem(item, at));

const downwardItem = ({ path, mode, fieldRef, resourceFieldRef }: DownwardItem, at: FieldPath): FieldError[] => [
  ...filePath(path, at.child('path')),
  ...(fieldRef ? validateFieldRef(fieldRef, volumeFieldPaths, at.child('fieldRef')) : []),
  ...(fieldRef && resourceFieldRef
    ? [invalidValue(at, 'resource', 'fieldRef and resourceFieldRef may not both be given')]
    : []),
  ...(!fieldRef && resourceFieldRef
    ? validateResourceFieldRef(resourceFieldRef, volumeResources, true, at.child('resourceFieldRef'))
    : []),
  ...(fieldRef || resourceFieldRef ? [] : [required(at, 'one of fieldRef and resourceFieldRef is needed')]),
  ...fileMode(mode, at.child('mode')),
];

export const defaultMode: SourceCheck = (source, at) => fileMode(count(source, 'defaultMode'), at.child('defaultMode'));

const projectionChecks: Readonly<Record<string, SourceCheck>> = {
  secret: all(needs('name'), keysToPaths),
  configMap: all(needs('name'), keysToPaths),
  downwardAPI: downwardItems,
};

const token = (source: Source, here: FieldPath, volumeAt: FieldPath): FieldError[] => {
  const seconds = count(source, 'expirationSeconds') ?? 600;
  const at = here.child('expirationSeconds');
  return [
    ...(seconds < 600 ? [invalidValue(at, seconds, 'must be at least 600')] : []),
    ...(seconds > 2 ** 32 ? [invalidValue(at, seconds, 'must be at most 2^32')] : []),
    ...requiredText(text(source, 'path'), volumeAt.child('path')),
  ];
};

const projectionKinds = ['secret', 'configMap', 'downwardAPI', 'serviceAccountToken'] as const;

/** A token without a path, and files that two projections would write, are told at the volume. */
export const projected: SourceCheck = (source, at) => {
  const written = new Set<string>();
  return [
    ...eachOf(source.sources as Source[] | undefined, at.child('sources'), (projection, here) => {
      const kinds = projectionKinds.filter((kind) => projection[kind]);
      return [
        ...kinds.flatMap((kind) => projectionErrors(kind, projection[kind] as Source, written, here.child(kind), at)),
        ...(kinds.length > 1 ? [forbiddenField(here, 'may not specify more than 1 volume type')] : []),
      ];
    }),
    ...defaultMode(source, at),
  ];
};

const projectionErrors = (
  kind: (typeof projectionKinds)[number],
  source: Source,
  written: Set<string>,
  here: FieldPath,
  volumeAt: FieldPath,
): FieldError[] => [
  ...(projectionChecks[kind]?.(source, here) ?? token(source, here, volumeAt)),
  ...repeatedPaths(
    ((source.items as { path?: string }[] | undefined) ?? []).map(({ path }) => path),
    written,
    volumeAt,
  ),
];

/** Two projections may not write the same file; where a token goes is not looked at. */
const repeatedPaths = (paths: readonly (string | undefined)[], seen: Set<string>, at: FieldPath): FieldError[] =>
  paths.flatMap((path) => {
    if (!path) return [];
    if (seen.has(path)) return [invalidValue(at, path, 'conflicting duplicate paths')];
    seen.add(path);
    return [];
  });
