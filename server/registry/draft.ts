import type { AdmissionAttributes, Passes } from '../admission/admission.ts';
import type { KubeObject } from '../base/kube-object.ts';
import type { Work } from '../base/work/work.ts';
import type { WriteContext } from '../kinds/strategy.ts';
import type { Change } from '../store/store.ts';
import type { WriteCall } from './call.ts';
import type { PatchDocument } from './patch-document.ts';
import type { Undo } from './undo.ts';

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
