import type { KubernetesObject } from '../admission-review.ts';

/** What the policies about pods look at. */
export interface Container {
  readonly name?: string;
  readonly resources?: {
    readonly requests?: Readonly<Record<string, string | number>>;
    readonly limits?: Readonly<Record<string, string | number>>;
  };
  readonly securityContext?: { readonly privileged?: boolean };
}

export interface Pod extends KubernetesObject {
  readonly spec?: {
    /** Null for a pod without any: what changes objects sees them before they are validated. */
    readonly containers?: readonly Container[] | null;
    readonly initContainers?: readonly Container[];
    readonly ephemeralContainers?: readonly Container[];
  };
}
