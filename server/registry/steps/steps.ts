import type { Passes } from '../../admission/admission.ts';
import type { Draft, Step } from '../draft.ts';
import type { Resource } from '../resource.ts';
import { mutate, validatingAdmission } from './admit.ts';
import { commit } from './commit.ts';
import { trackManagers } from './managers.ts';
import { prepare } from './prepare.ts';
import { countGeneration, setDefaults, systemFields } from './system-fields.ts';
import { validate } from './validate.ts';
import { limitSize, weigh, weighFilled } from './weight.ts';

/**
 * The order of every write that leaves an object behind: create, update, patch, apply, status, scale and the operations
 * of kinds, each of which says before it what it proposes (`attempt.ts`). A step changes the draft, or ends the write by
 * throwing.
 */
export const steps: readonly Step[] = [
  weigh,
  systemFields,
  setDefaults,
  weighFilled,
  trackManagers,
  mutate,
  prepare,
  validate,
  countGeneration,
  validatingAdmission,
  commit,
  limitSize,
];

/**
 * What operations of kinds do without: their request was admitted as what it is (an eviction, a binding), and they
 * change only what they know.
 */
const leftOut: readonly Step[] = [setDefaults, weighFilled, mutate, prepare, validate, validatingAdmission];

/** Where a step never has anything to do. */
const idle: ReadonlyMap<Step, (resource: Resource, passes: Passes) => boolean> = new Map([
  [setDefaults, ({ rules, served }) => !rules.default && !served.conversion],
  [weighFilled, ({ custom }) => !custom],
  [mutate, (_, { mutates }) => !mutates],
  [countGeneration, ({ rules }) => !rules.generationRises],
  [validatingAdmission, (_, { validates }) => !validates],
]);

/** Of so few bytes, sent and stored, an object of a built-in kind never becomes too large, unless somebody changes it on its way. */
const fewBytes = 4096;
const aboutSize: readonly Step[] = [weigh, weighFilled, limitSize];

/** The steps that have something to do for a write. @param asProposed it is of an operation of a kind (see `leftOut`) */
export function stepsOf({ call, passes, storedBytes }: Draft, asProposed = false): readonly Step[] {
  const { resource, sentBytes = Number.POSITIVE_INFINITY } = call;
  const plan = plans.get(passes)?.get(resource) ?? makePlan(resource, passes);
  if (asProposed) return plan.asProposed;
  return sentBytes <= fewBytes && storedBytes <= fewBytes ? plan.ofFewBytes : plan.steps;
}

/** The steps of one sort of writes to one kind: chosen when the first comes. */
interface Plan {
  readonly steps: readonly Step[];
  readonly ofFewBytes: readonly Step[];
  readonly asProposed: readonly Step[];
}

/** Those that were made so far. */
const plans = new WeakMap<Passes, WeakMap<Resource, Plan>>();

function makePlan(resource: Resource, passes: Passes): Plan {
  const busy = steps.filter((step) => !idle.get(step)?.(resource, passes));
  const mayGrow = resource.custom || passes.changes;
  const plan = {
    steps: busy,
    ofFewBytes: mayGrow ? busy : busy.filter((step) => !aboutSize.includes(step)),
    asProposed: busy.filter((step) => !leftOut.includes(step)),
  };
  plans.set(passes, (plans.get(passes) ?? new WeakMap()).set(resource, plan));
  return plan;
}
