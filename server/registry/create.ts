import type { FieldError } from '../base/field-error.ts';
import type { Json, KubeObject } from '../base/kube-object.ts';
import { alreadyExists, invalid, statusAnswer } from '../base/status-error.ts';
import { fillWritten } from '../schema/check.ts';
import { KeyExistsError } from '../store/store.ts';
import { attributesOf, writeOptionsObject } from './admit.ts';
import { type WriteCall, type Written, writeContext } from './call.ts';
import { trackManagers } from './managers.ts';
import { validateMetadata } from './metadata-rules.ts';
import { checkNamespace } from './namespaces.ts';
import { Reservations } from './reservations.ts';
import { keyOf, kindSubjectOf, type Resource, subjectOf, view } from './resource.ts';
import { fillSystemFields, giveIdentity, startGeneration, tidyMetadata } from './system-fields.ts';
import { fromStorage, toStorage } from './versions.ts';

/**
 * Creates an object. `sent` is decoded, of the request's version, checked against its structure, and belongs to this
 * call; `managed`: it carries its managedFields already. The order of the stages: system fields, mutating admission,
 * defaults, preparation, validation, validating admission, store.
 *
 * @throws 403 refused, 404 no such namespace, 409 exists, 422 invalid
 */
export async function create(call: WriteCall, sent: KubeObject, { managed = false } = {}): Promise<Written> {
  const { resource } = call;
  if (resource.custom?.terminating) throw terminating(resource);
  fillSystemFields(sent, call);
  const admitted = await mutate(call, sent, managed);
  // Admission may have changed what belongs to the server.
  checkNamespace(call, admitted.metadata.namespace);
  fillSystemFields(admitted, call);
  giveIdentity(admitted, call);
  const object = await prepare(call, admitted);
  const reservations = new Reservations();
  try {
    await validatingAdmission(call, object, reservations);
    return { code: 201, ...(await commit(call, object, object.metadata.name ?? '')) };
  } catch (error) {
    await reservations.giveBack();
    throw error;
  }
}

async function validatingAdmission(call: WriteCall, object: KubeObject, reservations: Reservations): Promise<void> {
  const { resource, services, options } = call;
  const attributes = attributesOf(call, {
    operation: 'CREATE',
    object: await fromStorage(resource, object),
    oldObject: undefined,
    options: createOptions(call),
    dryRun: options.dryRun,
    name: object.metadata.name ?? '',
    reservations,
  });
  await services.admission.validate(attributes);
}

const terminating = ({ group, plural }: Resource) =>
  statusAnswer(405, 'create not allowed while custom resource definition is terminating', 'MethodNotAllowed', {
    group,
    kind: plural,
  });

const createOptions = ({ options }: WriteCall) => writeOptionsObject('CreateOptions', options);

async function mutate(call: WriteCall, sent: KubeObject, managed: boolean): Promise<KubeObject> {
  const { resource, services, options } = call;
  // Admission is shown the defaults, so they are set before it as well as after it.
  const stored = await toStorage(resource, sent);
  resource.rules.default?.(stored);
  const object = await fromStorage(resource, stored);
  if (!managed) await trackManagers(call, undefined, object);
  const attributes = attributesOf(call, {
    operation: 'CREATE',
    object,
    oldObject: undefined,
    options: createOptions(call),
    dryRun: options.dryRun,
    name: sent.metadata.name ?? '',
  });
  await services.admission.mutate(attributes);
  return toStorage(resource, attributes.object ?? sent);
}

async function prepare(call: WriteCall, object: KubeObject): Promise<KubeObject> {
  const { resource, options } = call;
  const { rules } = resource;
  const context = writeContext(call, options.dryRun);
  tidyMetadata(object.metadata, call);
  if (resource.splitsStatus && !rules.keepsStatusOnCreate) dropStatus(resource, object);
  rules.default?.(object);
  startGeneration(resource, object);
  await rules.prepareCreate?.(object, context);
  const errors: FieldError[] = [
    ...validateMetadata(resource, object),
    ...(rules.validate?.(object, context) ?? []),
    ...(rules.validateCreate?.(object, context) ?? []),
  ];
  if (errors.length > 0) throw invalid(kindSubjectOf(resource), object.metadata.name ?? '', errors);
  for (const text of rules.warnings?.(object, undefined) ?? []) call.warn(text);
  return object;
}

/** What was sent as status does not count; the parts of it that are always there are empty. In place. */
function dropStatus({ storage, custom }: Resource, object: KubeObject): void {
  delete object['status'];
  if (!custom) fillWritten(object as unknown as { [key: string]: Json }, storage.structure);
}

async function commit(call: WriteCall, object: KubeObject, name: string): Promise<Omit<Written, 'code'>> {
  const { resource, services } = call;
  const key = keyOf(resource, call.namespace, name);
  try {
    if (!call.options.dryRun) {
      const stored = await view(resource, await services.store.create(key, object));
      return { object: stored.value, stored };
    }
    const current = await services.store.get(key);
    if (current) throw new KeyExistsError(current);
    return { object: await fromStorage(resource, object) };
  } catch (error) {
    resource.rules.abandonCreate?.(object, writeContext(call, call.options.dryRun));
    if (!(error instanceof KeyExistsError)) throw error;
    throw alreadyExists(subjectOf(resource), name, error.current.value.metadata.deletionTimestamp !== undefined);
  }
}
