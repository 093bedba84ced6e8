import { defineRule, type Rule } from '../rule.ts';
import { removeIn } from '../sabotage/transforms.ts';
import { said } from '../verbs/said.ts';
import { generalKinds } from '../verbs/subjects.ts';

const dry = { dryRun: 'All' };
/** What says no is kept as it was said. */
const owner = {
  ...{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: '5d0a1f9e-7d3c-4a52-9d0b-0c1d2e3f4a5b' },
  ...{ controller: false, blockOwnerDeletion: false },
};

/** `metadata` is on every object. */
export const metadataRule: Rule = defineRule('meta.metadata', {
  matrix: { kind: generalKinds },
  sabotage: [
    removeIn('metadata', { method: 'GET', path: /\/secrets\/[^/]+$/ }),
    removeIn('metadata.ownerReferences.*.blockOwnerDeletion', { method: 'POST', path: /\/leases$/ }),
  ],
  async check({ objects, expect }) {
    const { metadata } = await objects.create();
    const { body } = await objects.get(metadata.name);
    expect(body.metadata).toMatchObject({ name: metadata.name, uid: metadata.uid });
    // Only rehearsed: who collects what nobody owns would remove it.
    const tried = await objects.post(await objects.draft({ metadata: { ownerReferences: [owner] } }), dry);
    expect(tried.body?.metadata?.ownerReferences, `whose it is: ${said(tried)}`).toEqual([owner]);
  },
});
