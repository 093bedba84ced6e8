import { isJsonObject } from '../../base/json-value.ts';
import type { Behavior, ScalingRules } from './autoscaler-shape.ts';

/** Names in the annotation begin with a capital: it has always been written that way. */
function capitalized(value: unknown, change: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => capitalized(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [change(key), capitalized(item, change)]));
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

const upper = (key: string) => key.charAt(0).toUpperCase() + key.slice(1);
const lower = (key: string) => key.charAt(0).toLowerCase() + key.slice(1);

/** What the annotation of a behavior says. */
export const behaviorText = (behavior: Behavior): string => JSON.stringify(capitalized(inOrder(behavior), upper));

/** The behavior that an annotation holds, once it is read; undefined: it holds none. */
export const behaviorOf = (read: unknown): Behavior | undefined =>
  isJsonObject(read) ? (capitalized(read, lower) as Behavior) : undefined;
