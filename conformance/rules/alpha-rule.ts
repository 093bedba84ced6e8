import { defineRule, type Rule } from '../rule.ts';
import { notFound, replaceIn } from '../sabotage/transforms.ts';
import type { Json } from '../verbs/client.ts';
import { servedVersions } from '../verbs/discovery.ts';

/** An alpha version that genuine servers have. A server without any breaks no rule. */
export const alphaVersion = 'internal.apiserver.k8s.io/v1alpha1';

const nameIn = ({ name }: Json): string => name;

/** The alpha version is served once a key of --runtime-config asks for it. */
export const alphaRule = (id: string, key: string): Rule =>
  defineRule(id, {
    flags: [`--runtime-config=${key}`],
    sabotage: [
      notFound({ path: /^\/apis\/internal\.apiserver\.k8s\.io\/v1alpha1/ }),
      notFound({ path: /^\/apis\/internal\.apiserver\.k8s\.io\/v1alpha1\/.+/ }),
      replaceIn('groupVersion', { path: /^\/apis\/internal\.apiserver\.k8s\.io\/v1alpha1$/ }),
    ],
    async check({ send, skip, expect }) {
      if (!(await servedVersions(send)).includes(alphaVersion)) skip(`the server has no ${alphaVersion} to turn on`);
      const { status, body } = await send('GET', `/apis/${alphaVersion}`);
      expect(status).toBe(200);
      expect(body.groupVersion).toBe(alphaVersion);
      const listed = body.resources.filter(({ verbs }: Json) => verbs.includes('list')).map(nameIn);
      expect(listed.length, 'what can be listed').toBeGreaterThan(0);
      for (const resource of listed)
        expect((await send('GET', `/apis/${alphaVersion}/${resource}`)).status, resource).toBe(200);
    },
  });
