import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { preparePods } from '../../verbs/pods.ts';
import { nameOf } from '../../verbs/states.ts';
import { untilStatus } from '../../verbs/until-status.ts';
import { claimsNothing } from '../unfit/judged-kind.ts';
import { nodeOfNobody } from './node-play.ts';

const protection = 'kubernetes.io/pvc-protection';

/** A claim that is deleted stays as long as a pod on a node uses it, and goes with the last of them. */
export async function keepsUsed(context: RuleContext): Promise<void> {
  const { pods, persistentVolumeClaims: claims, waitUntil, longPatience, expect } = context;
  await preparePods(context);
  const limit = { limit: longPatience };
  const [used, idle] = [nameOf(await claims.create(claimsNothing)), nameOf(await claims.create(claimsNothing))];
  const isProtected = ({ metadata }: Json): boolean => metadata.finalizers?.includes(protection) ?? false;
  for (const name of [used, idle]) await waitUntil('a claim is protected', () => claims.read(name), isProtected, limit);
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: used } }];
  const pod = nameOf(await pods.create({ spec: { nodeName: await nodeOfNobody(context), volumes } }));
  await claims.remove(used);
  await claims.remove(idle);
  await untilStatus(context, 'a claim that nobody uses goes', 404, () => claims.get(idle));
  expect((await claims.get(used)).status, 'a claim that a pod uses').toBe(200);
  await pods.remove(pod, { query: { gracePeriodSeconds: 0 } });
  await untilStatus(context, 'the claim goes after the pod', 404, () => claims.get(used));
}
