import { serviceAccountToken } from '../../checks/access/identity.ts';
import { defineRule } from '../../rule.ts';
import { answerStatus, requestHeader } from '../../sabotage/transforms.ts';

/** Of somebody in many groups a token is as long. */
const longer = 'x'.repeat(9 * 1024);
const named = { path: /^\/api$/ };

export default [
  // A bearer token comes as `Authorization: Bearer <token>`.
  defineRule('authn.bearer.header', {
    sabotage: [
      answerStatus(401, { ...named, instead: 200 }),
      answerStatus(200, { ...named, instead: 401 }),
      answerStatus(431, { header: { authorization: /.{8192}/ }, instead: 401 }),
      requestHeader('authorization', undefined, named),
    ],
    async check(context) {
      const { send, expect } = context;
      const { token } = await serviceAccountToken(context);
      const status = async (authorization: string) =>
        (await send('GET', '/api', { credentials: false, headers: { authorization } })).status;
      expect(await status(`Bearer ${token}`), 'a valid token').toBe(200);
      expect(await status(`Bearer ${token}x`), 'another token').toBe(401);
      expect(await status(`Bearer ${token}${longer}`), 'a token of nine kilobytes').toBe(401);
    },
  }),
];
