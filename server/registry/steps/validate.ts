import type { FieldError } from '../../base/field-error.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { invalid } from '../../base/status-error.ts';
import type { Work } from '../../base/turns/work.ts';
import type { Draft } from '../draft.ts';
import { withoutBytes } from '../empty-bytes.ts';
import { standInOf } from '../patch-document.ts';
import { kindSubjectOf } from '../resource.ts';
import { contentErrors, validateMetadata, validateMetadataUpdate } from './metadata-rules.ts';

/** @throws 422 with a cause for each rule that what shall be stored breaks */
export function* validate(draft: Draft): Work<void> {
  const { call, next, stored } = draft;
  const { resource, subresource } = call;
  const errors = yield* stored ? updateErrors(draft, stored) : createErrors(draft);
  if (errors.length > 0) throw invalid(kindSubjectOf(resource), next.metadata.name ?? '', errors);
  if (subresource) return;
  if (draft.weight !== 'light') yield;
  for (const text of resource.rules.warnings?.(next, stored) ?? []) call.warn(text);
}

function* createErrors({ call, next, context, takesManagers }: Draft): Work<readonly FieldError[]> {
  const { resource } = call;
  const { rules } = resource;
  const found = rules.validate?.(next, context) ?? none;
  const errors = 'next' in found ? yield* found : found;
  const ofCreate = rules.validateCreate?.(next, context) ?? none;
  const own = [...errors, ...('next' in ofCreate ? yield* ofCreate : ofCreate)];
  return own.length > 0 && resource.rules.plainMetadata?.(resource.served.apiVersion)
    ? own
    : [...validateMetadata(resource, next, { takesManagers }), ...own];
}

function* updateErrors(
  { call, next, context, emptiesBytes, takesManagers }: Draft,
  stored: KubeObject,
): Work<readonly FieldError[]> {
  const { resource, subresource } = call;
  const { rules } = resource;
  const content = contentErrors(next.metadata);
  // A genuine server applies the metadata rules twice on an update, and clients see each cause twice.
  const metadata = validateMetadataUpdate(next, stored, content);
  const whole = !subresource || standInOf(call) !== undefined;
  yield;
  // Any value that is not the empty one: null would count as absent.
  const changed = emptiesBytes ? withoutBytes(resource.served, next, ' ') : next;
  const own = whole ? rules : rules.subresources?.[subresource];
  const again = validateMetadata(resource, next, { updating: true, content, takesManagers });
  yield;
  const found = (whole && rules.validate?.(next, context)) || none;
  const errors = [...metadata, ...metadata, ...again, ...('next' in found ? yield* found : found)];
  yield;
  const change = own?.validateUpdate?.(changed, stored, context) ?? none;
  return [...errors, ...('next' in change ? yield* change : change)];
}

const none: readonly FieldError[] = [];
