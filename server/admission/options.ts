import type { AdmissionConfigurationOptions } from './admission-configuration.ts';

/** How writes are admitted; each field is the flag of the same name in kebab case. */
export interface AdmissionOptions extends AdmissionConfigurationOptions {
  /** Names of plugins to run besides the default ones; their order does not matter. */
  readonly enableAdmissionPlugins: readonly string[];
  /** Names of default plugins that shall not run. */
  readonly disableAdmissionPlugins: readonly string[];
  /** Seconds that pods stay on a node that is not ready, if they do not say. */
  readonly defaultNotReadyTolerationSeconds: number;
  /** Seconds that pods stay on a node that cannot be reached, if they do not say. */
  readonly defaultUnreachableTolerationSeconds: number;
}
