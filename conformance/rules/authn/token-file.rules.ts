import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { identify, nameOf } from '../../checks/access/callers.ts';
import { defineRule } from '../../rule.ts';
import { misnames } from '../../sabotage/careless.ts';
import { answerStatus, replaceIn } from '../../sabotage/transforms.ts';
import { temporaryFolder } from '../../verbs/temporary-folder.ts';

const needs = ['lab'] as const;
const nodes = { path: /^\/api\/v1\/nodes$/ };
const requests = { path: /\/certificatesigningrequests$/, query: { dryRun: true } };

export default [
  // `--token-auth-file` names a CSV file with tokens.
  defineRule('authn.token-file.flag', {
    needs,
    sabotage: [misnames(nodes), answerStatus(403, { ...nodes, instead: 401 })],
    async check({ withToken, lab, expect }) {
      expect(await nameOf(withToken(lab.token('bob'))), 'a token of the file').toBe('bob');
      expect(await nameOf(withToken(`${lab.token('bob')}x`)), 'another token').toBe('401');
    },
  }),

  // Token, user and uid are the first columns, and the least a line can have.
  defineRule('authn.token-file.columns', {
    needs,
    sabotage: [replaceIn('spec.username', requests), replaceIn('spec.uid', requests)],
    async check(context) {
      const identity = await identify(context, context.withToken(context.lab.token('bob')), 'bob');
      context.expect(identity).toMatchObject({ username: 'bob', uid: 'bob-uid' });
      context.expect(identity.groups, 'of a line with three columns').toEqual(['system:authenticated']);
    },
  }),

  // The column after those holds the groups, in quotes when there are several.
  defineRule('authn.token-file.groups', {
    needs,
    sabotage: replaceIn('spec.groups', requests),
    async check(context) {
      const { groups } = await identify(context, context.withToken(context.lab.token('carol')), 'carol');
      context.expect([...groups].sort()).toEqual(['devs', 'ops', 'system:authenticated']);
    },
  }),

  // The file is read at the start only.
  defineRule('authn.token-file.restart', {
    needs: ['lab', 'flags'],
    sabotage: [answerStatus(403, { ...nodes, instead: 401 }), misnames(nodes)],
    async check(context) {
      const { lab, start, unique, expect } = context;
      const file = join(temporaryFolder(context), 'tokens.csv');
      const [first, second] = [unique('token'), unique('token')];
      const line = (token: string, user: string) => `${token},${user},${user}-uid\n`;
      writeFileSync(file, line(first, 'early'));
      const flags = [...lab.flags, `--token-auth-file=${file}`];
      const running = await start(flags);
      expect(await nameOf(running.withToken(first)), 'a token that was there at the start').toBe('early');
      appendFileSync(file, line(second, 'late'));
      // A server that looked at its file now and then would have done so by then.
      await setTimeout(2_000);
      expect(await nameOf(running.withToken(second)), 'a token that was added since').toBe('401');
      const restarted = await start([...flags, '--v=0']);
      expect(await nameOf(restarted.withToken(second)), 'that token after a restart').toBe('late');
    },
  }),

  // A token from the file is good forever.
  defineRule('authn.token-file.no-expiry', {
    needs,
    sabotage: [answerStatus(401, { ...nodes, from: 2, instead: 403 }), misnames({ ...nodes, from: 2 })],
    async check({ withToken, lab, expect }) {
      const bob = withToken(lab.token('bob'));
      expect(await nameOf(bob), 'at first').toBe('bob');
      // Forever cannot be waited for; tokens that a server hands out for a moment would be gone by then.
      await setTimeout(4_000);
      expect(await nameOf(bob), 'later').toBe('bob');
    },
  }),
];
