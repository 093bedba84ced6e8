import type { RuleContext } from './context.ts';

/** Pods need a service account: where no controller makes the default one, we do. */
export async function preparePods({ serviceAccounts }: RuleContext): Promise<void> {
  await serviceAccounts.post({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } });
}
