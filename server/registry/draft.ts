import type { AdmissionAttributes } from '../admission/admission.ts';
import type { KubeObject } from '../base/kube-object.ts';
import type { WriteContext } from '../kinds/strategy.ts';
import type { Change } from '../store/store.ts';
import type { WriteCall } from './call.ts';
import type { Undo } from './undo.ts';

/** A write on its way through the steps, each of which leaves it nearer to what is stored. */
export interface Draft {
  readonly call: WriteCall;
  readonly context: WriteContext;
  /** What is run should the write end before it is stored. */
  readonly undo: Undo;
  /** The newest version as stored; undefined: the write creates. Shared. */
  readonly stored: KubeObject | undefined;
  /** The same in the request's version. Shared. */
  readonly live: KubeObject | undefined;
  /** It carries its managers already. */
  readonly managed: boolean;
  /** It has empty values in maps of bytes, which are written as nothing. */
  readonly emptiesBytes: boolean;
  /**
   * What shall be stored, in the request's version: as proposed, then with defaults and managers, then admitted. Later
   * steps change `next` alone.
   */
  shown: KubeObject;
  /** The same in the store's version, once it has its defaults. Belongs to the write. */
  next: KubeObject;
  /** Something came into `next` that may lack defaults. */
  lacksDefaults: boolean;
  /** As admission was told of the write. */
  attributes?: AdmissionAttributes;
  /** What the store is to do: the outcome of the last step. */
  change?: Change;
}

/** One step of a write. Changes the draft, or ends the write by throwing. */
export type Step = (draft: Draft) => void | Promise<void>;

/** Fills the defaults of what came into the draft since they were filled. In place. */
export function fillDefaults(draft: Draft): void {
  if (!draft.lacksDefaults) return;
  draft.lacksDefaults = false;
  draft.call.resource.rules.default?.(draft.next);
}
