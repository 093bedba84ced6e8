import type { RuleContext } from './context.ts';

/** Pods need a service account: where no controller makes the default one, we do. */
export async function preparePods({ serviceAccounts }: Pick<RuleContext, 'serviceAccounts'>): Promise<void> {
  await serviceAccounts.post({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } });
}

/** A pod that ends when somebody says so: it has a node, of which there is none. */
export const onNoNode = { spec: { nodeName: 'touchstone-nowhere' } } as const;
