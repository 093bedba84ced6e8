import { type FieldError, forbiddenField, invalidValue, required } from '../../../base/field-error.ts';
import type { FieldPath } from '../../../base/field-path.ts';
import { configMapKey } from '../../../base/names.ts';
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
    ...(key ? configMapKey(key).map((problem) => invalidValue(here.child('key'), key, problem)) : []),
    ...(path ? relativePath(path, here.child('path')) : [required(here.child('path'))]),
    ...fileMode(mode, here.child('mode')),
  ]);

export const downwardItems: SourceCheck = (source, at) =>
  eachOf(
    source.items as
      | { path?: string; mode?: number; fieldRef?: FieldRef; resourceFieldRef?: ResourceFieldRef }[]
      | undefined,
    at.child('items'),
    ({ path, mode, fieldRef, resourceFieldRef }, here) => [
      ...(path ? relativePath(path, here.child('path')) : [required(here.child('path'))]),
      ...(fieldRef ? validateFieldRef(fieldRef, volumeFieldPaths, here.child('fieldRef')) : []),
      ...(fieldRef && resourceFieldRef
        ? [invalidValue(here, 'resource', 'fieldRef and resourceFieldRef may not both be given')]
        : []),
      ...(!fieldRef && resourceFieldRef
        ? validateResourceFieldRef(resourceFieldRef, volumeResources, true, here.child('resourceFieldRef'))
        : []),
      ...(fieldRef || resourceFieldRef ? [] : [required(here, 'one of fieldRef and resourceFieldRef is needed')]),
      ...fileMode(mode, here.child('mode')),
    ],
  );

export const defaultMode: SourceCheck = (source, at) => fileMode(count(source, 'defaultMode'), at.child('defaultMode'));

const projectionKinds = ['secret', 'configMap', 'downwardAPI', 'serviceAccountToken'] as const;

export const projected: SourceCheck = (source, at) => {
  const paths = new Map<string, FieldPath>();
  const errors = [...defaultMode(source, at)];
  eachOf((source.sources as Source[] | undefined) ?? [], at.child('sources'), (projection, here) => {
    const given = projectionKinds.filter((kind) => projection[kind]);
    if (given.length === 0) errors.push(required(here, 'must specify a projection'));
    given.forEach((kind, position) => {
      const spot = here.child(kind);
      if (position > 0) errors.push(forbiddenField(spot, 'may not specify more than 1 volume type'));
      else errors.push(...projectionChecks[kind](projection[kind] as Source, spot));
      errors.push(...repeatedPaths(kind, projection[kind] as Source, spot, paths));
    });
    return [];
  });
  return errors;
};

const projectionChecks: Record<(typeof projectionKinds)[number], SourceCheck> = {
  secret: all(needs('name'), keysToPaths),
  configMap: all(needs('name'), keysToPaths),
  downwardAPI: downwardItems,
  serviceAccountToken: (source, at) => {
    const seconds = count(source, 'expirationSeconds') ?? 600;
    const path = text(source, 'path');
    return [
      ...(seconds < 600 ? [invalidValue(at.child('expirationSeconds'), seconds, 'must be at least 600')] : []),
      ...(seconds > 2 ** 32 ? [invalidValue(at.child('expirationSeconds'), seconds, 'must be at most 2^32')] : []),
      ...(path ? relativePath(path, at.child('path')) : [required(at.child('path'))]),
    ];
  },
};

/** Two projections may not write the same file. */
function repeatedPaths(kind: string, source: Source, at: FieldPath, seen: Map<string, FieldPath>): FieldError[] {
  const written =
    kind === 'serviceAccountToken'
      ? [text(source, 'path')]
      : ((source.items as { path?: string }[] | undefined) ?? []).map(({ path }) => path);
  return written.flatMap((path) => {
    if (!path) return [];
    if (seen.has(path)) return [invalidValue(at, path, `conflicts with ${seen.get(path)}`)];
    seen.set(path, at);
    return [];
  });
}
