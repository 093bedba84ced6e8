import { expect, test } from 'vitest';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { merged } from '../../verbs/merged.ts';
import { waitUntil } from '../../verbs/wait-until.ts';
import { recreatesPods } from './rolled-deployments.ts';

/** The names of the pods that a Deployment has, one after the other. */
const names = ['old', 'new'];

/**
 * A server of one Deployment with one pod. Of a pod that is going without a node it is said that it has failed.
 * @param waits whether a new pod waits for the end of an old one that has not failed
 */
function serverOf(waits: boolean): RuleContext {
  let deployment: Json = { metadata: { name: 'made', generation: 1 }, status: { observedGeneration: 1 } };
  let pods: Json[] = [];
  let wanted = 0;
  const begin = (): void => {
    wanted++;
    pods.push({ metadata: { name: names[wanted - 1] }, spec: deployment.spec.template.spec });
  };
  const create = async (parts: Json) => {
    deployment = merged({ ...deployment, spec: { template: { metadata: { labels: { app: 'a' } } } } }, parts);
    begin();
    return deployment;
  };
  const merge = async (_: string, parts: Json) => {
    deployment = merged(deployment, parts);
    pods = pods.map((pod) => merged(pod, { metadata: { deletionTimestamp: 'now' } }));
    if (!waits || pods.some(({ spec }) => spec.nodeName === undefined)) begin();
    return deployment;
  };
  const remove = async (gone: string) => {
    pods = pods.filter(({ metadata }) => metadata.name !== gone);
    begin();
  };
  const listOf = (items: () => readonly Json[]) => async () => ({ items: [...items()] });
  return {
    deployments: { create, merge, read: async () => deployment },
    pods: { list: listOf(() => pods), merge: async () => ({}), remove, deleteAll: async () => ({}) },
    replicaSets: { list: listOf(() => [{ metadata: { name: 'newest' }, spec: { replicas: wanted - 1 } }]) },
    nodes: { create: async () => ({ metadata: { name: 'node' } }) },
    serviceAccounts: { post: async () => ({}) },
    ...{ later: () => undefined, waitUntil, patience: 10, longPatience: 80, expect },
  } as unknown as RuleContext;
}

test('pods that are made anew are on a node, as without one nobody may wait for their end', async () => {
  await expect(recreatesPods(serverOf(true))).resolves.toBeUndefined();
});

test('pods that are made anew may not be there before the old ones are gone', async () => {
  await expect(recreatesPods(serverOf(false))).rejects.toThrow();
});
