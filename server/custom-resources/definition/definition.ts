import { cloneJson } from '../../base/clone.ts';
import { deepEqual } from '../../base/deep-equal.ts';
import { type FieldError, forbiddenField, invalidValue } from '../../base/field-error.ts';
import { formatTime } from '../../base/time/clock.ts';
import type { Work } from '../../base/turns/work.ts';
import { defineKind } from '../../kinds/strategy.ts';
import { cleanupFinalizer, type Definition, isEstablished, storageVersionOf } from '../definition-shape.ts';
import { validateConversion } from './definition-conversion.ts';
import { validateAcceptedNames, validateApproval, validateNames, validateOwnName } from './definition-names.ts';
import { definitionOfV1Beta1 } from './definition-v1beta1.ts';
import { validateVersions } from './definition-versions.ts';
import { withCondition } from './establish.ts';
import { storedSchema, withoutNullDefaults } from './tidy-schema.ts';

/** CustomResourceDefinition: what a client may write. What follows from it is the life cycle's work. */
export const customResourceDefinition = defineKind<Definition>({
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  resource: 'customresourcedefinitions',
  unconditionalUpdate: false,
  loosePrefixOnUpdate: true,
  bareFinalizers: true,
  storedVersions: { v1beta1: definitionOfV1Beta1 },
  generationRises: (next, previous) => !deepEqual(storedSpec(next), previous.spec),

  default: fillDefaults,
  prepareCreate: (definition) => {
    definition.status = { acceptedNames: { plural: '', kind: '' } };
    storeWhatIsStored(definition);
  },
  prepareUpdate: (next, previous) => {
    if (previous.status) next.status = cloneJson(previous.status);
    storeWhatIsStored(next);
  },
  validate: validateDefinition,
  validateCreate: (definition) => [...validateOwnName(definition), ...validateApproval(definition)],
  validateUpdate: (next, previous) => [...validateChange(next, previous), ...approvalOnUpdate(next, previous)],

  kept: (definition) => ({ ...definition, spec: storedSpec(definition) }),

  /** Its objects are removed first, whatever else holds it. */
  isHeld: ({ metadata }) => !metadata.deletionTimestamp || metadata.finalizers?.includes(cleanupFinalizer) === true,
  withoutDependents: true,
  beginDeletion: (definition, _asked, { clock }) => {
    const { metadata } = definition;
    if (metadata.deletionTimestamp) return 'untimed';
    if (!metadata.finalizers?.includes(cleanupFinalizer)) {
      metadata.finalizers = [...(metadata.finalizers ?? []), cleanupFinalizer];
    }
    definition.status = withCondition(definition.status ?? {}, {
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionPending',
      message: 'the definition is marked for deletion; its objects are deleted first',
      lastTransitionTime: formatTime(clock.now()),
    });
    return 'untimed';
  },

  subresources: {
    status: {
      prepareUpdate: (next, previous) => {
        next.spec = previous.spec;
        const { resourceVersion, managedFields } = next.metadata;
        next.metadata = { ...cloneJson(previous.metadata) };
        if (resourceVersion) next.metadata.resourceVersion = resourceVersion;
        if (managedFields) next.metadata.managedFields = managedFields;
        else delete next.metadata.managedFields;
      },
      validateUpdate: validateAcceptedNames,
    },
  },
});

/** Names that follow from others, the conversion, and the stored versions of a definition that has none yet. In place. */
function fillDefaults(definition: Definition): void {
  // Decoding leaves out what a client left out; the rules below speak of what is missing.
  definition.spec ??= { group: '', scope: '', names: { plural: '', kind: '' }, versions: [] };
  const { spec } = definition;
  spec.group ??= '';
  spec.scope ??= '';
  spec.versions ??= [];
  spec.names ??= { plural: '', kind: '' };
  const { names } = spec;
  names.plural ??= '';
  names.kind ??= '';
  if (!names.singular && names.kind) names.singular = names.kind.toLowerCase();
  if (!names.listKind && names.kind) names.listKind = `${names.kind}List`;
  spec.conversion ??= { strategy: 'None' };
  if (spec.preserveUnknownFields === false) delete spec.preserveUnknownFields;
  const { webhook } = spec.conversion;
  if (webhook && !webhook.clientConfig && !webhook.conversionReviewVersions?.length) delete spec.conversion.webhook;
  const service = webhook?.clientConfig?.service as { port?: number } | undefined;
  if (service) service.port ??= 443;
  for (const version of spec.versions) {
    version.name ??= '';
    version.served ??= false;
    version.storage ??= false;
    if (version.schema?.openAPIV3Schema) {
      version.schema.openAPIV3Schema = withoutNullDefaults(version.schema.openAPIV3Schema);
    }
  }
  if (definition.status && !definition.status.storedVersions?.length) storeWhatIsStored(definition);
}

/** Without what says nothing in the schemas. */
function storedSpec({ spec }: Definition): Definition['spec'] {
  const versions = spec.versions.map(({ schema, ...version }) => ({
    ...version,
    ...(schema && {
      schema: schema.openAPIV3Schema ? { openAPIV3Schema: storedSchema(schema.openAPIV3Schema) } : schema,
    }),
  }));
  return { ...spec, versions };
}

/** The version in which objects are written now is one of the stored versions. In place. */
function storeWhatIsStored(definition: Definition): void {
  const storage = storageVersionOf(definition)?.name;
  definition.status ??= {};
  const stored = definition.status.storedVersions ?? [];
  if (storage !== undefined && !stored.includes(storage)) definition.status.storedVersions = [...stored, storage];
}

export function* validateDefinition(definition: Definition): Work<FieldError[]> {
  const { spec } = definition;
  const errors = [
    ...validateNames(definition),
    ...(yield* validateVersions(definition)),
    ...validateConversion(spec.conversion ?? {}, spec.preserveUnknownFields),
    ...storedVersionErrors(definition),
  ];
  if (spec.preserveUnknownFields) {
    const why = 'cannot be true; set x-kubernetes-preserve-unknown-fields to true in the schemas instead';
    errors.push(invalidValue('spec.preserveUnknownFields', true, why));
  }
  return errors;
}

function storedVersionErrors({ spec, status }: Definition): FieldError[] {
  const stored = status?.storedVersions ?? [];
  if (stored.length === 0)
    return [invalidValue('status.storedVersions', stored, 'must have at least one stored version')];
  const names = new Set(spec.versions.map(({ name }) => name));
  const errors = stored.flatMap((name, i) =>
    names.has(name) ? [] : [invalidValue(`status.storedVersions[${i}]`, name, 'must appear in spec.versions')],
  );
  // A stored version answers for one version of the definition.
  const unanswered = new Set(stored);
  for (const { name, storage } of spec.versions) {
    if (!unanswered.delete(name) && storage)
      errors.push(invalidValue('status.storedVersions', stored, `must have the storage version ${name}`));
  }
  return errors;
}

/** What stands fast once the definition is established. */
function validateChange(next: Definition, previous: Definition): FieldError[] {
  const fixed: [field: string, now: string, before: string, always: boolean][] = [
    ['spec.group', next.spec.group, previous.spec.group, true],
    ['spec.names.plural', next.spec.names.plural, previous.spec.names.plural, true],
    ['spec.scope', next.spec.scope, previous.spec.scope, false],
    ['spec.names.kind', next.spec.names.kind, previous.spec.names.kind, false],
  ];
  const established = isEstablished(previous);
  const errors = fixed
    .filter(([, now, before, always]) => now !== before && (always || established))
    .map(([field, now]) => invalidValue(field, now, 'field is immutable'));
  if (next.metadata.deletionTimestamp && !deepEqual(next.spec.conversion, previous.spec.conversion)) {
    errors.push(forbiddenField('spec.conversion', 'cannot change while the definition is being deleted'));
  }
  return errors;
}

/** An approval that was missing before may be missing still. */
const approvalOnUpdate = (next: Definition, previous: Definition): FieldError[] =>
  validateApproval(previous).length > 0 ? [] : validateApproval(next);
