import { createPrivateKey } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { nameOf, reception } from '../../../checks/access/callers.ts';
import { labNames } from '../../../lab/lab.ts';
import { defineRule } from '../../../rule.ts';
import { misnames } from '../../../sabotage/careless.ts';
import { answerStatus } from '../../../sabotage/transforms.ts';
import { Breach } from '../../../verbs/breach.ts';
import type { Json } from '../../../verbs/client.ts';
import type { RuleContext } from '../../../verbs/context.ts';
import { temporaryFolder } from '../../../verbs/temporary-folder.ts';

const needs = ['lab'] as const;
const nodes = { path: /^\/api\/v1\/nodes$/ };

/** How a server that does without no keys asks for them before it ends. */
const asksForKeys = /service-account-key-file\b.{0,40}\brequired\b/i;

async function account({ serviceAccounts }: RuleContext) {
  const { metadata } = await serviceAccounts.create();
  const { namespace, name, uid } = metadata;
  return { namespace, name, uid, username: `system:serviceaccount:${namespace}:${name}` };
}

/** The keys by which a server says that it verifies tokens. */
async function keysOf({ send }: RuleContext): Promise<readonly string[]> {
  const { body } = await send('GET', '/openid/v1/jwks');
  return (body?.keys ?? []).map(({ n, x }: Json) => n ?? x).sort();
}

/** Whether servers that are started without the flag have keys all the same, each the same ones: their command names some. */
async function haveKeys({ start }: RuleContext, started: RuleContext): Promise<boolean> {
  const keys = await keysOf(started);
  return keys.length > 0 && isDeepStrictEqual(keys, await keysOf(await start([])));
}

export default [
  // Given several times, each of the keys will do.
  defineRule('authn.service-account.key-file.repeatable', {
    needs,
    sabotage: [misnames(nodes), answerStatus(403, { ...nodes, instead: 401 })],
    async check(context) {
      const { withToken, lab, expect } = context;
      const robot = await account(context);
      for (const key of ['service-account', 'service-account-2', 'service-account-3'] as const) {
        expect(await nameOf(withToken(lab.serviceAccountToken(robot, {}, key))), key).toBe(robot.username);
      }
      expect(await reception(withToken(lab.serviceAccountToken(robot, {}, 'issuer'))), 'a key of no file').toBe(401);
    },
  }),

  // Not given, the key is that of `--tls-private-key-file`.
  defineRule('authn.service-account.key-file.default', {
    needs: ['lab', 'flags'],
    sabotage: [misnames(nodes), answerStatus(403, { ...nodes, instead: 401 })],
    async check(context) {
      const { lab, start, looser, skip, expect } = context;
      const file = (name: string) => join(lab.folder, name);
      const chain = join(temporaryFolder(context), 'chain.crt');
      writeFileSync(chain, ['service.crt', 'ca.crt'].map((name) => readFileSync(file(name), 'utf8')).join(''));
      const started = await start([
        `--tls-cert-file=${chain}`,
        `--tls-private-key-file=${file('service.key')}`,
        `--service-account-issuer=${labNames.issuer}`,
        `--service-account-signing-key-file=${file('service.key')}`,
      ]).catch((error: Error) => error);
      if (started instanceof Error) {
        if (!asksForKeys.test(started.message)) throw started;
        // Genuine servers want the flag beside one for signing, and that one in any case: the default is never seen.
        return looser(() => Promise.reject(new Breach('assertion', started.message)));
      }
      const robot = await account(started);
      const ours = createPrivateKey(lab.certificate('service').key);
      const { withToken } = started;
      const name = await nameOf(withToken(lab.serviceAccountToken(robot, {}, ours)));
      if (name !== robot.username && (await haveKeys(context, started)))
        skip('the command that starts servers names keys of its own');
      expect(name, 'the key of its certificate').toBe(robot.username);
      expect(await reception(withToken(lab.serviceAccountToken(robot))), 'another key').toBe(401);
    },
  }),
];
