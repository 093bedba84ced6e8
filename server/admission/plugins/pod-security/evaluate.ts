import { baselineChecks } from './baseline.ts';
import type { Check, Violation } from './check.ts';
import type { CheckedPod } from './checked-pod.ts';
import { type LevelVersion, levels } from './policy.ts';
import { restrictedChecks } from './restricted.ts';

/** The newest version of the standards that this server knows. */
const latest = 25;

const inForce = (checks: readonly Check[], minor: number) =>
  checks.filter(({ since, until }) => since <= minor && (until === undefined || minor < until));

function checksOf(level: string, minor: number): readonly Check[] {
  if (level === 'privileged') return [];
  const baseline = inForce(baselineChecks, minor);
  if (level === 'baseline') return baseline;
  const restricted = inForce(restrictedChecks, minor);
  const replaced = new Set(restricted.map(({ insteadOf }) => insteadOf));
  return [...baseline.filter(({ name }) => !replaced.has(name)), ...restricted];
}

/** Level -> minor version -> checks. */
const compiled = new Map(
  levels.map((level) => [level, Array.from({ length: latest + 1 }, (_, minor) => checksOf(level, minor))] as const),
);

/** How a pod breaks a level; empty when it keeps to it. A version that is not known yet is judged by the latest. */
export function violations(pod: CheckedPod, { level, minor = latest }: LevelVersion): readonly Violation[] {
  const version = Math.min(minor, latest);
  const checks = compiled.get(level)?.[version] ?? [];
  return checks.map((check) => check.judge(pod, version)).filter((violation) => violation !== undefined);
}

export const violationsText = (found: readonly Violation[]): string =>
  found.map(({ reason, detail }) => (detail ? `${reason} (${detail})` : reason)).join(', ');

export const reasonsText = (found: readonly Violation[]): string => found.map(({ reason }) => reason).join(', ');
