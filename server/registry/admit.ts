import type { AdmissionAttributes } from '../admission/admission.ts';
import type { KubeObject } from '../base/kube-object.ts';
import type { Call } from './call.ts';
import type { WriteOptions } from './options.ts';
import type { Reservations } from './reservations.ts';

interface Admitted {
  readonly operation: AdmissionAttributes['operation'];
  readonly object: KubeObject | undefined;
  readonly oldObject: KubeObject | undefined;
  readonly options: KubeObject | undefined;
  readonly dryRun: boolean;
  /** Default: the call's own; a name that was generated is not in the call. */
  readonly name?: string;
  /** Where validating admission notes what it takes elsewhere. */
  readonly reservations?: Reservations;
}

/** One call as admission sees it: always in the version of the request. */
export function attributesOf(call: Call, { name = call.name, reservations, ...rest }: Admitted): AdmissionAttributes {
  const { group, version, kind } = call.resource.served;
  const sub = call.subresource ? call.resource.subresources.get(call.subresource) : undefined;
  return {
    ...rest,
    kind: sub ? { group: sub.group, version: sub.version, kind: sub.kind } : { group, version, kind },
    resource: { group, version, resource: call.resource.plural },
    subresource: call.subresource,
    // A namespace is its own namespace to selectors and webhooks.
    namespace: call.resource.plural === 'namespaces' && group === '' ? name : call.namespace,
    name,
    user: call.user,
    warn: (text) => call.warn(text),
    annotate: (key, value) => call.annotate(key, value),
    ...(reservations && { onAbandon: reservations.add }),
  };
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
