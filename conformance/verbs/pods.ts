import type { RuleContext } from './context.ts';

/** The image of containers of which nothing else matters. It has a version, so that it need not be fetched each time. */
export const image = 'registry.example/pause:1';

/** Pods need a service account: where no controller makes the default one, we do. */
export async function preparePods({ serviceAccounts }: Pick<RuleContext, 'serviceAccounts'>): Promise<void> {
  await serviceAccounts.post({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } });
}

/** A pod that ends when somebody says so: it has a node, of which there is none. */
export const onNoNode = { spec: { nodeName: 'touchstone-nowhere' } } as const;
