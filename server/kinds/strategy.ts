import type { FieldError } from '../base/field-error.ts';
import type { Ids } from '../base/ids.ts';
import type { KubeObject } from '../base/kube-object.ts';
import type { Subject } from '../base/status-error.ts';
import type { Clock } from '../base/time/clock.ts';
import type { Cancel, Timers } from '../base/time/timers.ts';
import type { Work } from '../base/turns/work.ts';
import type { User } from '../base/user.ts';
import type { Store } from '../store/store.ts';
import type { ConnectParameters } from './connect-parameters.ts';
import type { Destination } from './destination.ts';
import type { KindTable } from './kind-table.ts';

/** How the name of an object is checked: the problems found, empty when it is fine. `prefix`: it is a generateName. */
export type NameRule = (name: string, prefix: boolean) => readonly string[];

/** What other objects a rule may look at. Values are shared and must not be changed. */
export interface Lookup {
  get(group: string, resource: string, namespace: string, name: string): Promise<KubeObject | undefined>;
  list(group: string, resource: string, namespace?: string): Promise<readonly KubeObject[]>;
}

/** Feature gates by name, with v1.25's defaults. */
export interface Features {
  enabled(name: string): boolean;
}

/** What is wrong with an object: said at once, or by work where there may be much to look at. */
export type Faults = readonly FieldError[] | Work<readonly FieldError[]>;

/** What surrounds one write. */
export interface WriteContext {
  readonly user: User;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly lookup: Lookup;
  readonly features: Features;
  readonly dryRun: boolean;
  /** Whether containers may have the rights of the host they run on. */
  readonly allowPrivileged: boolean;
  /** The `group/version` in which the request came; hooks still see the storage version. */
  readonly requestVersion: string;
  /** Empty for the object itself, else the subresource written through. */
  readonly subresource: string;
  /** Where lists and maps were sent empty, which hooks no longer see (as in `Checked`). */
  readonly emptied: ReadonlySet<string>;
  /** Who writes, as managedFields name it; for operations whose answer says so. */
  readonly manager?: string;
  /** Sends a `Warning: 299` header with the answer. */
  warn(text: string): void;
  /**
   * For what a hook takes outside the object (an address, a port): `undo` runs once, should the write end before it is
   * stored: refused by whatever comes later, a dry run, or tried again with a newer version, which asks all hooks anew.
   */
  onAbandon(undo: () => void | Promise<void>): void;
}

/**
 * The special rules of one kind: everything that is only about it. What is about all kinds (metadata, names,
 * finalizers, generation, status split) is in the registry and needs nothing here. Leave out what does not apply.
 *
 * Every hook works on the kind's storage version. Order of a create: default, prepareCreate, validate, validateCreate. Of an update:
 * default, prepareUpdate, validate, validateUpdate. Hooks that prepare change `next` in place (it is the writer's
 * own copy); validators only read.
 */
export interface KindRules<T extends KubeObject = KubeObject> {
  readonly group: string;
  /** The storage version, whose structure the hooks see. */
  readonly version: string;
  readonly kind: string;
  /** The plural; needed because a kind may be served by one resource only. */
  readonly resource: string;

  /** The group that validation failures name, where it is not the kind's own. */
  readonly validationGroup?: string;
  /** Default: lower-case DNS subdomain. */
  readonly nameRule?: NameRule;
  /** An update looks at generateName only as at a segment of a path. Default: as at a name of the kind. */
  readonly loosePrefixOnUpdate?: boolean;
  /**
   * Through this version nothing is asked of metadata but what holds for all kinds: names are segments of a path,
   * finalizers may be bare. Faults of a new object's metadata are told only when it has no others. Default: in none.
   */
  plainMetadata?(apiVersion: string): boolean;
  /** Finalizers may be bare names. Default: those of others need a domain in front. */
  readonly bareFinalizers?: boolean;
  /** PUT to a missing item creates it. Default false. */
  readonly createOnUpdate?: boolean;
  /** PUT without resourceVersion overwrites. Default true. */
  readonly unconditionalUpdate?: boolean;
  /** A new object has no generation yet, although it is counted. */
  readonly generationStartsLate?: boolean;
  /** `metadata.generation` starts at 1 and rises when this says so; missing: the kind has no generation. */
  generationRises?(next: T, previous: T): boolean;
  /** The member in which an empty list or map that is sent is a new generation, although none is stored. */
  readonly countsEmptied?: string;
  /** Maps that are the same empty and not there, whoever sends them. */
  readonly emptyIsNone?: readonly string[];
  /** What is stored of a valid object, when that is less than what was written. The last of all hooks; never changes its argument. */
  kept?(object: T): T;
  /** What a dry run of a change answers, where more is told than would be stored. After `kept`; never changes its arguments. */
  rehearsed?(next: T, previous: T): T;
  /** Why an object of that name cannot be asked to go, alone. */
  undeletable?(name: string): string | undefined;
  /** The object is answered after a delete although it is gone at once. Default: a Status. */
  readonly deleteAnswersObject?: boolean;
  /** A delete without a propagation policy leaves dependents behind, and may say so. Default: they go. */
  readonly orphansDependents?: { readonly warning?: string };
  /** Nothing can depend on the kind: a delete goes by no propagation policy. */
  readonly withoutDependents?: boolean;
  /** Too much of it changes to be held in a cache: who asks for a version that is to come is not told when to return. */
  readonly isUncached?: boolean;
  /**
   * What a delete does to an object that stays for now (Namespace: phase Terminating). In place.
   * @param asked gracePeriodSeconds of the options
   * @returns seconds that it is given to end, 0: it goes at once, and watchers see it marked first; `untimed`: it ends
   * once nothing holds it
   */
  beginDeletion?(object: T, asked: number | undefined, context: WriteContext): number | 'untimed';
  /**
   * Holds the object back from removal beyond metadata.finalizers (Namespace: spec.finalizers). For a delete it is
   * asked about the object as it stood before, so that a first delete can be told from a second.
   */
  isHeld?(object: T): boolean;

  /** The objects of a kind that is only read and never stored: worked out at each read, all of them. */
  computed?(surroundings: { readonly store: Pick<Store, 'currentRevision'> }): Promise<readonly T[]>;

  /** Why an object cannot be read, although each of its fields is of the right type. In the version of the request. */
  unreadable?(object: KubeObject): string | undefined;
  /** `applied`: by server-side apply, where a null is not taken for nothing. `version`: of a request, where not this one. */
  default?(object: T, applied?: boolean, version?: string): void;
  /**
   * Lists that are always written, null where they hold nothing or, as in what another server has stored, are left out. In
   * place, before the kind's own preparation of a write to the object itself.
   */
  withEmptyLists?(object: T): void;
  /** Fields that came later than the object that another server has stored are told from those it has. In place. */
  completeStored?(object: T): void;
  /** What a fresh server holds of the kind becomes what the options of this one ask for. In place. */
  fitBootstrap?(object: T): void;
  prepareCreate?(object: T, context: WriteContext): void;
  /** Only for writes to the object itself. Carry over here what such a write may not change. */
  prepareUpdate?(next: T, previous: T, context: WriteContext): void;
  validate?(object: T, context: WriteContext): Faults;
  /** Besides `validate`, on creates only. */
  validateCreate?(object: T, context: WriteContext): Faults;
  /** Besides `validate`, which also runs on updates. */
  validateUpdate?(next: T, previous: T, context: WriteContext): Faults;
  /** Texts for `Warning` headers on create (`previous` undefined) and update. */
  warnings?(object: T, previous: T | undefined): readonly string[];

  /** Field selectors besides metadata.name and metadata.namespace: text of the field, `''` when unset. */
  readonly selectable?: Readonly<Record<string, (object: T) => string>>;
  readonly table?: KindTable<T>;
  /** Subresources that read and write the whole object (`status`, `approval`, `finalize`, `ephemeralcontainers`). */
  readonly subresources?: Readonly<Record<string, SubresourceRules<T>>>;
  /**
   * Operations of their own, keyed by subresource (`eviction`, `binding`, `token`) or `''` for a virtual kind whose
   * collection is posted to (access and token reviews, `bindings`).
   */
  readonly operations?: Readonly<Record<string, OperationRules>>;
  /**
   * Fields (`spec`, `status.certificate`) that a write to the object itself never owns in managedFields, since it
   * cannot set them. Default: `status`, where there is such a subresource.
   */
  readonly unownedFields?: readonly string[];
  /**
   * Other versions of the same objects: from and to the storage version. Pure; must not change its argument. The key
   * is the version, or `group/version` where another group shows the objects (the Event of `events.k8s.io`).
   */
  readonly conversions?: Readonly<Record<string, Conversion>>;
  /**
   * Versions that are not served, but in which a v1.25 server stores the objects: how they become the storage version.
   * Pure; must not change its argument. `apiVersion` is set by the caller.
   */
  readonly storedVersions?: Readonly<Record<string, (object: KubeObject) => KubeObject>>;
  /** By version: the text of the warning that every request in it is answered with. */
  readonly deprecations?: Readonly<Record<string, string>>;
  /**
   * Begins what the kind does besides answering requests (Service: follows who holds which address; Event: removes what
   * is old). Runs once, before the first request. @returns what ends it
   */
  start?(surroundings: KindSurroundings): Promise<Cancel>;
}

/** What a kind works with besides requests. */
export interface KindSurroundings {
  readonly store: Store;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Something went wrong that no request can be told. */
  report(error: unknown): void;
}

export interface SubresourceRules<T extends KubeObject = KubeObject> {
  /** Takes over from `previous` whatever a write through this subresource may not change. In place. */
  prepareUpdate?(next: T, previous: T, context: WriteContext): void;
  /** Instead of the kind's own validators. */
  validateUpdate?(next: T, previous: T, context: WriteContext): Faults;
  /** As `unownedFields` of the kind, for writes through this subresource. Default: `spec`. */
  readonly unownedFields?: readonly string[];
  /** A create sets what is written here as well; by default what it says about `status` is dropped. */
  readonly setByCreate?: boolean;
  /** An update of the object may set it as well: what stays as it was is up to the kind's own `prepareUpdate`. */
  readonly setByUpdate?: boolean;
  /** It is not shown in columns. */
  readonly hasNoTable?: boolean;
  /** What stands for the object in bodies and answers (a Scale). Missing: the object itself. */
  readonly document?: SubresourceDocument;
}

/** Another object that shows part of one and takes changes of it, which are validated and owned as those of the whole. */
export interface SubresourceDocument {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** As a read answers it. @throws 500 an object that has not what is to be shown */
  read(object: KubeObject): KubeObject;
  /** As a write starts from it and answers it. */
  show(object: KubeObject): KubeObject;
  /** As a patch starts from it, where that differs. */
  start?(object: KubeObject): KubeObject;
  /** Puts a changed document back into the object. In place. @throws 422 */
  put(object: KubeObject, document: KubeObject): void;
  /** The field of the object that it stands for, dots in front: whoever owns `.spec.replicas` of a Scale owns this one. */
  readonly field: string;
  /** Those who write it own what they set. Else any write takes the field from its owners, and nobody can apply. */
  readonly hasOwners: boolean;
  readonly table: KindTable;
  /** What is told to be missing where the object is; by default the object. */
  missing?(subject: Subject): Subject;
}

/** What an operation gets: the body as sent (undefined for none) and the object it is about, if it has one. */
export interface OperationInput {
  readonly body: KubeObject | undefined;
  readonly namespace: string;
  /** Empty for virtual kinds. */
  readonly name: string;
  readonly context: WriteContext;
  /** The path ends with the name of the operation, with not even a slash behind it. */
  readonly lacksSlash: boolean;
  /** What stands behind the name of the operation, with its query, as it was sent: `/metrics?x=1`. */
  readonly beyond: string;
  /** The first value of a query parameter. */
  query(name: string): string | undefined;
  /** All values of a query parameter. */
  queryAll(name: string): readonly string[];
  /** Changes a copy of the object it is about, under the store's retry, which nobody owns then; throws not found. */
  update<T extends KubeObject>(change: (current: T) => T | Promise<T>): Promise<T>;
  /** As `update`, for another object. In a dry run nothing is kept. */
  updateOther<T extends KubeObject>(
    at: { readonly group: string; readonly resource: string; readonly namespace: string; readonly name: string },
    change: (current: T) => T | Promise<T>,
  ): Promise<T>;
  /** Deletes the object the operation is about, with DeleteOptions. */
  remove(options: { [key: string]: unknown }): Promise<void>;
}

/** An object, a hint to ask again with a slash at the end of the path, or whoever else answers the request. */
export type OperationResult =
  | { readonly code: number; readonly object: KubeObject }
  | { readonly code: number; readonly text: string }
  | { readonly code: 301; readonly addSlash: true }
  | { readonly forward: Destination };

export type Operation = (input: OperationInput) => Promise<OperationResult>;

export interface OperationRules {
  readonly run: Operation;
  /** It opens a connection and takes no body; made of the query, this is what admission is shown instead. */
  readonly connects?: (parameters: ConnectParameters, path: string) => KubeObject;
  /** It takes no body, and is no more than a read: admission has no say in it. */
  readonly onlyReads?: boolean;
  /** apiVersions in which its body may come as well, with the fields of the usual one. */
  readonly bodyVersions?: readonly string[];
  /** Its body is about an object that is there: which one, and which version of it, `uid` and `resourceVersion` say. */
  readonly meansObject?: boolean;
}

export interface Conversion {
  toStorage(object: KubeObject): KubeObject;
  fromStorage(object: KubeObject): KubeObject;
  /** Field selectors of that version, read from the storage version. Default: the kind's. */
  readonly selectable?: Readonly<Record<string, (object: KubeObject) => string>>;
}

/** Declares the rules of one kind; the identity function with a type. */
export const defineKind = <T extends KubeObject = KubeObject>(rules: KindRules<T>): KindRules =>
  rules as unknown as KindRules;
