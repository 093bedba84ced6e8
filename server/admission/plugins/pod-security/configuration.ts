import { type Fields, fieldsOf } from '../../../base/untyped.ts';
import type { PluginConfiguration } from '../../admission-configuration.ts';
import {
  isLevel,
  type LevelVersion,
  levelProblem,
  type Mode,
  type Policy,
  parseVersion,
  versionProblem,
} from './policy.ts';

export interface PodSecurityConfiguration {
  /** Of namespaces without labels. */
  readonly defaults: Policy;
  readonly exempt: {
    readonly users: ReadonlySet<string>;
    readonly namespaces: ReadonlySet<string>;
    readonly runtimeClasses: ReadonlySet<string>;
  };
}

const group = 'pod-security.admission.config.k8s.io';
const versions: readonly string[] = ['v1', 'v1beta1', 'v1alpha1'].map((version) => `${group}/${version}`);

/**
 * Reads a PodSecurityConfiguration; without one nothing is restricted by default and nobody is exempt.
 * @throws Error when it makes no sense
 */
export function podSecurityConfiguration(given: PluginConfiguration | undefined): PodSecurityConfiguration {
  const { apiVersion, kind, defaults, exemptions } = given?.configuration ?? {};
  if (given && (kind !== 'PodSecurityConfiguration' || !versions.includes(String(apiVersion)))) {
    throw new Error(`PodSecurity: the configuration is no PodSecurityConfiguration of ${versions[0]}`);
  }
  const modeOf = (mode: Mode) => levelOf(mode, fieldsOf(defaults));
  const { usernames, namespaces, runtimeClasses } = fieldsOf(exemptions);
  return {
    defaults: { enforce: modeOf('enforce'), audit: modeOf('audit'), warn: modeOf('warn') },
    exempt: {
      users: textSet('usernames', usernames),
      namespaces: textSet('namespaces', namespaces),
      runtimeClasses: textSet('runtimeClasses', runtimeClasses),
    },
  };
}

function levelOf(mode: Mode, defaults: Fields): LevelVersion {
  const level = String(defaults[mode] || 'privileged');
  const version = parseVersion(String(defaults[`${mode}-version`] || 'latest'));
  if (!isLevel(level)) throw new Error(`PodSecurity: defaults.${mode} ${levelProblem}`);
  if (!version) throw new Error(`PodSecurity: defaults.${mode}-version ${versionProblem}`);
  return { level, ...version };
}

function textSet(name: string, value: unknown): ReadonlySet<string> {
  const texts: readonly unknown[] = Array.isArray(value) ? value : [];
  if (texts.some((each) => typeof each !== 'string' || each === ''))
    throw new Error(`PodSecurity: exemptions.${name} must be texts`);
  return new Set(texts as string[]);
}
