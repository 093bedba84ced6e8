import { type FieldError, forbiddenField, required } from '../../../base/field-error.ts';
import type { FieldPath } from '../../../base/field-path.ts';
import type { ObjectMeta } from '../../../base/kube-object.ts';
import { validateLabels } from '../../label-selector-field.ts';
import { type ClaimSpec, validateClaimSpec } from '../persistent-volume-claim.ts';
import { validateAnnotations } from '../pod/template-annotations.ts';
import type { SourceCheck } from './source-fields.ts';

/** The claim that an ephemeral volume makes for itself. */

const takenOver = ['labels', 'annotations'];

/** Only labels and annotations are taken over; a list or a time to end counts as given also when it is empty. */
const isGiven = (field: string, value: unknown) =>
  Array.isArray(value) || field === 'deletionGracePeriodSeconds' || Boolean(value);

/** Told by a name that it does not have. */
const nameOf = (field: string) => (field === 'uid' ? 'uID' : field);

function validateMetadata(metadata: Partial<ObjectMeta>, at: FieldPath): FieldError[] {
  const others = Object.entries(metadata).filter(
    ([field, value]) => !takenOver.includes(field) && isGiven(field, value),
  );
  return [
    ...validateAnnotations(metadata.annotations, at.child('annotations')),
    ...validateLabels(metadata.labels, at.child('labels')),
    ...others.map(([field]) => forbiddenField(at.child(nameOf(field)), 'field may not be set')),
  ];
}

export const ephemeral: SourceCheck = (source, at) => {
  const template = source.volumeClaimTemplate as { metadata?: Partial<ObjectMeta>; spec?: ClaimSpec } | undefined;
  const here = at.child('volumeClaimTemplate');
  if (!template) return [required(here)];
  return [
    ...validateMetadata(template.metadata ?? {}, here.child('metadata')),
    ...validateClaimSpec(template.spec ?? {}, here.child('spec')),
  ];
};
