import { base64, certificatePem } from '../../../fixtures/certificates.ts';
import { defineRule } from '../../rule.ts';
import { answerStatus, loseWrite } from '../../sabotage/transforms.ts';
import { endpointRules } from '../endpoint-rules.ts';

const condition = (type: string) => ({ type, status: 'True', reason: 'Judged', message: 'judged' });

const status = { conditions: [{ type: 'Failed', status: 'True', reason: 'Tried', message: 'tried' }] };

export default [
  ...endpointRules({ chapter: 'csr', kind: 'signingRequests', subresources: ['approval', 'status'], status }),

  // Approved and Denied are added and changed by `/approval`.
  defineRule('csr.endpoint.approval-scope', {
    sabotage: [loseWrite({ method: 'PUT', path: /\/approval$/ }), loseWrite({ method: 'PATCH', path: /\/approval$/ })],
    async check({ signingRequests, expect }) {
      for (const type of ['Approved', 'Denied']) {
        const object = await signingRequests.create();
        const { name } = object.metadata;
        await signingRequests.put({ ...object, status: { conditions: [condition(type)] } }, '', { sub: 'approval' });
        const added = (await signingRequests.read(name)).status.conditions ?? [];
        expect(added, 'added').toMatchObject([{ type, status: 'True', reason: 'Judged' }]);
        const changed = [{ ...added[0], message: 'judged again' }];
        await signingRequests.patch(name, { status: { conditions: changed } }, { sub: 'approval' });
        expect((await signingRequests.read(name)).status.conditions, 'changed').toMatchObject([
          { type, message: 'judged again' },
        ]);
        const whole = await signingRequests.read(name);
        const beyond = { spec: { ...whole.spec, username: 'somebody' }, metadata: { ...whole.metadata } };
        const status = { ...whole.status, certificate: base64(certificatePem) };
        await signingRequests.put({ ...whole, ...beyond, status }, '', { sub: 'approval' });
        const { spec, status: kept } = await signingRequests.read(name);
        expect(kept.certificate ?? '', 'a certificate by /approval').toBe('');
        expect(spec, 'the spec by /approval').toEqual(whole.spec);
      }
    },
  }),

  // Certificate and Failed are set by `/status`, Approved and Denied are not.
  defineRule('csr.endpoint.status-scope', {
    sabotage: [
      loseWrite({ method: 'PUT', path: /\/status$/ }),
      answerStatus(200, { method: 'PATCH', path: /\/status$/, instead: 422 }),
    ],
    async check({ signingRequests, expect }) {
      const object = await signingRequests.create();
      const { name } = object.metadata;
      const refused = await signingRequests.patch(
        name,
        { status: { conditions: [condition('Approved')] } },
        { sub: 'status' },
      );
      expect(refused.status, 'Approved by /status').toBe(422);
      const approved = await signingRequests.merge(
        name,
        { status: { conditions: [condition('Approved')] } },
        'approval',
      );
      const next = { ...approved, status: { ...approved.status, certificate: base64(certificatePem) } };
      await signingRequests.put(next, '', { sub: 'status' });
      expect((await signingRequests.read(name)).status.certificate, 'the certificate').toBe(base64(certificatePem));
      const failing = await signingRequests.create();
      await signingRequests.put({ ...failing, status: { conditions: [condition('Failed')] } }, '', { sub: 'status' });
      expect((await signingRequests.read(failing.metadata.name)).status.conditions, 'Failed').toMatchObject([
        { type: 'Failed' },
      ]);
    },
  }),
];
