import {
  enoughErrors,
  errorsOfEach,
  type FieldError,
  forbiddenField,
  invalidValue,
  required,
  tooLong,
} from '../../base/field-error.ts';
import type { KubeObject, ObjectMeta, OwnerReference } from '../../base/kube-object.ts';
import {
  dnsLabel,
  labelValue,
  type Problems,
  pathSegment,
  pathSegmentName,
  qualifiedName,
  subdomainName,
} from '../../base/names.ts';
import { checkManagedFields } from '../../patch/apply/field-manager.ts';
import type { Resource } from '../resource.ts';

const maxAnnotationBytes = 262_144;
const standardFinalizers: readonly string[] = ['orphan', 'foregroundDeletion', 'kubernetes'];

/** Rules about the metadata of every object, on create and after each change (`updating`). */
export function validateMetadata(
  resource: Resource,
  { metadata }: KubeObject,
  { updating = false, content = contentErrors(metadata), takesManagers = true } = {},
): readonly FieldError[] {
  const { rules, custom, served } = resource;
  const { name, generateName, namespace, generation = 0, finalizers, managedFields } = metadata;
  const errors: FieldError[] = [];
  const plain = rules.plainMetadata?.(served.apiVersion);
  const nameRule = plain ? pathSegmentName : (rules.nameRule ?? subdomainName);
  // Of a custom object that has its name, nobody looks at the prefix again.
  if (generateName && !(custom && updating)) {
    const prefixRule = updating && rules.loosePrefixOnUpdate ? pathSegmentName : nameRule;
    errors.push(...problemsOf(prefixRule(generateName, true), 'metadata.generateName', generateName));
  }
  if (!name) errors.push(required('metadata.name', 'name or generateName is required'));
  else for (const problem of nameRule(name, false)) errors.push(invalidValue('metadata.name', name, problem));
  if (resource.namespaced !== Boolean(namespace)) errors.push(wrongPlace(resource));
  for (const problem of resource.namespaced && namespace ? dnsLabel(namespace) : []) {
    errors.push(invalidValue('metadata.namespace', namespace, problem));
  }
  if (generation < 0) errors.push(negativeGeneration(generation, 'metadata'));
  const bare = custom || plain || rules.bareFinalizers;
  const inManagers =
    managedFields && takesManagers ? checkManagedFields(managedFields, 'metadata.managedFields') : none;
  const inFinalizers = finalizers && !bare ? finalizerNameErrors(finalizers) : none;
  if (content.length + inManagers.length + inFinalizers.length === 0) return errors;
  return [...errors, ...content, ...inManagers, ...inFinalizers];
}

const problemsOf = (problems: Problems, field: string, value: string): readonly FieldError[] =>
  problems.length === 0 ? none : problems.map((problem) => invalidValue(field, value, problem));

const none: readonly FieldError[] = [];

/**
 * Rules about the metadata of an object that stands inside another one. It need not have a name or namespace, and its
 * kind is not known, so a name only has to be one that a path can hold.
 */
export function validateEmbeddedMetadata(metadata: ObjectMeta, at: string): readonly FieldError[] {
  const { name, generateName, namespace, generation = 0 } = metadata;
  return [
    ...(name ? problemsOf(pathSegment(name), `${at}.name`, name) : none),
    ...(generateName ? problemsOf(pathSegment(generateName), `${at}.generateName`, generateName) : none),
    ...(namespace ? problemsOf(dnsLabel(namespace), `${at}.namespace`, namespace) : none),
    ...(generation < 0 ? [negativeGeneration(generation, at)] : none),
    ...contentErrors(metadata, at),
  ];
}

/** Rules about what may change in metadata, and about its content. */
export function validateMetadataUpdate(
  next: KubeObject,
  previous: KubeObject,
  content = contentErrors(next.metadata),
): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (previous.metadata.deletionTimestamp && next.metadata.finalizers) {
    errors.push(...newFinalizerErrors(next.metadata.finalizers, previous.metadata.finalizers ?? []));
  }
  for (const field of immutable) {
    // A time that is not set is null, or left out of what others wrote.
    if ((next.metadata[field] ?? undefined) !== (previous.metadata[field] ?? undefined)) {
      errors.push(invalidValue(`metadata.${field}`, next.metadata[field], 'field is immutable'));
    }
  }
  return content.length > 0 ? [...errors, ...content] : errors;
}

function newFinalizerErrors(finalizers: readonly string[], before: readonly string[]): readonly FieldError[] {
  const known = new Set(before);
  const added = finalizers.filter((name) => !known.has(name)).map((name) => JSON.stringify(name));
  if (added.length === 0) return none;
  const why = `no new finalizers can be added if the object is being deleted, found new finalizers: ${added.join(', ')}`;
  return [forbiddenField('metadata.finalizers', why)];
}

const immutable = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const;

/** A namespaced object is in a namespace, another one is not. */
const wrongPlace = ({ namespaced }: Resource): FieldError =>
  namespaced ? required('metadata.namespace') : forbiddenField('metadata.namespace', 'not allowed on this type');

const negativeGeneration = (generation: number, at: string) =>
  invalidValue(`${at}.generation`, generation, 'must be greater than or equal to 0');

/** What is wrong with the parts that clients write. Most objects have few of them. */
export function contentErrors(metadata: ObjectMeta, at = 'metadata'): readonly FieldError[] {
  const { labels, annotations, ownerReferences, finalizers } = metadata;
  const inLabels = labels ? labelErrors(labels, `${at}.labels`) : none;
  if (!annotations && !ownerReferences && !finalizers) return inLabels;
  return [
    ...inLabels,
    ...(annotations ? annotationErrors(annotations, `${at}.annotations`) : none),
    ...(ownerReferences ? ownerErrors(ownerReferences, `${at}.ownerReferences`) : none),
    ...(finalizers ? finalizerErrors(finalizers, `${at}.finalizers`) : none),
  ];
}

function labelErrors(labels: Readonly<Record<string, string>>, field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const key in labels) {
    const value = labels[key] ?? '';
    for (const problem of qualifiedName(key)) errors.push(invalidValue(field, key, problem));
    for (const problem of labelValue(value)) errors.push(invalidValue(field, value, problem));
    if (errors.length >= enoughErrors) break;
  }
  return errors;
}

function annotationErrors(annotations: Readonly<Record<string, string>>, at: string): FieldError[] {
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations)) {
    if (errors.length < enoughErrors)
      for (const problem of qualifiedName(key.toLowerCase())) errors.push(invalidValue(at, key, problem));
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  return bytes > maxAnnotationBytes ? [...errors, tooLong(at, maxAnnotationBytes)] : errors;
}

/** What has more than one slash is no group and version, and names neither. */
const namesVersion = (apiVersion = ''): boolean => /^(?:[^/]*\/)?[^/]+$/.test(apiVersion);

function ownerErrors(owners: readonly OwnerReference[], at: string): FieldError[] {
  const errors = errorsOfEach(owners, (owner) => {
    const empty = (['apiVersion', 'kind', 'name', 'uid'] as const)
      .filter((field) => (field === 'apiVersion' ? !namesVersion(owner.apiVersion) : !owner[field]))
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
  const errors = errorsOfEach(finalizers, (name) =>
    qualifiedName(name).map((problem) => invalidValue(at, name, problem)),
  );
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    errors.push(invalidValue(at, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set'));
  }
  return errors;
}

/** Only built-in kinds insist on a domain in front of the name. */
function finalizerNameErrors(finalizers: readonly string[]): FieldError[] {
  return errorsOfEach(finalizers, (name, i) =>
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
