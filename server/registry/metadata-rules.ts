import { type FieldError, forbiddenField, invalidValue, required, tooLong } from '../base/field-error.ts';
import { FieldPath } from '../base/field-path.ts';
import type { KubeObject, ObjectMeta, OwnerReference } from '../base/kube-object.ts';
import {
  dnsLabel,
  labelValue,
  type Problems,
  pathSegment,
  pathSegmentName,
  qualifiedName,
  subdomainName,
} from '../base/names.ts';
import type { NameRule } from '../kinds/strategy.ts';
import { checkManagedFields } from '../patch/apply/field-manager.ts';
import type { Resource } from './resource.ts';

const maxAnnotationBytes = 262_144;
const standardFinalizers: readonly string[] = ['orphan', 'foregroundDeletion', 'kubernetes'];

/** Rules about the metadata of every object, on create and after each change (`updating`). */
export function validateMetadata(
  resource: Resource,
  { metadata }: KubeObject,
  { updating = false } = {},
): readonly FieldError[] {
  const { rules } = resource;
  // Of a custom object that has its name, nobody looks at the prefix again.
  const prefixCounts = !(resource.custom && updating);
  const prefixRule = updating && rules.loosePrefixOnUpdate ? pathSegmentName : nameRuleOf(resource);
  return [
    ...(prefixCounts ? prefixErrors(prefixRule, metadata) : []),
    ...nameErrors(nameRuleOf(resource), metadata),
    ...namespaceErrors(resource, metadata.namespace ?? ''),
    ...generationErrors(metadata),
    ...contentErrors(metadata),
    ...checkManagedFields(metadata.managedFields ?? [], managedFieldsAt),
    ...(resource.custom || rules.plainMetadata || rules.bareFinalizers
      ? []
      : finalizerNameErrors(metadata.finalizers ?? [])),
  ];
}

/**
 * Rules about the metadata of an object that stands inside another one. It need not have a name or namespace, and its
 * kind is not known, so a name only has to be one that a path can hold.
 */
export function validateEmbeddedMetadata(metadata: ObjectMeta, at: string): readonly FieldError[] {
  const { name, generateName, namespace } = metadata;
  const problems = (field: string, value: string | undefined, found: Problems) =>
    value ? found.map((problem) => invalidValue(`${at}.${field}`, value, problem)) : [];
  return [
    ...problems('name', name, pathSegment(name ?? '')),
    ...problems('generateName', generateName, pathSegment(generateName ?? '')),
    ...problems('namespace', namespace, dnsLabel(namespace ?? '')),
    ...generationErrors(metadata, at),
    ...contentErrors(metadata, at),
  ];
}

const managedFieldsAt = FieldPath.of('metadata', 'managedFields');

/** Rules about what may change in metadata. */
export function validateMetadataUpdate(next: KubeObject, previous: KubeObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const deleting = previous.metadata.deletionTimestamp !== undefined;
  const before = new Set(previous.metadata.finalizers);
  const added = (next.metadata.finalizers ?? []).filter((name) => !before.has(name));
  if (deleting && added.length > 0) {
    const names = added.map((name) => JSON.stringify(name)).join(', ');
    errors.push(
      forbiddenField(
        'metadata.finalizers',
        `no new finalizers can be added if the object is being deleted, found new finalizers: ${names}`,
      ),
    );
  }
  for (const field of immutable) {
    if (next.metadata[field] !== previous.metadata[field]) {
      errors.push(invalidValue(`metadata.${field}`, next.metadata[field], 'field is immutable'));
    }
  }
  return [...errors, ...contentErrors(next.metadata)];
}

const immutable = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const;

const nameRuleOf = ({ rules }: Resource): NameRule =>
  rules.plainMetadata ? pathSegmentName : (rules.nameRule ?? subdomainName);

const prefixErrors = (rule: NameRule, { generateName }: ObjectMeta): FieldError[] =>
  generateName
    ? rule(generateName, true).map((problem) => invalidValue('metadata.generateName', generateName, problem))
    : [];

const nameErrors = (rule: NameRule, { name }: ObjectMeta): FieldError[] =>
  name
    ? rule(name, false).map((problem) => invalidValue('metadata.name', name, problem))
    : [required('metadata.name', 'name or generateName is required')];

function namespaceErrors(resource: Resource, namespace: string): FieldError[] {
  if (!resource.namespaced) {
    return namespace ? [forbiddenField('metadata.namespace', 'not allowed on this type')] : [];
  }
  if (!namespace) return [required('metadata.namespace')];
  return dnsLabel(namespace).map((problem) => invalidValue('metadata.namespace', namespace, problem));
}

const generationErrors = ({ generation = 0 }: ObjectMeta, at = 'metadata') =>
  generation < 0 ? [invalidValue(`${at}.generation`, generation, 'must be greater than or equal to 0')] : [];

/** What is wrong with the parts that clients write. Most objects have few of them. */
function contentErrors(metadata: ObjectMeta, at = 'metadata'): FieldError[] {
  const { labels, annotations, ownerReferences, finalizers } = metadata;
  return [
    ...(labels ? labelErrors(labels, `${at}.labels`) : []),
    ...(annotations ? annotationErrors(annotations, `${at}.annotations`) : []),
    ...(ownerReferences ? ownerErrors(ownerReferences, `${at}.ownerReferences`) : []),
    ...(finalizers ? finalizerErrors(finalizers, `${at}.finalizers`) : []),
  ];
}

export function labelErrors(labels: Readonly<Record<string, string>>, field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(labels)) {
    for (const problem of qualifiedName(key)) errors.push(invalidValue(field, key, problem));
    for (const problem of labelValue(value)) errors.push(invalidValue(field, value, problem));
  }
  return errors;
}

function annotationErrors(annotations: Readonly<Record<string, string>>, at: string): FieldError[] {
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations)) {
    for (const problem of qualifiedName(key.toLowerCase())) errors.push(invalidValue(at, key, problem));
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  return bytes > maxAnnotationBytes ? [...errors, tooLong(at, maxAnnotationBytes)] : errors;
}

function ownerErrors(owners: readonly OwnerReference[], at: string): FieldError[] {
  const errors = owners.flatMap((owner) => {
    const empty = (['apiVersion', 'kind', 'name', 'uid'] as const)
      .filter((field) => !owner[field])
      .map((field) =>
        invalidValue(
          `${at}.${field}`,
          owner[field] ?? '',
          `${field === 'apiVersion' ? 'version' : field} must not be empty`,
        ),
      );
    const coreEvent = owner.apiVersion === 'v1' && owner.kind === 'Event';
    return coreEvent ? [...empty, invalidValue(at, owner, '/v1, Kind=Event is disallowed from being an owner')] : empty;
  });
  const controllers = owners.filter((owner) => owner.controller);
  if (controllers.length > 1) {
    const names = controllers.map((owner) => owner.name).join(' and ');
    errors.push(invalidValue(at, owners, `only one reference can have controller set to true, found ${names}`));
  }
  return errors;
}

function finalizerErrors(finalizers: readonly string[], at: string): FieldError[] {
  const errors = finalizers.flatMap((name) => qualifiedName(name).map((problem) => invalidValue(at, name, problem)));
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    errors.push(invalidValue(at, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set'));
  }
  return errors;
}

/** Only built-in kinds insist on a domain in front of the name. */
function finalizerNameErrors(finalizers: readonly string[]): FieldError[] {
  return finalizers.flatMap((name, i) =>
    name.includes('/') || standardFinalizers.includes(name)
      ? []
      : [
          invalidValue(
            `metadata.finalizers[${i}]`,
            name,
            'name is neither a standard finalizer name nor is it fully qualified',
          ),
        ],
  );
}
