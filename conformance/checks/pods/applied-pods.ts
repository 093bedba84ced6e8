import { heldFrom } from '../../holds-for.ts';
import type { Answer } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';

/** What admission fills in of a pod, but for names that are made up, and for sizes where several ranges say them. */
const filledIn = (
  { serviceAccountName, priority, preemptionPolicy, tolerations, containers }: Json,
  sized: boolean,
): Json => ({
  ...{ serviceAccountName, priority, preemptionPolicy, tolerations },
  resources: containers.map(({ resources }: Json) => sized && resources),
  mounts: containers.map(({ volumeMounts = [] }: Json) => volumeMounts.map(({ mountPath }: Json) => mountPath)),
});

/** Before v1.21 it was for a controller to make the token that a pod gets, which may be late or missing. */
const sayingNothing = (version: string): Json => ({
  serviceAccountName: undefined,
  automountServiceAccountToken: heldFrom({ from: 21 }, version) ? false : undefined,
});

const dry = { dryRun: 'All' };

/** What an apply would make of a new object. */
export function applied(objects: Collection, spec: Json): Promise<Answer> {
  const sample = objects.sample({ spec });
  return objects.tryApply(nameOf(sample), sample, 'applier', dry);
}

/** A pod that an apply makes is admitted as one that is posted: it is filled in, and refused, all the same. */
export async function admitsApplied(context: RuleContext): Promise<void> {
  const { pods, limitRanges, version, unique, allHeard, expect } = context;
  await allHeard();
  const spec = sayingNothing(version);
  const posted = await pods.post(pods.sample({ spec }), dry);
  const made = await applied(pods, spec);
  expect([posted.status, made.status], `a pod that is applied: ${said(made)}`).toEqual([201, 201]);
  // Of several ranges, as where others have put one into the namespace, either may come first each time.
  const sized = (await limitRanges.list()).items.length < 2;
  const filled = filledIn(posted.body.spec, sized);
  expect(filledIn(made.body.spec, sized), 'what is filled in of a pod that is applied').toEqual(filled);
  for (const beyond of [{ serviceAccountName: unique('none') }, { priorityClassName: unique('none') }])
    expect((await applied(pods, beyond)).status, `a pod that is applied with ${JSON.stringify(beyond)}`).toBe(403);
}
