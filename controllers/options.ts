import type { Log } from './runtime/log.ts';

/** Everything controllers can be told; most fields are the flag of the same name in kebab case. Durations are milliseconds. */
export interface ControllerOptions {
  /** `*`, names, and names with `-` in front. */
  readonly controllers: readonly string[];
  readonly nodeNames: readonly string[];
  readonly log: Log;
}

export interface StartOptions extends Partial<ControllerOptions> {
  /** Text of a kubeconfig; it counts before `kubeconfigFile`. */
  readonly kubeconfig?: string;
  readonly kubeconfigFile?: string;
  readonly context?: string;
}
