import type { RuleContext } from '../../verbs/context.ts';
import { configure, patchWith } from '../../verbs/webhooks.ts';

const onSlices = [
  { apiGroups: ['discovery.k8s.io'], apiVersions: ['v1'], resources: ['endpointslices'], operations: ['CREATE'] },
];

/** What a webhook adds to an object gets defaults as if its writer had sent it, and what nobody knows is dropped. */
export async function fillsPatched(context: RuleContext): Promise<void> {
  const { endpointSlices, expect } = context;
  const added = { name: 'added', port: 81 };
  const respond = () =>
    patchWith(
      { op: 'add', path: '/ports/-', value: { ...added, unknown: 'a' } },
      { op: 'add', path: '/other', value: 1 },
    );
  await configure(context, 'mutating', [{ over: { rules: onSlices }, respond }]);
  const { metadata } = await endpointSlices.create({ ports: [{ name: 'sent', port: 80 }] });
  const stored = await endpointSlices.read(metadata.name);
  expect(stored.ports, 'as a webhook left them').toEqual([
    { name: 'sent', port: 80, protocol: 'TCP' },
    { ...added, protocol: 'TCP' },
  ]);
  expect(stored, 'what nobody knows').not.toHaveProperty('other');
}
