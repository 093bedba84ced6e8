import { defineRule, type Rule } from '../rule.ts';
import { notFound } from '../sabotage/transforms.ts';
import { servedVersions } from '../verbs/discovery.ts';

/** An alpha version that genuine servers have. A server without any breaks no rule. */
export const alphaVersion = 'internal.apiserver.k8s.io/v1alpha1';

/** The alpha version is served once a key of --runtime-config asks for it. */
export const alphaRule = (id: string, key: string): Rule =>
  defineRule(id, {
    flags: [`--runtime-config=${key}`],
    sabotage: notFound({ path: /^\/apis\/internal\.apiserver\.k8s\.io\/v1alpha1/ }),
    async check({ send, skip, expect }) {
      if (!(await servedVersions(send)).includes(alphaVersion)) skip(`the server has no ${alphaVersion} to turn on`);
      expect((await send('GET', `/apis/${alphaVersion}`)).status).toBe(200);
    },
  });
