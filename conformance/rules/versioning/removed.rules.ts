import { defineRule, type Rule } from '../../rule.ts';
import { pretendVersion } from '../../sabotage/discovery.ts';
import { answerWith, notFound, replaceIn } from '../../sabotage/transforms.ts';
import { servedResources, servedVersions } from '../../verbs/discovery.ts';

/** A kind is not served in these versions any more, though the server does serve others. */
const removed = (id: string, resource: string, groupVersions: readonly string[]): Rule =>
  defineRule(id, {
    sabotage: groupVersions.flatMap((groupVersion) => [
      pretendVersion(groupVersion),
      answerWith(200, { kind: 'List', items: [] }, { path: new RegExp(`^/apis/${groupVersion}/${resource}$`) }),
    ]),
    async check({ send, expect }) {
      expect((await send('GET', '/apis/apps/v1')).status, 'a version that is served').toBe(200);
      const versions = await servedVersions(send);
      for (const groupVersion of groupVersions) {
        const served = versions.includes(groupVersion) ? await servedResources(send, groupVersion) : [];
        if (versions.includes(groupVersion)) expect(served.length, `resources of ${groupVersion}`).toBeGreaterThan(0);
        expect(
          served.map(({ name }) => name),
          groupVersion,
        ).not.toContain(resource);
        expect((await send('GET', `/apis/${groupVersion}/${resource}`)).status, groupVersion).toBe(404);
      }
    },
  });

export default [
  // StatefulSet is gone from `apps/v1beta1` and `apps/v1beta2`.
  removed('versioning.removed.statefulset', 'statefulsets', ['apps/v1beta1', 'apps/v1beta2']),
  // ReplicaSet is gone from `extensions/v1beta1`, `apps/v1beta1` and `apps/v1beta2`.
  removed('versioning.removed.replicaset', 'replicasets', ['extensions/v1beta1', 'apps/v1beta1', 'apps/v1beta2']),
  // PodSecurityPolicy is gone from `extensions/v1beta1`.
  removed('versioning.removed.psp-extensions', 'podsecuritypolicies', ['extensions/v1beta1']),
  // PodSecurityPolicy is gone from `policy/v1beta1` too.
  removed('versioning.removed.psp-policy', 'podsecuritypolicies', ['policy/v1beta1']),

  // StatefulSet and ReplicaSet are found in `apps/v1`.
  defineRule('versioning.removed.apps-v1', {
    sabotage: [
      notFound({ path: /^\/apis\/apps\/v1\/namespaces\/[^/]+\/(statefulsets|replicasets)$/ }),
      replaceIn('apiVersion', { method: 'POST', path: /\/replicasets$/, with: 'extensions/v1beta1' }),
    ],
    async check({ statefulSets, replicaSets, expect }) {
      for (const kind of [statefulSets, replicaSets]) {
        const { status, body } = await kind.post(kind.sample());
        expect(status, kind.at.kind).toBe(201);
        expect(body).toMatchObject({ kind: kind.at.kind, apiVersion: 'apps/v1' });
      }
    },
  }),
];
