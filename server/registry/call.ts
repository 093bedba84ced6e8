import type { Admission } from '../admission/admission.ts';
import type { Ids } from '../base/ids.ts';
import type { KubeObject } from '../base/kube-object.ts';
import type { Clock } from '../base/time/clock.ts';
import type { Timers } from '../base/time/timers.ts';
import type { User } from '../base/user.ts';
import type { Features, Lookup } from '../kinds/strategy.ts';
import type { ContinueTokens } from '../store/continue-token.ts';
import type { Store, Stored } from '../store/store.ts';
import type { WriteOptions } from './options.ts';
import type { Resource } from './resource.ts';
import type { Resources } from './resources.ts';

/** What the verbs need of the server they run in. */
export interface Services {
  readonly store: Store;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly ids: Ids;
  readonly admission: Admission;
  readonly lookup: Lookup;
  readonly resources: Resources;
  readonly features: Features;
  /** What becomes of fields that are not known, unless a write says so. */
  readonly fieldValidation: 'Warn' | 'Ignore';
  readonly tokens: ContinueTokens;
  readonly allowPrivileged: boolean;
}

/** One request on a resource, past authentication and authorization. */
export interface Call {
  readonly services: Services;
  readonly resource: Resource;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
  readonly user: User;
  readonly userAgent: string;
  /** Makes sure that the user may create the object too: some writes create what is missing. @throws 403 */
  demandCreate(): Promise<void>;
  readonly warn: (text: string) => void;
  readonly annotate: (key: string, value: string) => void;
}

/** A call that writes. */
export interface WriteCall extends Call {
  readonly options: WriteOptions;
  /** How large the body was, if what it says cannot be larger. */
  readonly sentBytes?: number | undefined;
}

/** What a write answers. `object` is in the request's version. */
export interface Written {
  readonly code: number;
  readonly object: KubeObject;
  /** The version that now holds, where that is what is answered: it carries its bytes. */
  readonly stored?: Stored;
}
