import { defineRule } from '../../rule.ts';
import { pretendVersion } from '../../sabotage/discovery.ts';
import { isBuiltIn, servedVersions } from '../../verbs/discovery.ts';
import { alphaRule, alphaVersion } from '../alpha-rule.ts';

const alpha = /^v\d+alpha\d+$/;

export default [
  // A version still in alpha says `alpha` in its name.
  defineRule('versioning.alpha.name', {
    sabotage: pretendVersion('storage.k8s.io/alpha-2'),
    async check({ send, expect }) {
      const versions = (await servedVersions(send)).filter(isBuiltIn);
      expect(versions.length, 'served versions').toBeGreaterThan(1);
      for (const groupVersion of versions.filter((one) => /alpha/i.test(one)))
        expect(groupVersion.split('/')[1]).toMatch(alpha);
    },
  }),

  // Alpha versions are not served unless asked for.
  defineRule('versioning.alpha.off', {
    sabotage: pretendVersion('internal.apiserver.k8s.io/v1alpha1'),
    async check({ send, expect }) {
      const versions = (await servedVersions(send)).filter(isBuiltIn);
      expect(versions).toContain('apps/v1');
      expect(versions.filter((one) => one.includes('alpha'))).toEqual([]);
    },
  }),

  // The server's configuration can ask for an alpha version.
  alphaRule('versioning.alpha.enable', `${alphaVersion}=true`),
];
