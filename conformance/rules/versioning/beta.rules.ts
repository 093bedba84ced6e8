import { showsAlike } from '../../checks/kinds/several-versions.ts';
import { defineRule } from '../../rule.ts';
import { pretendVersion } from '../../sabotage/discovery.ts';
import { notFound, redirectPath, removeIn } from '../../sabotage/transforms.ts';
import { isBuiltIn, servedVersions } from '../../verbs/discovery.ts';

/** Beta versions of 1.25 that came before 1.22; younger ones are nevertheless on in genuine servers of some versions. */
const old = ['autoscaling/v2beta2', 'flowcontrol.apiserver.k8s.io/v1beta1', 'storage.k8s.io/v1beta1'];
const young = ['flowcontrol.apiserver.k8s.io/v1beta2', 'flowcontrol.apiserver.k8s.io/v1beta3'];

export default [
  // A version in beta says `beta` in its name.
  defineRule('versioning.beta.name', {
    sabotage: pretendVersion('storage.k8s.io/v1-beta'),
    async check({ send, expect }) {
      const versions = (await servedVersions(send)).filter(isBuiltIn);
      expect(versions.length, 'served versions').toBeGreaterThan(1);
      for (const groupVersion of versions.filter((one) => /beta/i.test(one)))
        expect(groupVersion.split('/')[1]).toMatch(/^v\d+beta\d+$/);
    },
  }),

  // Beta versions that came in 1.22 or later are not served unless asked for.
  defineRule('versioning.beta.off', {
    sabotage: pretendVersion('batch/v2beta1'),
    async check({ send, looser, expect }) {
      const versions = (await servedVersions(send)).filter(isBuiltIn);
      expect(versions).toContain('apps/v1');
      const betas = versions.filter((one) => one.includes('beta') && !old.includes(one));
      expect(betas.filter((one) => !young.includes(one))).toEqual([]);
      await looser(() => expect(betas).toEqual([]));
    },
  }),

  // Beta versions from before 1.22 are served.
  defineRule('versioning.beta.old-on', {
    sabotage: [
      notFound({ path: /^\/apis\/flowcontrol\.apiserver\.k8s\.io\/v1beta1$/ }),
      redirectPath(/v1beta1$/, 'v1beta2', { path: /^\/apis\/flowcontrol\.apiserver\.k8s\.io\/v1beta1$/ }),
      removeIn('metadata.annotations', { method: 'GET', path: /^\/apis\/autoscaling\/v1\/.*\/[^/]+$/ }),
      removeIn('spec.behavior', { method: 'GET', path: /^\/apis\/autoscaling\/v2beta2\/.*\/[^/]+$/ }),
    ],
    async check(context) {
      const { send, expect } = context;
      const versions = await servedVersions(send);
      for (const groupVersion of old) {
        expect(versions).toContain(groupVersion);
        const { status, body } = await send('GET', `/apis/${groupVersion}`);
        expect(status, groupVersion).toBe(200);
        expect(body.groupVersion).toBe(groupVersion);
      }
      await showsAlike(context);
    },
  }),
];
