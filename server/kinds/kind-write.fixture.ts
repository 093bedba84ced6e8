import type { FieldError } from '../base/field-error.ts';
import type { KubeObject } from '../base/kube-object.ts';
import type { KindRules, WriteContext } from './strategy.ts';

/** For tests: one write to one kind, without a store. The hooks run in the order that the registry gives them. */
export interface Trial {
  /** What would be stored. */
  readonly object: KubeObject;
  /** `field reason` of each cause, in order. */
  readonly causes: readonly string[];
}

export interface TrialOptions {
  /** Where empty lists and maps were sent. */
  readonly emptied?: readonly string[];
  readonly subresource?: string;
  readonly gates?: readonly string[];
  /** Default true. */
  readonly allowPrivileged?: boolean;
  readonly requestVersion?: string;
  readonly user?: Partial<WriteContext['user']>;
  /** Milliseconds. */
  readonly now?: number;
}

const gatesOn = [
  'EndpointSliceTerminatingCondition',
  'JobMutableNodeSchedulingDirectives',
  'JobReadyPods',
  'JobTrackingWithFinalizers',
];

function contextOf(rules: KindRules, options: TrialOptions): WriteContext {
  const gates = new Set([...gatesOn, ...(options.gates ?? [])]);
  const { now = Date.UTC(2024, 0, 1) } = options;
  const context: Partial<WriteContext> = {
    user: { name: 'jane', uid: 'jane-uid', groups: ['devs'], extra: {}, ...options.user },
    clock: { now: () => now },
    features: { enabled: (name) => gates.has(name) },
    dryRun: false,
    allowPrivileged: options.allowPrivileged ?? true,
    requestVersion: options.requestVersion ?? (rules.group ? `${rules.group}/${rules.version}` : rules.version),
    subresource: options.subresource ?? '',
    emptied: new Set(options.emptied),
    warn: () => {},
  };
  return context as WriteContext;
}

const causesOf = (errors: readonly FieldError[]) =>
  errors.map(({ field, reason }) => `${field} ${reason.slice('FieldValue'.length)}`);

/** An object of the kind with a name, a uid and what `fields` says. */
export const sample = (rules: KindRules, fields: object = {}, metadata: KubeObject['metadata'] = {}): KubeObject => ({
  kind: rules.kind,
  apiVersion: rules.group ? `${rules.group}/${rules.version}` : rules.version,
  metadata: { name: 'x', uid: 'uid-1', ...metadata },
  ...structuredClone(fields),
});

export async function tryCreate(rules: KindRules, object: KubeObject, options: TrialOptions = {}): Promise<Trial> {
  const context = contextOf(rules, options);
  rules.default?.(object);
  await rules.prepareCreate?.(object, context);
  const errors = [...(rules.validate?.(object, context) ?? []), ...(rules.validateCreate?.(object, context) ?? [])];
  return { object, causes: causesOf(errors) };
}

/** `change` works on a copy of what is stored. */
export async function tryUpdate(
  rules: KindRules,
  stored: KubeObject,
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into objects of all kinds
  change: (next: any) => void,
  options: TrialOptions = {},
): Promise<Trial> {
  const context = contextOf(rules, options);
  const next = structuredClone(stored);
  change(next);
  rules.default?.(next);
  const sub = rules.subresources?.[options.subresource ?? ''];
  await (sub ?? rules).prepareUpdate?.(next, stored, context);
  const errors = sub
    ? (sub.validateUpdate?.(next, stored, context) ?? [])
    : [...(rules.validate?.(next, context) ?? []), ...(rules.validateUpdate?.(next, stored, context) ?? [])];
  return { object: next, causes: causesOf(errors) };
}
