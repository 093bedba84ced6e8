import { heldFrom, type MinorRange } from '../../holds-for.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { said } from '../../verbs/said.ts';

const ofPods = (spec: Json): Json => ({ spec: { template: { spec } } });
const nodes = ofPods({ nodeSelector: { a: 'b' } });
const startTime = '2024-05-06T07:08:09Z';

const terms = [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }];
const besides = [{ labelSelector: { matchLabels: { a: 'b' } }, topologyKey: 'kubernetes.io/hostname' }];

/** As a job controller says it: the first releases of v1.36 let no job be sent elsewhere of which nobody has. */
export const saidToWait: Json = { conditions: [{ type: 'Suspended', status: 'True' }] };

/** The versions where a job that has begun stays where it is; of later ones it may go elsewhere as long as it waits. */
const stays: MinorRange = { to: 35 };

/** Where pods go, and what they are told by. */
const placements: Readonly<Record<string, Json>> = {
  'other nodes': nodes,
  'taints that they bear': ofPods({ tolerations: [{ key: 'a', operator: 'Exists' }] }),
  'nodes by more than labels': ofPods({
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } },
  }),
  'other labels': { spec: { template: { metadata: { labels: { a: 'b' } } } } },
  'other annotations': { spec: { template: { metadata: { annotations: { a: 'b' } } } } },
};

/** What else there is of pods. */
const others: Readonly<Record<string, Json>> = {
  'pods to be beside': ofPods({
    affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: besides } },
  }),
  'another who schedules': ofPods({ schedulerName: 'touchstone.example/other' }),
  'another time to end': ofPods({ terminationGracePeriodSeconds: 7 }),
};

/** A job that waits may be sent to other nodes, and nothing else of its pods may change; once it began, not even that. */
export async function staysWhereItBegan({ jobs, version, expect }: RuleContext): Promise<void> {
  const { metadata } = await jobs.create({ spec: { suspend: true } });
  const waits = await jobs.patch(metadata.name, { status: saidToWait }, { sub: 'status' });
  expect(waits.status, said(waits)).toBe(200);
  const changed = async (parts: Json, query: Json = { dryRun: 'All' }) =>
    (await jobs.patch(metadata.name, parts, { query })).status;
  for (const [what, parts] of Object.entries(placements))
    expect(await changed(parts), `${what}, before it began`).toBe(200);
  for (const [what, parts] of Object.entries(others))
    expect(await changed(parts), `${what}, before it began`).toBe(422);
  if (heldFrom(stays, version)) return;
  const begun = await jobs.patch(metadata.name, { status: { startTime } }, { sub: 'status' });
  expect(begun.status, said(begun)).toBe(200);
  const seen = [await changed(nodes), await changed(nodes, {})];
  const after = await jobs.read(metadata.name);
  // A controller may say that it did not begin after all.
  if (after.status?.startTime !== startTime) return;
  expect(seen, 'once it began').toEqual([422, 422]);
  expect(after.spec.template.spec.nodeSelector, 'what is stored').toBeUndefined();
}
