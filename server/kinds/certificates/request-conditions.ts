import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import { formatTime } from '../../base/time/clock.ts';
import { eachOf } from '../field-rules.ts';

export interface RequestCondition {
  type?: string;
  status?: string;
  reason?: string;
  message?: string;
  lastUpdateTime?: string | null;
  lastTransitionTime?: string | null;
}

type Conditions = readonly RequestCondition[] | undefined;

const conditionsAt = FieldPath.of('status', 'conditions');
/** Once said, these cannot be taken back. */
const lasting = ['Approved', 'Denied', 'Failed'];
/** These are said through the approval subresource only. */
const decisions = ['Approved', 'Denied'];

/** A condition that says nothing of its times gets them: now, or the time at which it came to its status. In place. */
export function stampConditions(next: Conditions, previous: Conditions, now: number): void {
  const key = ({ type = '', status = '' }: RequestCondition) => `${status}/${type}`;
  const since = new Map<string, string | null | undefined>();
  for (const condition of previous ?? [])
    if (!since.has(key(condition))) since.set(key(condition), condition.lastTransitionTime);
  const time = formatTime(now);
  for (const condition of next ?? []) {
    condition.lastUpdateTime ||= time;
    condition.lastTransitionTime ||= since.get(key(condition)) ?? time;
    if (condition.reason === '') delete condition.reason;
    if (condition.message === '') delete condition.message;
  }
}

/** Puts back decisions as they were, as long as none was added or removed (which is refused later). In place. */
export function keepDecisions(next: RequestCondition[] | undefined, previous: Conditions): void {
  for (const type of decisions) {
    const before = (previous ?? []).filter((condition) => condition.type === type);
    const places = [...(next ?? []).entries()].filter(([, condition]) => condition.type === type);
    if (!next || places.length !== before.length) continue;
    for (const [nth, [place]] of places.entries()) next[place] = { ...before[nth] };
  }
}

export function validateConditions(conditions: Conditions): FieldError[] {
  const seen = new Set<string>();
  return eachOf(conditions, conditionsAt, ({ type = '', status = '' }, here) => {
    const errors = type ? [] : [required(here.child('type'))];
    errors.push(...validateStatus(type, status, here.child('status')));
    if ((type === 'Approved' && seen.has('Denied')) || (type === 'Denied' && seen.has('Approved')))
      errors.push(invalidValue(here.child('type'), type, 'a request cannot be both approved and denied'));
    if (seen.has(type)) errors.push(duplicate(here.child('type'), type));
    seen.add(type);
    return errors;
  });
}

function validateStatus(type: string, status: string, at: FieldPath): FieldError[] {
  const allowed = lasting.includes(type) ? ['True'] : ['False', 'True', 'Unknown'];
  if (status === '') return [required(at)];
  return allowed.includes(status) ? [] : [notSupported(at, status, allowed)];
}

const count = (conditions: Conditions, type: string) =>
  (conditions ?? []).filter((condition) => condition.type === type).length;

export const nothingTakenBack = (next: Conditions, previous: Conditions): FieldError[] =>
  lasting
    .filter((type) => count(next, type) < count(previous, type))
    .map((type) => forbiddenField(conditionsAt, `a condition of type "${type}" cannot be removed`));

export const nothingDecided = (next: Conditions, previous: Conditions): FieldError[] =>
  decisions
    .filter((type) => count(next, type) > count(previous, type))
    .map((type) => forbiddenField(conditionsAt, `a condition of type "${type}" cannot be added here`));
