import { base64, certificatePem } from '../../../fixtures/certificates.ts';
import { defineRule } from '../../rule.ts';
import { answerStatus, loseWrite, redirectPath } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { condition } from '../../verbs/signing-requests.ts';
import { endpointRules } from '../endpoint-rules.ts';

const status = { conditions: [{ type: 'Failed', status: 'True', reason: 'Tried', message: 'tried' }] };

/** What is said by `/status` of a decision leaves it as it is, and it cannot be left out. */
async function keepsDecision({ signingRequests, expect }: RuleContext, type: string): Promise<void> {
  const otherwise = condition(type, { reason: 'Other', message: 'told otherwise' });
  for (const by of ['PUT', 'PATCH']) {
    const { metadata } = await signingRequests.create();
    const decided = await signingRequests.merge(
      metadata.name,
      { status: { conditions: [condition(type)] } },
      'approval',
    );
    const write = (conditions: readonly Json[]) =>
      by === 'PUT'
        ? signingRequests.put({ ...decided, status: { ...decided.status, conditions } }, '', { sub: 'status' })
        : signingRequests.patch(metadata.name, { status: { conditions } }, { sub: 'status' });
    expect((await write([condition('Failed')])).status, `Failed instead of ${type}, by ${by}`).toBe(422);
    expect((await write([otherwise, condition('Failed')])).status, `Failed beside ${type}, by ${by}`).toBe(200);
    const { conditions } = (await signingRequests.read(metadata.name)).status;
    expect(conditions, `as stored by ${by}`).toMatchObject([condition(type), { type: 'Failed' }]);
  }
}

/** What the request itself is told of its status decides nothing. */
async function keepsUndecided({ signingRequests, expect }: RuleContext): Promise<void> {
  const object = await signingRequests.create();
  const { name } = object.metadata;
  const decided = { certificate: base64(certificatePem), conditions: [condition('Approved')] };
  const ways = {
    'an update': () => signingRequests.put({ ...object, status: decided }),
    'a merge patch': () => signingRequests.patch(name, { status: decided }),
    'a JSON patch': () =>
      signingRequests.patch(name, [{ op: 'add', path: '/status', value: decided }], { type: 'json' }),
    'an apply': () => signingRequests.tryApply(name, { metadata: { name }, status: decided }, 'applier'),
  };
  for (const [way, send] of Object.entries(ways)) {
    await send();
    const { conditions = [], certificate = '' } = (await signingRequests.read(name)).status;
    expect({ conditions, certificate }, `after ${way} of the request itself`).toEqual({
      conditions: [],
      certificate: '',
    });
  }
}

export default [
  ...endpointRules({ chapter: 'csr', kind: 'signingRequests', subresources: ['approval', 'status'], status }),

  // Approved and Denied are added and changed by `/approval`.
  defineRule('csr.endpoint.approval-scope', {
    sabotage: [
      loseWrite({ method: 'PUT', path: /\/approval$/ }),
      loseWrite({ method: 'PATCH', path: /\/approval$/ }),
      redirectPath(/(\/certificatesigningrequests\/[^/]+)$/, '$1/approval', { method: 'PUT' }),
    ],
    async check(context) {
      const { signingRequests, expect } = context;
      await keepsUndecided(context);
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
    async check(context) {
      const { signingRequests, expect } = context;
      const object = await signingRequests.create();
      const { name } = object.metadata;
      for (const type of ['Approved', 'Denied']) {
        const body = { status: { conditions: [condition(type)] } };
        const refused = await signingRequests.patch(name, body, { sub: 'status' });
        expect(refused.status, `${type} by /status`).toBe(422);
      }
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
      for (const type of ['Approved', 'Denied']) await keepsDecision(context, type);
    },
  }),
];
