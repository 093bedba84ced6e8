import type { Behavior, ScalingRules } from './autoscaler-shape.ts';

/** Names in the annotation begin with a capital: it has always been written that way. */
function capitalized(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(capitalized);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key.charAt(0).toUpperCase() + key.slice(1), capitalized(item)]),
  );
}

const rulesInOrder = (rules: ScalingRules | undefined) =>
  rules
    ? {
        stabilizationWindowSeconds: rules.stabilizationWindowSeconds ?? null,
        selectPolicy: rules.selectPolicy ?? null,
        policies: rules.policies?.map(({ type, value, periodSeconds }) => ({ type, value, periodSeconds })) ?? null,
      }
    : null;

/** The annotation always reads the same, however the object was written, and tells what is not there. */
const inOrder = ({ scaleUp, scaleDown }: Behavior) => ({
  scaleUp: rulesInOrder(scaleUp),
  scaleDown: rulesInOrder(scaleDown),
});

/** What the annotation of a behavior says. */
export const behaviorText = (behavior: Behavior): string => JSON.stringify(capitalized(inOrder(behavior)));
