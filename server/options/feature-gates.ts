import { noSuch } from '../../mistyped.ts';
import { knownGates } from './known-gates.ts';

/** Gates that matter to what this server does, with v1.25's defaults. */
const defaults: Readonly<Record<string, boolean>> = {
  APIListChunking: true,
  APIPriorityAndFairness: true,
  DryRun: true,
  EndpointSliceTerminatingCondition: true,
  JobMutableNodeSchedulingDirectives: true,
  JobPodFailurePolicy: false,
  JobReadyPods: true,
  JobTrackingWithFinalizers: true,
  ServerSideApply: true,
  ServerSideFieldValidation: true,
};

/**
 * Feature gates from settings such as `JobPodFailurePolicy=true`; `AllAlpha` and `AllBeta` are accepted.
 * @throws Error for a setting that is no `Name=true` or `Name=false`, and for a gate that v1.25 does not have
 */
export function featureGates(settings: readonly string[]): { enabled(name: string): boolean } {
  const chosen = new Map<string, boolean>();
  for (const setting of settings) {
    const [, name, value] = /^\s*([A-Za-z0-9]+)=(true|false)\s*$/i.exec(setting) ?? [];
    if (!name || !value) throw new Error(`--feature-gates: ${JSON.stringify(setting)} is not Name=true or Name=false`);
    if (!knownGates.has(name)) throw new Error(`--feature-gates: ${noSuch('feature gate', name, knownGates)}`);
    chosen.set(name, value.toLowerCase() === 'true');
  }
  const allAlpha = chosen.get('AllAlpha');
  return {
    enabled: (name) =>
      chosen.get(name) ?? (defaults[name] === false && allAlpha !== undefined ? allAlpha : (defaults[name] ?? false)),
  };
}
