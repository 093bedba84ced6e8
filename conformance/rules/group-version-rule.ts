import { defineRule, type Rule } from '../rule.ts';
import { replaceIn } from '../sabotage/transforms.ts';
import type { Json } from '../verbs/client.ts';
import { apiVersionOf, groupPath, type KindName, kindPaths } from '../verbs/kinds.ts';

/** The kind is of its group and version, and namespaced or not. */
export const groupVersionRule = (chapter: string, kind: KindName): Rule => {
  const at = kindPaths[kind];
  const discovery = new RegExp(`^${groupPath(at).replaceAll('.', '\\.')}$`);
  return defineRule(`${chapter}.group-version`, {
    sabotage: [
      replaceIn('resources.*.namespaced', { path: discovery }),
      replaceIn('apiVersion', { method: 'GET', path: new RegExp(`/${at.resource}$`) }),
    ],
    async check(context) {
      const { send, expect } = context;
      const { body } = await send('GET', groupPath(at));
      const resource = body?.resources?.find((one: Json) => one.name === at.resource);
      expect(resource, `${at.resource} of ${apiVersionOf(at)}`).toMatchObject({
        kind: at.kind,
        namespaced: at.namespaced,
      });
      const list = await context[kind].getAll();
      expect(list.status).toBe(200);
      expect(list.body).toMatchObject({ kind: `${at.kind}List`, apiVersion: apiVersionOf(at) });
    },
  });
};
