import { type FieldError, invalidValue, required } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import { labelValue } from '../../base/names.ts';
import { isSelector, selectorMatches } from '../label-selector-field.ts';
import { markUnsettled } from '../unsettled.ts';
import type { Job } from './job-shape.ts';

const uidLabel = 'controller-uid';
const nameLabel = 'job-name';

const selectorAt = FieldPath.of('spec', 'selector');
const labelsAt = FieldPath.of('spec', 'template', 'metadata', 'labels');

type Labels = Readonly<Record<string, string>>;

const isEmpty = (labels: Labels | undefined) => Object.keys(labels ?? {}).length === 0;

/**
 * A job without labels takes those of its pods. It shares them, so that labels generated for the pods reach it, too.
 * In place.
 */
export function shareTemplateLabels({ metadata, spec }: Job): void {
  const labels = spec?.template?.metadata?.labels;
  if (labels && !isEmpty(labels) && isEmpty(metadata.labels)) metadata.labels = labels;
}

/** Gives the pods labels that no other job's pods have, and makes the selector look for them. In place. */
export function generateSelector(job: Job): void {
  const { metadata, spec } = job;
  if (!spec || spec.manualSelector) return;
  spec.template ??= {};
  spec.template.metadata ??= {};
  const given = spec.template.metadata.labels;
  const { uid = '', name = '' } = metadata;
  const labels = { [uidLabel]: uid, [nameLabel]: name, ...given };
  spec.template.metadata.labels = labels;
  spec.selector = { ...spec.selector, matchLabels: { [uidLabel]: uid, ...spec.selector?.matchLabels } };
  const shared = given !== undefined && metadata.labels === given;
  // A name that is no label value is refused once, in the template.
  if ((!shared && !isEmpty(metadata.labels)) || labelValue(name).length > 0) return;
  metadata.labels = { ...labels };
  // Reading an object gives it the labels of its pods, too: here they are not written.
  if (!shared) markUnsettled(job);
}

/** Whether selector and labels are as they were generated. */
export function validateGeneratedSelector({ metadata, spec = {} }: Job): FieldError[] {
  const { selector, template } = spec;
  if (spec.manualSelector || !selector) return [];
  const { uid = '', name = '' } = metadata;
  const labels = template?.metadata?.labels ?? {};
  const generated = { [uidLabel]: uid, [nameLabel]: name };
  return [
    ...hasLabel(labels, uidLabel, uid),
    ...hasLabel(labels, nameLabel, name),
    ...(!isSelector(selector, selectorAt) || selectorMatches(selector, generated)
      ? []
      : [invalidValue(selectorAt, selector, 'must be the generated one')]),
  ];
}

function hasLabel(labels: Labels, key: string, value: string): FieldError[] {
  const at = labelsAt.key(key);
  if (!Object.hasOwn(labels, key)) return [required(at, `must be '${value}'`)];
  return labels[key] === value ? [] : [invalidValue(at, labels, `must be '${value}'`)];
}
