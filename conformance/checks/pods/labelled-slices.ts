import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { nameOf } from '../../verbs/states.ts';
import { servePods, zoneOfPods } from './service-pods.ts';

const headless = 'service.kubernetes.io/headless';

/** The slices of a Service have its labels as they are now, say whether it has no address, and of each endpoint where it is. */
export async function labelsSlices(context: RuleContext): Promise<void> {
  const { services, endpointSlices, waitUntil, longPatience, expect } = context;
  const { pods, service, slices, until } = await servePods(context, [8080]);
  const [pod] = pods;
  const { nodeName, zone } = await until('the pod is an endpoint', pod, () => true);
  expect(nodeName, 'the node of an endpoint').toBe(pod.spec.nodeName);
  expect(zone, 'the zone of its node').toBe(zoneOfPods);
  const labelled = (what: string, look: () => Promise<readonly Json[]>, accept: (labels: Json) => boolean) =>
    waitUntil(
      what,
      async () => (await look()).map(({ metadata }) => metadata.labels),
      (seen) => seen.length > 0 && seen.every(accept),
      { limit: longPatience },
    );
  for (const colour of ['red', 'blue']) {
    await services.merge(service, { metadata: { labels: { colour } } });
    await labelled(`its slices are ${colour}`, slices, (labels) => labels.colour === colour && !(headless in labels));
  }
  await comeBack(context, slices);
  const without = nameOf(await services.create({ spec: { clusterIP: 'None' } }));
  const labelSelector = `kubernetes.io/service-name=${without}`;
  const itsOwn = async (): Promise<readonly Json[]> => (await endpointSlices.list({ labelSelector })).items;
  await labelled('it has no address', itsOwn, (labels) => headless in labels);
}

/** Slices that somebody deletes are made again. */
async function comeBack(
  { endpointSlices, waitUntil, longPatience }: RuleContext,
  slices: () => Promise<readonly Json[]>,
): Promise<void> {
  const old = (await slices()).map(({ metadata }) => metadata.uid);
  for (const slice of await slices()) await endpointSlices.remove(nameOf(slice));
  const areOthers = (seen: readonly Json[]): boolean =>
    seen.length > 0 && seen.every(({ metadata }) => !old.includes(metadata.uid));
  await waitUntil('slices that were deleted come back', slices, areOthers, { limit: longPatience });
}
