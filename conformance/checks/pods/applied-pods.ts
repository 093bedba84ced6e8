import type { Answer } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';

/** What admission fills in of a pod, but for names that are made up. */
const filledIn = ({ serviceAccountName, priority, preemptionPolicy, tolerations, containers }: Json): Json => ({
  ...{ serviceAccountName, priority, preemptionPolicy, tolerations },
  resources: containers.map(({ resources }: Json) => resources),
  mounts: containers.map(({ volumeMounts = [] }: Json) => volumeMounts.map(({ mountPath }: Json) => mountPath)),
});

const saysNothing = { serviceAccountName: undefined, automountServiceAccountToken: undefined };
const dry = { dryRun: 'All' };

/** What an apply would make of a new object. */
export function applied(objects: Collection, spec: Json): Promise<Answer> {
  const sample = objects.sample({ spec });
  return objects.tryApply(nameOf(sample), sample, 'applier', dry);
}

/** A pod that an apply makes is admitted as one that is posted: it is filled in, and refused, all the same. */
export async function admitsApplied({ pods, unique, allHeard, expect }: RuleContext): Promise<void> {
  await allHeard();
  const posted = await pods.post(pods.sample({ spec: saysNothing }), dry);
  const made = await applied(pods, saysNothing);
  expect([posted.status, made.status], `a pod that is applied: ${said(made)}`).toEqual([201, 201]);
  expect(filledIn(made.body.spec), 'what is filled in of a pod that is applied').toEqual(filledIn(posted.body.spec));
  for (const beyond of [{ serviceAccountName: unique('none') }, { priorityClassName: unique('none') }])
    expect((await applied(pods, beyond)).status, `a pod that is applied with ${JSON.stringify(beyond)}`).toBe(403);
}
