import { defineRule } from '../../rule.ts';
import { answerStatus, replaceIn } from '../../sabotage/transforms.ts';
import { identify, nameOf } from '../../verbs/callers.ts';

const needs = ['lab'] as const;
const nodes = { path: /^\/api\/v1\/nodes$/ };
const requests = { path: /\/certificatesigningrequests$/, query: { dryRun: true } };

export default [
  defineRule('authn.token-file.flag', {
    needs,
    sabotage: [answerStatus(401, { ...nodes, instead: 403 }), answerStatus(403, { ...nodes, instead: 401 })],
    async check({ withToken, lab, expect }) {
      expect(await nameOf(withToken(lab.token('bob'))), 'a token of the file').toBe('bob');
      expect(await nameOf(withToken(`${lab.token('bob')}x`)), 'another token').toBe('401');
    },
  }),

  defineRule('authn.token-file.columns', {
    needs,
    sabotage: [replaceIn('spec.username', requests), replaceIn('spec.uid', requests)],
    async check(context) {
      const identity = await identify(context, context.withToken(context.lab.token('bob')), 'bob');
      context.expect(identity).toMatchObject({ username: 'bob', uid: 'bob-uid' });
      context.expect(identity.groups, 'of a line with three columns').toEqual(['system:authenticated']);
    },
  }),

  defineRule('authn.token-file.groups', {
    needs,
    sabotage: replaceIn('spec.groups', requests),
    async check(context) {
      const { groups } = await identify(context, context.withToken(context.lab.token('carol')), 'carol');
      context.expect([...groups].sort()).toEqual(['devs', 'ops', 'system:authenticated']);
    },
  }),
];
