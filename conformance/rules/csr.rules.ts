import { base64, signingRequestPem } from '../../fixtures/certificates.ts';
import { defineRule } from '../rule.ts';
import { changeAnswer, removeIn } from '../sabotage/transforms.ts';
import { groupVersionRule } from './group-version-rule.ts';

const paths = { path: /\/certificatesigningrequests(\/[^/]+)?$/ };

export default [
  groupVersionRule('csr', 'signingRequests'),

  // A new request is neither approved nor issued; both come later.
  defineRule('csr.asynchronous', {
    sabotage: changeAnswer(
      'approves at once',
      (body) => ({ ...body, status: { conditions: [{ type: 'Approved', status: 'True' }] } }),
      paths,
    ),
    async check({ signingRequests, expect }) {
      const { metadata } = await signingRequests.create();
      const { status, body } = await signingRequests.get(metadata.name);
      expect(status).toBe(200);
      expect(body.status?.conditions ?? [], 'conditions').toEqual([]);
      expect(body.status?.certificate ?? '', 'certificate').toBe('');
    },
  }),

  // A request consists of apiVersion, kind, metadata, spec and status.
  defineRule('csr.top-level', {
    sabotage: ['apiVersion', 'kind', 'spec', 'status'].map((member) => removeIn(member, { ...paths, method: 'GET' })),
    async check({ signingRequests, expect }) {
      const { metadata } = await signingRequests.create();
      const { body } = await signingRequests.get(metadata.name);
      expect(body).toMatchObject({ apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest' });
      expect(body.metadata).toMatchObject({ name: metadata.name, uid: metadata.uid });
      expect(body.spec).toMatchObject({ request: base64(signingRequestPem) });
      expect(body.status).toBeTypeOf('object');
    },
  }),
];
