import type { Deployment } from '../runtime/resources.ts';

/**
 * How many pods may be over, and how many unavailable. Percentages of the wanted number; the one rounds up, the other down.
 * Where pods are made anew all at once there is nothing to roll: none may be either.
 */
export function limitsOf(deployment: Deployment): { readonly surge: number; readonly unavailable: number } {
  const { spec } = deployment;
  if (isRecreate(deployment)) return { surge: 0, unavailable: 0 };
  const wanted = spec?.replicas ?? 1;
  const { maxSurge = '25%', maxUnavailable = '25%' } = spec?.strategy?.rollingUpdate ?? {};
  const surge = amount(maxSurge, wanted, Math.ceil);
  const unavailable = Math.min(wanted, amount(maxUnavailable, wanted, Math.floor));
  // With neither nothing could ever move.
  return surge + unavailable === 0 ? { surge: 0, unavailable: 1 } : { surge, unavailable };
}

/** A number, or a share of `wanted` such as `25%`. */
export function amount(value: number | string, wanted: number, round: (value: number) => number): number {
  if (typeof value === 'number') return value;
  const [, percent] = /^(\d+)%$/.exec(value) ?? [];
  return percent === undefined ? 0 : round((Number(percent) * wanted) / 100);
}

export const isRecreate = ({ spec }: Deployment): boolean => spec?.strategy?.type === 'Recreate';

/** The most pods that all sets together may have. */
export const mostPods = (deployment: Deployment): number =>
  (deployment.spec?.replicas ?? 1) + limitsOf(deployment).surge;
