import { base64, certificatePem } from '../../../fixtures/certificates.ts';
import { allowEverywhere } from '../../checks/access/permissions.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { changesRefused } from '../../sabotage/careless.ts';
import { answerStatus, loseWrite, replaceIn, requestHeader } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { timeOf } from '../../verbs/moment.ts';
import { said } from '../../verbs/said.ts';
import { approvedRequest, condition, issue, writeConditions } from '../../verbs/signing-requests.ts';

const writes = { method: ['PUT', 'PATCH'], path: /\/(approval|status)$/ };
const reads = { method: 'GET', path: /\/certificatesigningrequests\/[^/]+$/ };
const group = 'certificates.k8s.io';
const types = (object: Json): string[] => (object.status?.conditions ?? []).map((one: Json) => one.type);

/** A condition is added by PUT and by PATCH on a subresource. */
const transition = (id: string, type: string, sub: 'approval' | 'status', approvedFirst: boolean): Rule =>
  defineRule(`csr.state.${id}`, {
    sabotage: [
      loseWrite({ ...writes, method: 'PUT' }),
      loseWrite({ ...writes, method: 'PATCH', body: new RegExp(type) }),
    ],
    async check({ signingRequests, expect }) {
      for (const by of ['PUT', 'PATCH']) {
        const object = approvedFirst ? await approvedRequest(signingRequests) : await signingRequests.create();
        const { name } = object.metadata;
        const conditions = [...(object.status?.conditions ?? []), condition(type)];
        const next = { ...object, status: { ...object.status, conditions } };
        const answer =
          by === 'PUT'
            ? await signingRequests.put(next, '', { sub })
            : await writeConditions(signingRequests, name, conditions, sub);
        expect(answer.status, by).toBe(200);
        expect((await signingRequests.read(name)).status.conditions ?? [], by).toEqual(
          expect.arrayContaining([expect.objectContaining({ type, status: 'True' })]),
        );
      }
    },
  });

/** What else is said of a request comes and goes as whoever says it likes, while it stays approved. */
async function othersGo({ signingRequests, expect }: RuleContext): Promise<void> {
  const { metadata } = await signingRequests.create();
  for (const sub of ['approval', 'status'] as const) {
    for (const told of [['Approved', 'Checked'], ['Approved']]) {
      const conditions = told.map((type) => condition(type));
      const answer = await writeConditions(signingRequests, metadata.name, conditions, sub);
      expect(answer.status, `${told.join(' and ')} by /${sub}: ${said(answer)}`).toBe(200);
      expect(types(await signingRequests.read(metadata.name)), `as stored by /${sub}`).toEqual(told);
    }
  }
}

/** To approve for all signers of a domain at once, and to sign for one of another. */
const rightsOfMaster = (other: string) => [
  {
    ...{ apiGroups: [group], verbs: ['update', 'patch'] },
    resources: ['approval', 'status'].map((sub) => `certificatesigningrequests/${sub}`),
  },
  { apiGroups: [group], resources: ['signers'], resourceNames: ['example.com/*'], verbs: ['approve'] },
  { apiGroups: [group], resources: ['signers'], resourceNames: [other], verbs: ['sign'] },
];

/** A request, and what is said of it by who approves it, at that time. */
interface Approvable {
  readonly metadata: Json;
  readonly signerName: string;
  readonly approved: Json;
  readonly times: Json;
}

const approve = (theirs: Collection, { metadata, approved }: Approvable) =>
  writeConditions(theirs, metadata.name, [approved], 'approval');

/** Waits until rights are in effect by which somebody may approve a request. */
const untilApproved = ({ waitUntil }: RuleContext, theirs: Collection, request: Approvable): Promise<unknown> =>
  waitUntil(
    'the right to approve is in effect',
    async () => (await approve(theirs, request)).status,
    (status) => status === 200,
  );

/** A right to approve for one domain and to sign for another is good for nothing else. */
async function signsForDomain(context: RuleContext, request: Approvable): Promise<void> {
  const { signingRequests, as, unique, expect } = context;
  const { metadata, signerName, approved, times } = request;
  const master = unique('master');
  const theirs = as({ name: master }).signingRequests;
  await allowEverywhere(context, master, rightsOfMaster(`other.${signerName}`));
  await untilApproved(context, theirs, request);
  const other = await signingRequests.create({ spec: { signerName: `other.${signerName}` } });
  const refused = await writeConditions(theirs, other.metadata.name, [condition('Approved')], 'approval');
  expect(refused.status, 'for another domain, of which one may sign alone').toBe(403);
  for (const [{ name }, status, what] of [
    [metadata, 403, 'of whose signer one may approve alone'],
    [other.metadata, 200, 'of whose signer one may sign'],
  ] as const) {
    const failed = [...(name === metadata.name ? [approved] : []), condition('Failed', times)];
    expect((await issue(theirs, name, certificatePem)).status, `a certificate, ${what}`).toBe(status);
    expect((await writeConditions(theirs, name, failed, 'status')).status, `Failed, ${what}`).toBe(status);
  }
}

export default [
  transition('approve', 'Approved', 'approval', false),
  transition('deny', 'Denied', 'approval', false),
  transition('fail', 'Failed', 'status', true),

  // How far a request has come is seen from its conditions and its certificate.
  defineRule('csr.state.carried-by', {
    sabotage: [loseWrite(writes), replaceIn('status', { ...reads, with: {} })],
    async check({ signingRequests, expect }) {
      const { metadata } = await signingRequests.create();
      const read = async () => (await signingRequests.read(metadata.name)).status ?? {};
      expect(await read(), 'of a new request').not.toHaveProperty('certificate');
      await writeConditions(signingRequests, metadata.name, [condition('Approved')], 'approval');
      expect((await read()).conditions, 'of an approved request').toMatchObject([{ type: 'Approved', status: 'True' }]);
      await issue(signingRequests, metadata.name, certificatePem);
      expect((await read()).certificate, 'of an issued request').toBe(base64(certificatePem));
    },
  }),

  // Writing the certificate to `/status` issues an approved request.
  defineRule('csr.state.issue', {
    sabotage: [loseWrite({ ...writes, method: 'PUT' }), loseWrite({ ...writes, method: 'PATCH', path: /\/status$/ })],
    async check({ signingRequests, expect }) {
      for (const by of ['PUT', 'PATCH']) {
        const object = await approvedRequest(signingRequests);
        const { name } = object.metadata;
        const certificate = base64(certificatePem);
        const next = { ...object, status: { ...object.status, certificate } };
        const answer =
          by === 'PUT'
            ? await signingRequests.put(next, '', { sub: 'status' })
            : await issue(signingRequests, name, certificatePem);
        expect(answer.status, by).toBe(200);
        expect((await signingRequests.read(name)).status.certificate, by).toBe(certificate);
      }
    },
  }),

  // What has failed gets no certificate.
  defineRule('csr.state.fail.no-certificate', {
    sabotage: loseWrite({ ...writes, path: /\/status$/ }),
    async check({ signingRequests, looser, expect }) {
      const { metadata, status } = await approvedRequest(signingRequests);
      await writeConditions(signingRequests, metadata.name, [...status.conditions, condition('Failed')], 'status');
      const failed = await signingRequests.read(metadata.name);
      expect(types(failed)).toContain('Failed');
      expect(failed.status.certificate ?? '', 'of a failed request').toBe('');
      await issue(signingRequests, metadata.name, certificatePem);
      const after = (await signingRequests.read(metadata.name)).status.certificate ?? '';
      await looser(() => expect(after, 'written after the failure').toBe(''));
    },
  }),

  // Nothing is approved and denied at once.
  defineRule('csr.state.approved-denied-exclusive', {
    sabotage: [answerStatus(200, { ...writes, instead: [400, 422] }), changesRefused(writes)],
    async check({ signingRequests, expect }) {
      for (const [first, second] of [
        ['Approved', 'Denied'],
        ['Denied', 'Approved'],
      ] as const) {
        const { metadata } = await signingRequests.create();
        expect(
          (await writeConditions(signingRequests, metadata.name, [condition(first)], 'approval')).status,
          first,
        ).toBe(200);
        const { status } = await writeConditions(
          signingRequests,
          metadata.name,
          [condition(first), condition(second)],
          'approval',
        );
        expect([400, 422], `${second} beside ${first}`).toContain(status);
        expect(types(await signingRequests.read(metadata.name)), 'as stored').toEqual([first]);
      }
    },
  }),

  // None of the three conditions goes away again.
  defineRule('csr.state.conditions-stay', {
    sabotage: [
      answerStatus(200, { ...writes, instead: [400, 422] }),
      answerStatus(422, { ...writes, body: /"Approved"(?!.*"Checked")/, instead: 200 }),
      replaceIn('status.conditions', { ...reads, with: [] }),
    ],
    async check(context) {
      const { signingRequests, expect } = context;
      for (const type of ['Approved', 'Denied', 'Failed']) {
        const { metadata } = await signingRequests.create();
        await writeConditions(signingRequests, metadata.name, [condition(type)], 'approval');
        for (const sub of ['approval', 'status'] as const) {
          expect([400, 422], `${type} removed by /${sub}`).toContain(
            (await writeConditions(signingRequests, metadata.name, [], sub)).status,
          );
        }
        expect(types(await signingRequests.read(metadata.name))).toEqual([type]);
      }
      await othersGo(context);
    },
  }),

  // Approving and denying take permission.
  defineRule('csr.state.approve-deny.authorized', {
    needs: ['second-user', 'rights'],
    sabotage: requestHeader('impersonate-user', undefined, writes),
    async check(context) {
      const { signingRequests, as, unique, expect } = context;
      const [nobody, approver] = [unique('nobody'), unique('approver')];
      const signerName = `example.com/${unique('signer')}`;
      const { metadata } = await signingRequests.create({ spec: { signerName } });
      // Of now, as requests that were approved long ago are cleared away, and the same each time.
      const times = { lastUpdateTime: timeOf(), lastTransitionTime: timeOf() };
      const request = { metadata, signerName, approved: condition('Approved', times), times };
      const refused = await approve(as({ name: nobody }).signingRequests, request);
      expect(refused.status, 'without a right').toBe(403);
      await allowEverywhere(context, approver, [
        { apiGroups: [group], resources: ['certificatesigningrequests/approval'], verbs: ['update', 'patch'] },
        { apiGroups: [group], resources: ['signers'], resourceNames: [signerName], verbs: ['approve'] },
      ]);
      await untilApproved(context, as({ name: approver }).signingRequests, request);
      await signsForDomain(context, request);
    },
  }),
];
