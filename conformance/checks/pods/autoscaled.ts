import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { kindPaths } from '../../verbs/kinds.ts';
import { conditionOf, nameOf } from '../../verbs/states.ts';

/** How many an autoscaler of two to three finds, and what it makes of them. */
const sizes: readonly (readonly [found: number, made: number])[] = [
  [1, 2],
  [5, 3],
  [0, 0],
];

/** What has fewer replicas than its autoscaler allows, or more, gets as many as it may have; what is to have none keeps none. */
export async function keepsBounds(context: RuleContext): Promise<void> {
  const { deployments, kind, waitUntil, longPatience } = context;
  const autoscalers = kind({ ...kindPaths.horizontalPodAutoscalers });
  const scaled: { readonly name: string; readonly autoscaler: string; readonly made: number }[] = [];
  for (const [found, made] of sizes) {
    // A pause keeps it from having pods.
    const { apiVersion, kind: of, metadata } = await deployments.create({ spec: { replicas: found, paused: true } });
    const scaleTargetRef = { apiVersion, kind: of, name: metadata.name };
    const autoscaler = await autoscalers.create({ spec: { scaleTargetRef, minReplicas: 2, maxReplicas: 3 } });
    scaled.push({ name: metadata.name, autoscaler: nameOf(autoscaler), made });
  }
  // Autoscalers may look at what they scale only four times a minute.
  const limit = { limit: 20_000 + longPatience };
  const isTold = ({ status }: Json): boolean => status?.conditions?.length > 0;
  for (const { name, autoscaler, made } of scaled) {
    await waitUntil('the autoscaler has looked', () => autoscalers.read(autoscaler), isTold, limit);
    const wanted = async (): Promise<number> => (await deployments.read(name)).spec.replicas;
    await waitUntil('it has as many as it may', wanted, (seen) => seen === made, limit);
    // It may have failed to look at first.
    if (made === 0) await waitUntil('why nothing is scaled is told', () => autoscalers.read(autoscaler), isOff, limit);
  }
}

/** An autoscaler that says that it scales nothing, and why. */
function isOff(autoscaler: Json): boolean {
  const { status, reason } = conditionOf(autoscaler, 'ScalingActive') ?? {};
  return status === 'False' && reason === 'ScalingDisabled';
}
