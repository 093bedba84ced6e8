import type { AdmissionAttributes, Passes } from '../admission/admission.ts';
import type { KubeObject } from '../base/kube-object.ts';
import type { Work } from '../base/turns/work.ts';
import type { KindRules, WriteContext } from '../kinds/strategy.ts';
import { nowhere } from '../schema/checked.ts';
import type { Change, Stored } from '../store/store.ts';
import type { Call, WriteCall } from './call.ts';
import { hasEmptyBytes } from './empty-bytes.ts';
import { documentOf, type PatchDocument } from './patch-document.ts';
import type { Undo } from './undo.ts';

/** What a writer wants an object to be, in the request's version. */
export interface Proposal {
  /** Belongs to the write. */
  readonly next: KubeObject;
  /** It carries the managers already, as apply works them out. */
  readonly managed?: boolean;
  /** It is the object as it was read, but for its managers: it gets no defaults that it did not have. */
  readonly asRead?: boolean;
  /** Empty values of maps of bytes are written as nothing (see `empty-bytes.ts`). */
  readonly emptiesBytes?: boolean;
  /** Where it was sent with empty lists and maps (see `Checked`). */
  readonly emptied?: ReadonlySet<string> | undefined;
}

/**
 * How large an object is: `light` ones, nearly all, are written in one go; while a `heavy` one goes through the steps
 * others have their turn; a `vast` one is known to be too large, and what would take long is left out for it.
 */
export type Weight = 'light' | 'heavy' | 'vast';

/** A write on its way through the steps, each of which leaves it nearer to what is stored. */
export interface Draft {
  readonly call: WriteCall;
  readonly context: WriteContext;
  /** What is run should the write end before it is stored. */
  readonly undo: Undo;
  /** Those who take part in admission. */
  readonly passes: Passes;
  /** What the path shows of the object, where that is not the object itself. */
  readonly document: PatchDocument | undefined;
  /** The newest version as the store has it; undefined: the write creates. Shared. */
  readonly kept: KubeObject | undefined;
  /** The same in the request's version. Shared. */
  readonly live: KubeObject | undefined;
  /** The same as the rules of the kind take it: one of the two. Shared. */
  readonly stored: KubeObject | undefined;
  /** Of the stored version. */
  readonly storedBytes: number;
  weight: Weight;
  /** It carries its managers already. */
  readonly managed: boolean;
  /** It is the object as it was read. */
  readonly asRead: boolean;
  /** It has empty values in maps of bytes, which are written as nothing. */
  readonly emptiesBytes: boolean;
  /**
   * What shall be stored, in the request's version: as proposed, then with defaults and managers, then admitted. Later
   * steps change `next` alone.
   */
  shown: KubeObject;
  /**
   * The same as the rules of the kind take it, once it has its defaults; at last in the store's version. Belongs to the
   * write.
   */
  next: KubeObject;
  /** Something came into `next` that may lack defaults. */
  lacksDefaults: boolean;
  /** Its managers may be what somebody wrote, who may have written anything. */
  takesManagers: boolean;
  /** As admission was told of the write. */
  attributes: AdmissionAttributes | undefined;
  /** What the store is to do: the outcome of the last step. */
  change: Change | undefined;
}

/** One step of a write. Changes the draft, or ends the write by throwing. */
export type Step = (draft: Draft) => void | Work<void>;

/** The draft of a proposal, before the first step. @param live `current` in the request's version */
export function draftOf(
  { call, undo }: Pick<Draft, 'call' | 'undo'>,
  current: Stored | undefined,
  live: KubeObject | undefined,
  { next, managed = false, asRead = false, emptiesBytes = false, emptied = nowhere }: Proposal,
): Draft {
  const { resource, subresource, services } = call;
  return {
    call,
    context: writeContext(call, undo, emptied),
    undo,
    passes: services.admission.passes(live ? 'UPDATE' : 'CREATE', resource, subresource),
    document: subresource ? documentOf(call) : undefined,
    kept: current?.value,
    live,
    stored: resource.custom ? live : current?.value,
    storedBytes: current ? (current.text?.length ?? current.line.length) : 0,
    weight: 'light',
    managed,
    asRead,
    emptiesBytes: emptiesBytes && hasEmptyBytes(resource.served, next),
    shown: next,
    next,
    lacksDefaults: false,
    takesManagers: false,
    attributes: undefined,
    change: undefined,
  };
}

const toldApart = (emptied: ReadonlySet<string>, { emptyIsNone = [] }: KindRules): ReadonlySet<string> =>
  new Set([...emptied].filter((place) => !emptyIsNone.includes(place)));

/** What surrounds a write, for the rules of its kind. */
export const writeContext = (
  { services, resource, user, subresource, options, warn }: Call & { readonly options: { readonly dryRun: boolean } },
  undo: Undo,
  emptied = nowhere,
): WriteContext => ({
  user,
  clock: services.clock,
  ids: services.ids,
  lookup: services.lookup,
  features: services.features,
  allowPrivileged: services.allowPrivileged,
  dryRun: options.dryRun,
  requestVersion: resource.served.apiVersion,
  subresource,
  emptied: emptied.size > 0 ? toldApart(emptied, resource.rules) : emptied,
  warn,
  onAbandon: (act) => void undo.push(act),
});
