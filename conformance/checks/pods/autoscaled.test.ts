import { expect, test } from 'vitest';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { waitUntil } from '../../verbs/wait-until.ts';
import { keepsBounds } from './autoscaled.ts';

/** A server whose autoscalers are found to scale nothing for these reasons, one look after the other; the last one lasts. */
function serverOf(...reasons: readonly string[]): RuleContext {
  const replicas = new Map<string, number>();
  const create = async ({ spec }: Json) => {
    const name = `deployment-${replicas.size}`;
    replicas.set(name, spec.replicas === 0 ? 0 : Math.max(2, Math.min(3, spec.replicas)));
    return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name } };
  };
  const deployments = { create, read: async (name: string) => ({ spec: { replicas: replicas.get(name) } }) };
  let left = [...reasons];
  const look = async () => {
    const [reason] = left;
    if (left.length > 1) left = left.slice(1);
    return { status: { conditions: [{ type: 'ScalingActive', status: 'False', reason }] } };
  };
  const autoscalers = { create: async () => ({ metadata: { name: 'autoscaler' } }), read: look };
  return {
    deployments,
    kind: () => autoscalers,
    waitUntil,
    patience: 1,
    longPatience: 8,
    expect,
  } as unknown as RuleContext;
}

test('an autoscaler may fail to look at first', async () => {
  const failed = Array.from({ length: 7 }, () => 'FailedGetScale');
  await expect(keepsBounds(serverOf(...failed, 'ScalingDisabled'))).resolves.toBeUndefined();
});
