import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { nameOf } from '../../verbs/states.ts';
import type { Respond } from '../../verbs/webhooks.ts';

/** A webhook that allows everything, and takes so many milliseconds to say so, by the operation. */
export const takingIts =
  (delays: Readonly<Record<string, number>>): Respond =>
  (review) => ({
    raw: {
      delay: delays[review?.request?.operation] ?? 0,
      body: {
        apiVersion: review?.apiVersion,
        kind: 'AdmissionReview',
        response: { uid: review?.request?.uid, allowed: true },
      },
    },
  });

/**
 * While slow webhooks look at one write of a Secret another begins. Patches hold side by side, or somebody is told that
 * his does not; of updates from one version one holds.
 */
export async function keepsBoth({ secrets, expect }: RuleContext, object: Json): Promise<void> {
  const name = nameOf(object);
  const labels = ['one', 'two'];
  const patches = await Promise.all(
    labels.map((label) => secrets.patch(name, { metadata: { labels: { [label]: 'yes' } } })),
  );
  const stored = await secrets.read(name);
  const held = labels.filter((_, at) => patches[at]?.status === 200);
  expect(held, 'of two patches at a time at least one is done').not.toEqual([]);
  for (const label of held) expect(stored.metadata.labels, 'after two patches at a time').toHaveProperty(label);
  const updates = await Promise.all(
    labels.map((label) => secrets.put({ ...stored, metadata: { ...stored.metadata, annotations: { by: label } } })),
  );
  expect(updates.map(({ status }) => status).sort(), 'two updates at a time').toEqual([200, 409]);
}
