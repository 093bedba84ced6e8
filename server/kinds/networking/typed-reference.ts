import { type FieldError, invalidValue } from '../../base/field-error.ts';
import type { FieldPath } from '../../base/field-path.ts';
import { dnsSubdomain, pathSegment } from '../../base/names.ts';
import { requiredName } from '../field-rules.ts';

/** An object of any group and kind. */
export interface TypedReference {
  apiGroup?: string;
  kind?: string;
  name?: string;
}

export const validateTypedReference = ({ apiGroup, kind, name }: TypedReference, at: FieldPath): FieldError[] => [
  ...(apiGroup === undefined
    ? []
    : dnsSubdomain(apiGroup).map((problem) => invalidValue(at.child('apiGroup'), apiGroup, problem))),
  ...requiredName(kind, pathSegment, at.child('kind')),
  ...requiredName(name, pathSegment, at.child('name')),
];
