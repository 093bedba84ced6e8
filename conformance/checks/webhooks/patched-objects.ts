import type { Answer, Json } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { merged } from '../../verbs/merged.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';
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

const changesOf = (slices: Collection, object: Json): Readonly<Record<string, () => Promise<Answer>>> => ({
  'an update': () => slices.put(merged(object, marking('put'))),
  'a merge patch': () => slices.patch(nameOf(object), marking('merge')),
  'a strategic merge patch': () => slices.patch(nameOf(object), marking('strategic'), { type: 'strategic' }),
  'an apply': () => slices.tryApply(nameOf(object), marking('apply'), 'applier', { force: 'true' }),
});

const replaces = () =>
  patchWith(
    { op: 'replace', path: '/ports', value: [{ name: 'replaced', port: 81, unknown: 'a' }] },
    { op: 'add', path: '/other', value: 1 },
  );

/** What it puts in place of a part does so too, whichever way the object was about to be changed. */
export async function fillsReplaced(context: RuleContext): Promise<void> {
  const { endpointSlices, expect } = context;
  const object = await endpointSlices.create({ ports: [{ name: 'sent', port: 80 }] });
  const rules = onSlices.map((rule) => ({ ...rule, operations: ['UPDATE'] }));
  await configure(context, 'mutating', [{ over: { rules }, respond: replaces }]);
  for (const [what, change] of Object.entries(changesOf(endpointSlices, object))) {
    const answer = await change();
    expect(answer.status, `${what}: ${said(answer)}`).toBe(200);
    const stored = await endpointSlices.read(nameOf(object));
    expect(stored.ports, `as a webhook left them, ${what}`).toEqual([{ name: 'replaced', port: 81, protocol: 'TCP' }]);
    expect(stored, `what nobody knows, ${what}`).not.toHaveProperty('other');
  }
}
