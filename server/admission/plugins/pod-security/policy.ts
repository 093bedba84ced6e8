import { type FieldError, invalidValue } from '../../../base/field-error.ts';
import { FieldPath } from '../../../base/field-path.ts';
import type { KubeObject } from '../../../base/kube-object.ts';

/** From the loosest to the strictest. */
export const levels = ['privileged', 'baseline', 'restricted'] as const;
export type Level = (typeof levels)[number];

/** A level as it stood in one minor version of v1; undefined: the latest. */
export interface LevelVersion {
  readonly level: Level;
  readonly minor: number | undefined;
}

export const modes = ['enforce', 'audit', 'warn'] as const;
export type Mode = (typeof modes)[number];
export type Policy = Readonly<Record<Mode, LevelVersion>>;

const prefix = 'pod-security.kubernetes.io/';
const labelsAt = FieldPath.of('metadata', 'labels');

export const isLevel = (text: string): text is Level => (levels as readonly string[]).includes(text);
export const strictness = ({ level }: LevelVersion): number => levels.indexOf(level);
export const sameLevel = (left: LevelVersion, right: LevelVersion): boolean =>
  left.level === right.level && left.minor === right.minor;

/** `baseline:v1.24`, `restricted:latest`. */
export const levelText = ({ level, minor }: LevelVersion): string =>
  `${level}:${minor === undefined ? 'latest' : `v1.${minor}`}`;

/** The minor version of `v1.N` (undefined within: `latest`); nothing when the text is neither. */
export function parseVersion(text: string): { readonly minor: number | undefined } | undefined {
  if (text === 'latest') return { minor: undefined };
  const [, digits] = /^v1\.(0|[1-9]\d{0,5})$/.exec(text) ?? [];
  return digits === undefined ? undefined : { minor: Number(digits) };
}

export const levelProblem = `must be one of ${levels.join(', ')}`;
export const versionProblem = 'must be "latest" or "v1.x"';

/** Whether labels say anything about a mode: its level, or the version of it. */
export const isLabelled = (labels: Readonly<Record<string, string>> = {}, mode: Mode): boolean =>
  labels[prefix + mode] !== undefined || labels[`${prefix}${mode}-version`] !== undefined;

export interface NamespacePolicy {
  readonly policy: Policy;
  /** What is wrong with the labels. */
  readonly errors: readonly FieldError[];
}

/**
 * What the labels of a namespace ask for, and what is wrong with them. Where a level cannot be read the mode errs on
 * the side that does the least harm: enforcing restricts, auditing and warning keep silent.
 */
export function policyOf({ metadata }: KubeObject, defaults: Policy): NamespacePolicy {
  const labels = metadata.labels ?? {};
  const errors: FieldError[] = [];
  const modeOf = (mode: Mode): LevelVersion => {
    const name = prefix + mode;
    const asked = labels[name];
    let { level, minor } = defaults[mode];
    if (asked !== undefined && isLevel(asked)) level = asked;
    else if (asked !== undefined) {
      errors.push(invalidValue(labelsAt.key(name), asked, levelProblem));
      level = mode === 'enforce' ? 'restricted' : 'privileged';
    }
    const version = labels[`${name}-version`];
    const parsed = version === undefined ? { minor } : parseVersion(version);
    if (parsed) ({ minor } = parsed);
    else {
      errors.push(invalidValue(labelsAt.key(`${name}-version`), version, versionProblem));
      minor = undefined;
    }
    return { level, minor };
  };
  return { policy: { enforce: modeOf('enforce'), audit: modeOf('audit'), warn: modeOf('warn') }, errors };
}
