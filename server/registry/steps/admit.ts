import type { AdmissionAttributes } from '../../admission/admission.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { known, type Work } from '../../base/turns/work.ts';
import type { Call } from '../call.ts';
import type { Draft } from '../draft.ts';
import type { WriteOptions } from '../options.ts';
import { fromStorage, rulesConvert, toStorage } from '../resource.ts';
import type { Undo } from '../undo.ts';

/** What admission is told of a request besides what the call says. */
export interface Question {
  readonly operation: AdmissionAttributes['operation'];
  readonly object?: KubeObject | undefined;
  readonly oldObject?: KubeObject | undefined;
  /** Default: nowhere. */
  readonly emptied?: ReadonlySet<string>;
  readonly options: () => KubeObject | undefined;
  readonly dryRun: boolean;
  /** Default: the call's own; a name that was generated is not in the call, and one of a collection is not told. */
  readonly name?: string;
  readonly undo: Undo;
}

/** One call as admission sees it: always in the version of the request. */
function attributesOf(call: Call, question: Question): AdmissionAttributes {
  const { operation, object, oldObject, emptied, options, dryRun, name = call.name, undo } = question;
  const { group, version, kind } = call.resource.served;
  const sub = call.subresource ? call.resource.subresources.get(call.subresource) : undefined;
  return {
    operation,
    object,
    oldObject,
    ...(emptied && { emptied }),
    options,
    dryRun,
    kind: sub ? { group: sub.group, version: sub.version, kind: sub.kind } : { group, version, kind },
    resource: { group, version, resource: call.resource.plural },
    subresource: call.subresource,
    // A namespace is its own namespace to selectors and webhooks.
    namespace: call.resource.plural === 'namespaces' && group === '' ? name : call.namespace,
    name,
    user: call.user,
    warn: call.warn,
    annotate: call.annotate,
    onAbandon: (act) => void undo.push(act),
  };
}

/** Lets the mutating parts of admission change what is shown. */
export function* mutate(draft: Draft): Work<void> {
  const { call, passes, document, shown, live } = draft;
  const asked = document ? document.show(shown) : shown;
  const attributes = attributesOfDraft(draft, asked);
  draft.attributes = attributes;
  if (!(yield* passes.mutate(attributes))) return;
  const admitted = attributes.object ?? asked;
  draft.shown = live && document ? document.merge(shown, admitted) : admitted;
  draft.next = rulesConvert(call.resource) ? yield* known(toStorage(call.resource, draft.shown)) : draft.shown;
  // Who patches puts another object in the place of this one; what nobody patched stays as it was read.
  draft.lacksDefaults = !draft.asRead || admitted !== asked;
  draft.takesManagers = true;
}

/** Asks the validating parts, which see what will be stored. */
export function* validatingAdmission(draft: Draft): Work<void> {
  const { call, next, document, passes } = draft;
  const stored = rulesConvert(call.resource) ? yield* known(fromStorage(call.resource, next)) : next;
  const object = document ? document.show(stored) : stored;
  // What was asked before is asked again, about another object; a create may have got another name meanwhile.
  const told = draft.attributes;
  const attributes = told?.name === (stored.metadata.name ?? '') ? told : attributesOfDraft(draft, object);
  attributes.object = object;
  yield* passes.validate(attributes);
}

/** Asks admission about a request whose object no step changes: both passes at once. */
export function* admit(call: Call, question: Question): Work<void> {
  const { services, resource, subresource } = call;
  const passes = services.admission.passes(question.operation, resource, subresource);
  if (!passes.mutates && !passes.validates) return;
  const attributes = attributesOf(call, question);
  yield* passes.mutate(attributes);
  yield* passes.validate(attributes);
}

function attributesOfDraft(draft: Draft, object: KubeObject): AdmissionAttributes {
  const { call, undo, live, next, document, context } = draft;
  const options = () => writeOptionsObject(live ? 'UpdateOptions' : 'CreateOptions', call.options);
  const asked = { object, emptied: context.emptied, options, undo, dryRun: call.options.dryRun };
  if (!live) return attributesOf(call, { ...asked, operation: 'CREATE', name: next.metadata.name ?? '' });
  return attributesOf(call, { ...asked, operation: 'UPDATE', oldObject: document ? document.show(live) : live });
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
