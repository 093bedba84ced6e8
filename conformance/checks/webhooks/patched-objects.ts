import type { RuleContext } from '../../verbs/context.ts';
import { merged } from '../../verbs/merged.ts';
import { marking } from '../../verbs/subjects.ts';
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

/** What it puts in place of a part does so too, whichever way the object was about to be changed. */
export async function fillsReplaced(context: RuleContext): Promise<void> {
  const { endpointSlices, unique, expect } = context;
  const rules = onSlices.map((rule) => ({ ...rule, operations: ['UPDATE'] }));
  const respond = () =>
    patchWith(
      { op: 'replace', path: '/ports', value: [{ name: 'replaced', port: 81, unknown: 'a' }] },
      { op: 'add', path: '/other', value: 1 },
    );
  const name = unique('replaced');
  const object = await endpointSlices.create({ metadata: { name }, ports: [{ name: 'sent', port: 80 }] });
  await configure(context, 'mutating', [{ over: { rules }, respond }]);
  const changes = {
    'an update': () => endpointSlices.put(merged(object, marking('put'))),
    'a merge patch': () => endpointSlices.patch(name, marking('merge')),
    'a strategic merge patch': () => endpointSlices.patch(name, marking('strategic'), { type: 'strategic' }),
    'an apply': () => endpointSlices.tryApply(name, marking('apply'), 'applier', { force: 'true' }),
  };
  for (const [what, change] of Object.entries(changes)) {
    const { status, body } = await change();
    expect(status, body?.message ?? what).toBe(200);
    const stored = await endpointSlices.read(name);
    expect(stored.ports, `as a webhook left them, ${what}`).toEqual([{ name: 'replaced', port: 81, protocol: 'TCP' }]);
    expect(stored, `what nobody knows, ${what}`).not.toHaveProperty('other');
  }
}
