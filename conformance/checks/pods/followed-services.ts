import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { nameOf } from '../../verbs/states.ts';
import { fail, succeed } from './node-play.ts';
import type { ServedPods } from './service-pods.ts';

/** The slices of a Service change with it and with its pods: with the port it means, whom it selects, and who has ended. */
export async function followsService(context: RuleContext, served: ServedPods): Promise<void> {
  const { services, pods, unique, waitUntil, longPatience } = context;
  const [one, other] = served.pods as [Json, Json];
  const until = (what: string, wanted: readonly Json[], port: number) =>
    waitUntil(what, served.slices, (slices) => tells(slices, wanted, port), { limit: longPatience });
  const metrics = { name: 'metrics', port: 80, targetPort: 'metrics' };
  // Of the same number in both, so that they are told of by the same slice.
  await services.merge(served.service, { spec: { ports: [metrics] } });
  await until('both are told of by the port that their Service means now', [one, other], 6060);
  const app = unique('app');
  await pods.merge(nameOf(one), { metadata: { labels: { app } } });
  await until('whom the Service selects no more is gone', [other], 6060);
  await services.merge(served.service, { spec: { selector: { app } } });
  await until('whom the Service selects now is there, and nobody else', [one], 6060);
  await pods.merge(nameOf(other), { metadata: { labels: { app } } });
  await until('whom the Service selects by now is there again', [one, other], 6060);
  await succeed(context, one);
  await until('who has succeeded is gone', [other], 6060);
  await fail(context, other);
  await until('who has failed is gone', [], 6060);
}

/** Whether slices tell of these pods and no others, each by this port alone. */
function tells(slices: readonly Json[], wanted: readonly Json[], port: number): boolean {
  const full = slices.filter(({ endpoints }) => endpoints?.length > 0);
  const told = full.flatMap(({ endpoints }) => endpoints.flatMap(({ addresses }: Json) => addresses));
  return (
    told.toSorted().join() === wanted.map(({ status }) => status.podIP).join() &&
    full.every(({ ports }) => ports.map((each: Json) => each.port).join() === String(port))
  );
}
