import { base64 } from '../../fixtures/certificates.ts';
import { keepsOwnMounts, keepsToList, mountsTokens, pullsAsAccount } from '../checks/access/account-settings.ts';
import { goesBeyondLimits } from '../checks/life/going-objects.ts';
import { admitsApplied } from '../checks/pods/applied-pods.ts';
import { bearsForAWhile } from '../checks/pods/borne-taints.ts';
import { growsWithinLimits, staysAsLarge } from '../checks/pods/grown-claims.ts';
import { boundedRanges, bounds, fillsFromRange } from '../checks/pods/limited-objects.ts';
import { keepsLevel, podLevels } from '../checks/pods/pod-levels.ts';
import { keepsStandards } from '../checks/pods/pod-standards.ts';
import { readsSecurityLabels } from '../checks/pods/security-labels.ts';
import { makeSigningRequest } from '../lab/signing-request.ts';
import { defineRule } from '../rule.ts';
import { storesRefused } from '../sabotage/careless.ts';
import { answerHeader, answerStatus, removeIn, replaceIn } from '../sabotage/transforms.ts';
import type { Json } from '../verbs/client.ts';
import type { RuleContext } from '../verbs/context.ts';
import { preparePods } from '../verbs/pods.ts';
import { said } from '../verbs/said.ts';

const posts = { method: 'POST', path: /\/pods$/ };

const applicants = {
  'O=devs, CN=jane': 201,
  'O=system:masters, CN=jane': 403,
  'O=devs, O=system:masters, CN=jane': 403,
};

/** CertificateSubjectRestriction: nobody asks for a certificate that would make him almighty, whatever else it says. */
async function asksForNoMasters({ signingRequests, expect }: RuleContext): Promise<void> {
  for (const [subject, code] of Object.entries(applicants)) {
    const request = base64((await makeSigningRequest(subject)).pem);
    const spec = { request, signerName: 'kubernetes.io/kube-apiserver-client' };
    const { status } = await signingRequests.post(signingRequests.sample({ spec }), { dryRun: 'All' });
    expect(status, `a request for ${subject}`).toBe(code);
  }
}

export default [
  // A pod that names no service account is given one.
  defineRule('admission.service-account', {
    needs: ['pods'],
    sabotage: [
      replaceIn('spec.serviceAccountName', { ...posts, with: '' }),
      removeIn('spec.volumes.*.projected.defaultMode', posts),
    ],
    async check(context) {
      const { pods, expect } = context;
      await preparePods(context);
      const answer = await pods.post(pods.sample({ spec: { serviceAccountName: undefined } }));
      expect(answer.status, said(answer)).toBe(201);
      expect(answer.body.spec.serviceAccountName).toBe('default');
      await mountsTokens(context);
      await keepsOwnMounts(context);
      await keepsToList(context);
      await pullsAsAccount(context);
    },
  }),

  // A new node is tainted as not ready, with effect NoSchedule.
  defineRule('admission.taint-nodes', {
    sabotage: removeIn('spec.taints', { method: 'POST', path: /\/nodes$/ }),
    async check({ nodes, expect }) {
      const own = { key: 'example.com/own', effect: 'NoSchedule' };
      const going = { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' };
      for (const taints of [undefined, [own], [going]]) {
        const { status, body } = await nodes.post(nodes.sample({ spec: { taints } }));
        expect(status).toBe(201);
        const expected = [...(taints ?? []), { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }];
        expect(body.spec?.taints ?? [], `beside ${JSON.stringify(taints)}`).toEqual(
          expect.arrayContaining(expected.map((taint) => expect.objectContaining(taint))),
        );
      }
    },
  }),

  // The controllers that are recommended are on without being named.
  defineRule('admission.default-enabled', {
    needs: ['pods'],
    matrix: {
      by: [
        'several',
        ...boundedRanges,
        { name: 'LimitRanger, of what is going', check: goesBeyondLimits },
        { name: 'LimitRanger, of claims that grow', check: growsWithinLimits },
        { name: 'PodSecurity', holds: { from: 23 }, check: keepsStandards },
        { name: 'PodSecurity, by labels', holds: { from: 25 }, check: readsSecurityLabels },
        ...podLevels.map((level) => ({
          ...{ name: `PodSecurity, ${level.level}`, holds: { from: 23 } },
          check: (context: RuleContext) => keepsLevel(context, level),
        })),
      ],
    },
    sabotage: [
      removeIn('spec.priority', posts),
      answerStatus(201, { ...posts, instead: 403 }),
      answerStatus(201, { method: 'POST', path: /\/certificatesigningrequests$/, instead: 403 }),
      answerStatus(201, { method: 'POST', path: /\/persistentvolumeclaims$/, body: /512Mi/, instead: 403 }),
      answerStatus(403, { method: ['PUT', 'PATCH'], path: /\/persistentvolumeclaims\// }),
      answerHeader('warning', undefined, { method: 'POST', path: /\/cronjobs$/ }),
    ],
    async check(context, { by }) {
      const { pods, serviceAccounts, unique, send, expect } = context;
      await preparePods(context);
      if (typeof by !== 'string') return 'check' in by ? by.check(context) : bounds(context, by);
      const { body: classes } = await send('GET', '/apis/scheduling.k8s.io/v1/priorityclasses');
      // Somebody's class may be the default of the cluster.
      const byDefault = classes.items.find(({ globalDefault }: Json) => globalDefault)?.value ?? 0;
      const { body } = await pods.post(pods.sample());
      expect(body.spec?.priority, 'Priority').toBe(byDefault);
      await bearsForAWhile(context);
      const account = unique('none');
      expect((await serviceAccounts.get(account)).status).toBe(404);
      expect((await pods.post(pods.sample({ spec: { serviceAccountName: account } }))).status, 'ServiceAccount').toBe(
        403,
      );
      await asksForNoMasters(context);
      await fillsFromRange(context);
      await admitsApplied(context);
      await staysAsLarge(context);
    },
  }),

  // SecurityContextDeny refuses pods that raise themselves by certain fields.
  defineRule('admission.security-context-deny', {
    flags: ['--enable-admission-plugins=SecurityContextDeny'],
    sabotage: [answerStatus(201, { ...posts, instead: 403 }), storesRefused({ path: /\/pods(\/[^/]+)?$/ })],
    async check(context) {
      const { pods, expect } = context;
      await preparePods(context);
      expect((await pods.post(pods.sample())).status, 'without a security context').toBe(201);
      const parts = {
        runAsUser: { runAsUser: 1000 },
        fsGroup: { fsGroup: 1000 },
        seLinuxOptions: { seLinuxOptions: { level: 's0' } },
      };
      for (const [what, securityContext] of Object.entries(parts)) {
        const sample = pods.sample({ spec: { securityContext } });
        expect((await pods.post(sample)).status, what).toBe(403);
        expect((await pods.get(sample.metadata.name)).status, `${what}, as stored`).toBe(404);
      }
    },
  }),
];
