import type { AdmissionAttributes, Passes } from '../admission/admission.ts';
import type { KubeObject } from '../base/kube-object.ts';
import type { Call } from './call.ts';
import type { Draft } from './draft.ts';
import type { WriteOptions } from './options.ts';
import { documentOf } from './patch-document.ts';
import type { Undo } from './undo.ts';
import { fromStorage, toStorage } from './versions.ts';

/** What admission is told of a request besides what the call says. */
export interface Question {
  readonly operation: AdmissionAttributes['operation'];
  readonly object?: KubeObject | undefined;
  readonly oldObject?: KubeObject | undefined;
  readonly options: KubeObject | undefined;
  readonly dryRun: boolean;
  /** Default: the call's own; a name that was generated is not in the call, and one of a collection is not told. */
  readonly name?: string;
  readonly undo: Undo;
}

/** One call as admission sees it: always in the version of the request. */
function attributesOf(call: Call, question: Question): AdmissionAttributes {
  const { operation, object, oldObject, options, dryRun, name = call.name, undo } = question;
  const { group, version, kind } = call.resource.served;
  const sub = call.subresource ? call.resource.subresources.get(call.subresource) : undefined;
  return {
    operation,
    object,
    oldObject,
    options,
    dryRun,
    kind: sub ? { group: sub.group, version: sub.version, kind: sub.kind } : { group, version, kind },
    resource: { group, version, resource: call.resource.plural },
    subresource: call.subresource,
    // A namespace is its own namespace to selectors and webhooks.
    namespace: call.resource.plural === 'namespaces' && group === '' ? name : call.namespace,
    name,
    user: call.user,
    warn: (text) => call.warn(text),
    annotate: (key, value) => call.annotate(key, value),
    onAbandon: undo.add,
  };
}

/** Lets the mutating parts of admission change what is shown. */
export function mutate(draft: Draft): void | Promise<void> {
  const passes = passesOf(draft.call, draft.live ? 'UPDATE' : 'CREATE');
  if (passes.mutates) return askToMutate(draft, passes);
}

async function askToMutate(draft: Draft, passes: Passes): Promise<void> {
  const { call, shown, live } = draft;
  const document = documentOf(call);
  const attributes = attributesOf(call, questionOf(draft, document.show(shown)));
  draft.attributes = attributes;
  if (!(await passes.mutate(attributes))) return;
  const admitted = attributes.object ?? document.show(shown);
  draft.shown = live ? document.merge(shown, admitted) : admitted;
  draft.next = await toStorage(call.resource, draft.shown);
  draft.lacksDefaults = true;
}

/** Asks the validating parts, which see what will be stored. */
export function validatingAdmission(draft: Draft): void | Promise<void> {
  const passes = passesOf(draft.call, draft.live ? 'UPDATE' : 'CREATE');
  if (passes.validates) return askToValidate(draft, passes);
}

async function askToValidate(draft: Draft, passes: Passes): Promise<void> {
  const { call, next, attributes } = draft;
  const object = documentOf(call).show(await fromStorage(call.resource, next));
  const { name = '' } = next.metadata;
  // What was asked before is asked again, about another object; a create may have got another name meanwhile.
  if (attributes && attributes.name === name) attributes.object = object;
  const asked = attributes?.name === name ? attributes : attributesOf(call, questionOf(draft, object));
  await passes.validate(asked);
}

/** Asks admission about a request whose object no step changes: both passes at once. */
export async function admit(call: Call, question: Question): Promise<void> {
  const passes = passesOf(call, question.operation);
  if (!passes.mutates && !passes.validates) return;
  const attributes = attributesOf(call, question);
  await passes.mutate(attributes);
  await passes.validate(attributes);
}

const passesOf = ({ resource, subresource, services }: Call, operation: Question['operation']) =>
  services.admission.passes(operation, { group: resource.group, resource: resource.plural }, subresource);

function questionOf({ call, undo, live, next }: Draft, object: KubeObject): Question {
  const { options } = call;
  const { dryRun } = options;
  const asked = {
    object,
    options: writeOptionsObject(live ? 'UpdateOptions' : 'CreateOptions', options),
    undo,
    dryRun,
  };
  if (live) return { ...asked, operation: 'UPDATE', oldObject: documentOf(call).show(live) };
  return { ...asked, operation: 'CREATE', name: next.metadata.name ?? '' };
}

/** The options of a write as webhooks are shown them: what the client asked for. */
export const writeOptionsObject = (kind: 'CreateOptions' | 'UpdateOptions', options: WriteOptions): KubeObject =>
  optionsObject(kind, {
    ...(options.dryRun && { dryRun: ['All'] }),
    ...(options.fieldManager && { fieldManager: options.fieldManager }),
    ...(options.askedFieldValidation && { fieldValidation: options.askedFieldValidation }),
  });

/** The options object that webhooks are shown. */
export function optionsObject(
  kind: 'CreateOptions' | 'UpdateOptions' | 'DeleteOptions',
  fields: Readonly<Record<string, unknown>>,
): KubeObject {
  return { kind, apiVersion: 'meta.k8s.io/v1', ...fields } as unknown as KubeObject;
}
