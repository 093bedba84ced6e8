import { defineRule } from '../../../rule.ts';
import { changesRefused } from '../../../sabotage/careless.ts';
import { answerStatus, replaceIn } from '../../../sabotage/transforms.ts';
import type { Json } from '../../../verbs/client.ts';
import { approvedRequest, condition, writeConditions } from '../../../verbs/signing-requests.ts';

const patches = { method: 'PATCH', path: /\/(approval|status)$/ };
const reads = { method: 'GET', path: /\/certificatesigningrequests\/[^/]+$/ };

export default [
  // No type of condition is there twice.
  defineRule('csr.status.conditions.one-per-type', {
    sabotage: [answerStatus(200, { ...patches, instead: [400, 422] }), changesRefused(patches)],
    async check({ signingRequests, expect }) {
      const { metadata } = await approvedRequest(signingRequests);
      for (const sub of ['approval', 'status'] as const)
        for (const [type, ...more] of [['Approved'], ['Checked', 'Approved'], ['Failed', 'Approved']] as const) {
          const conditions = [...more, type, type].map((one, at) => condition(one, { message: `${at}` }));
          const { status } = await writeConditions(signingRequests, metadata.name, conditions, sub);
          expect([400, 422], `${type} twice, by /${sub}`).toContain(status);
        }
      expect((await signingRequests.read(metadata.name)).status.conditions).toHaveLength(1);
    },
  }),

  // Conditions are merged by their type.
  defineRule('csr.status.conditions.merge', {
    sabotage: replaceIn('status.conditions', reads),
    async check({ signingRequests, expect }) {
      const { metadata } = await signingRequests.create();
      const apply = (type: string, manager: string) =>
        signingRequests.patch(
          metadata.name,
          {
            apiVersion: 'certificates.k8s.io/v1',
            kind: 'CertificateSigningRequest',
            metadata: { name: metadata.name },
            status: { conditions: [condition(type)] },
          },
          { type: 'apply', sub: 'approval', query: { fieldManager: manager } },
        );
      expect((await apply('Approved', 'first')).status).toBe(200);
      expect((await apply('Checked', 'second')).status).toBe(200);
      const { conditions } = (await signingRequests.read(metadata.name)).status;
      expect((conditions ?? []).map((one: Json) => one.type).sort()).toEqual(['Approved', 'Checked']);
    },
  }),
];
