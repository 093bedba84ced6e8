import type { KubeObject } from '../base/kube-object.ts';
import type { Work } from '../base/turns/work.ts';
import type { User } from '../base/user.ts';
import type { Concern, Operation } from './concern.ts';

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface GroupVersionResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** One write (or connect) on its way through admission. */
export interface AdmissionAttributes {
  readonly operation: Operation;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly user: User;
  readonly dryRun: boolean;
  /** CreateOptions, UpdateOptions or DeleteOptions with kind and apiVersion, made when asked for; undefined for CONNECT. */
  readonly options: () => KubeObject | undefined;
  /** The new object in the request's version: the writer's own copy, which mutating parts change in place. Undefined for DELETE. */
  object: KubeObject | undefined;
  /** The stored object in the request's version; shared, not to be changed. Undefined for CREATE and CONNECT. */
  readonly oldObject: KubeObject | undefined;
  /** Where the client sent lists and maps empty, which the object no longer shows: `spec.overhead`. */
  readonly emptied?: ReadonlySet<string>;
  /** Sends a `Warning: 299` header with the answer. */
  warn(text: string): void;
  /** Adds an annotation to the request's audit event. */
  annotate(key: string, value: string): void;
  /**
   * For what a part did outside the object: `undo` runs once if the write does not come about (refused by a later part,
   * failed, or tried again with a newer version, which asks all parts anew).
   */
  onAbandon(undo: () => void | Promise<void>): void;
}

/**
 * One built-in admission controller. `mutate` (or `check`) runs before the object is validated, in the order of the
 * list; `validate` after that. All refuse by throwing a StatusError. Leave out what does not apply.
 */
export interface AdmissionPlugin {
  /** As `--enable-admission-plugins` names it. */
  readonly name: string;
  /** The writes that it is asked about; no other wakes it. */
  readonly cares: readonly Concern[];
  /** May answer how it wants to look once more, after all the others did: it let strangers change the object. */
  mutate?(attributes: AdmissionAttributes): SecondLook | Promise<SecondLook>;
  /** In the place of `mutate`, for who changes nothing but must refuse before validation. */
  check?(attributes: AdmissionAttributes): void | Promise<void>;
  validate?(attributes: AdmissionAttributes): void | Promise<void>;
}

/** Runs in place of `mutate` in the second pass over the mutating parts; undefined: no second pass is needed. */
export type SecondLook = void | undefined | (() => Promise<void>);

/** All of admission as the registry sees it. */
export interface Admission {
  /** Those who care about such writes. */
  passes(
    operation: Operation,
    resource: { readonly group: string; readonly plural: string },
    subresource: string,
  ): Passes;
}

/** The two passes of admission over one sort of writes. */
export interface Passes {
  /** Whether anybody takes part; if not, a pass need not be run. */
  readonly mutates: boolean;
  readonly validates: boolean;
  /** Whether one of them may change the object. */
  readonly changes: boolean;
  /** @returns whether somebody may have changed the object */
  mutate(attributes: AdmissionAttributes): Work<boolean>;
  validate(attributes: AdmissionAttributes): Work<void>;
}
