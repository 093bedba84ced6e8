import { type BootstrapToken, bootstrapToken } from '../../checks/access/bootstrap-tokens.ts';
import { identify, nameOf, reception } from '../../checks/access/callers.ts';
import { whoAmI } from '../../checks/access/identity.ts';
import { defineRule } from '../../rule.ts';
import { misnames, showsGone } from '../../sabotage/careless.ts';
import { answerStatus, changeRequest, replaceIn } from '../../sabotage/transforms.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { nowOn, timeOf } from '../../verbs/moment.ts';

const needs = ['lab'] as const;
const upper = 'ABCDEFGHIJKLMNOP';
const nodes = { path: /^\/api\/v1\/nodes$/ };
const stored = { method: 'GET', path: /\/secrets\/bootstrap-token-[^/]+$/ };
const requests = { path: /\/certificatesigningrequests$/, query: { dryRun: true } };

/** The time in so many seconds, as clocks have it that are so many hours ahead of Greenwich. @param now milliseconds since the epoch */
function timeIn(seconds: number, zone = 0, now = Date.now()): string {
  const there = timeOf(now + seconds * 1000 + zone * 3_600_000);
  return zone === 0 ? there : there.replace('Z', `${zone < 0 ? '-' : '+'}0${Math.abs(zone)}:00`);
}

/** No token lasts longer than another. */
const expiringAll = changeRequest(
  'takes every token for one that has run out',
  (secret) => ({ ...secret, stringData: { ...secret.stringData, expiration: '2024-05-06T07:08:09Z' } }),
  { method: 'POST', path: /\/namespaces\/kube-system\/secrets$/ },
);

async function refusesElsewhere(context: RuleContext): Promise<void> {
  const { token: misplaced } = await bootstrapToken(context, {}, { metadata: { name: context.unique('token') } });
  context.expect(await reception(context.withToken(misplaced)), 'of a Secret of another name').toBe(401);
  for (const place of [await context.namespace(), 'default', 'kube-public']) {
    const { token } = await bootstrapToken(context, {}, {}, place);
    context.expect(await reception(context.withToken(token)), `of a Secret in ${place}`).toBe(401);
  }
}

/** What a Secret says that holds no token, by what is wrong with it. */
const noTokens: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'an end that is no time': { expiration: 'never' },
  'an end that is a day': { expiration: timeIn(86_400).slice(0, 10) },
  'an end without a zone': { expiration: timeIn(86_400).replace('Z', '') },
  'another id': { 'token-id': 'abcdef' },
  'no id': { 'token-id': '' },
  'no secret': { 'token-secret': '' },
  ...Object.fromEntries(
    ['', 'false', 'True', '1'].map((use) => [
      `the use ${JSON.stringify(use)}`,
      { 'usage-bootstrap-authentication': use },
    ]),
  ),
};

async function refusesOthers(context: RuleContext): Promise<void> {
  for (const [what, data] of Object.entries(noTokens)) {
    const { token } = await bootstrapToken(context, data);
    context.expect(await reception(context.withToken(token)), `of a Secret with ${what}`).toBe(401);
  }
}

/** The text with another letter in one place. */
const otherAt = (text: string, place: number): string =>
  `${text.slice(0, place)}${text[place] === 'a' ? 'b' : 'a'}${text.slice(place + 1)}`;

/** Whoever knows a secret but for a letter, or that of another token, does not know it. */
async function refusesOtherSecrets(context: RuleContext, { id, secret }: BootstrapToken): Promise<void> {
  const theirs = await knownToken(context);
  const others = { 'another token': theirs.secret, 'its own id': `${id}0123456789` };
  const near = [0, 8, 15].map((place) => [`another letter ${place}`, otherAt(secret, place)] as const);
  for (const [what, other] of [...Object.entries(others), ...near])
    context.expect(await reception(context.withToken(`${id}.${other}`)), `a secret of ${what}`).toBe(401);
}

/** A token by which one comes. */
async function knownToken(context: RuleContext): Promise<BootstrapToken> {
  const made = await bootstrapToken(context);
  await context.waitUntil(
    'a token counts by its Secret',
    () => nameOf(context.withToken(made.token)),
    (name) => name === `system:bootstrap:${made.id}`,
  );
  return made;
}

/** A token goes with its Secret, already when that is going, and with what that is for. */
async function endsByItsSecret(context: RuleContext, token: string): Promise<void> {
  const { secrets, withToken, waitUntil, later } = context;
  const [second, third] = [await knownToken(context), await knownToken(context)];
  const system = secrets.in('kube-system');
  await system.delete(`bootstrap-token-${token.split('.')[0]}`);
  const held = `bootstrap-token-${third.id}`;
  await system.merge(held, { metadata: { finalizers: ['example.com/one'] } });
  later(() => system.patch(held, { metadata: { finalizers: null } }));
  await system.delete(held);
  const revoked = { stringData: { 'usage-bootstrap-authentication': 'false' } };
  await system.merge(`bootstrap-token-${second.id}`, revoked);
  const ends = { 'its Secret': token, 'what that is for': second.token, 'a Secret that is going': third.token };
  for (const [what, gone] of Object.entries(ends))
    await waitUntil(
      `a token goes with ${what}`,
      () => reception(withToken(gone)),
      (status) => status === 401,
      // Servers may remember a token that they have accepted for some seconds.
      { limit: 20_000, interval: 500 },
    );
}

/** Who comes by a token is in the groups that its Secret names by now. */
async function followsItsSecret(context: RuleContext, { id, token }: Omit<BootstrapToken, 'secret'>): Promise<void> {
  const { secrets, withToken, waitUntil } = context;
  const stringData = { 'auth-extra-groups': 'system:bootstrappers:three' };
  await secrets.in('kube-system').merge(`bootstrap-token-${id}`, { stringData });
  await waitUntil(
    'the groups of a token change with its Secret',
    async () => (await whoAmI(withToken(token))).groups,
    (groups) => groups.includes('system:bootstrappers:three') && !groups.includes('system:bootstrappers:one'),
    // Servers may remember a token that they have accepted for some seconds.
    { limit: 20_000, interval: 500 },
  );
}

export default [
  // A bootstrap token has six characters, a dot and sixteen characters, of lower-case letters and digits.
  defineRule('authn.bootstrap.format', {
    needs,
    sabotage: [answerStatus(403, { ...nodes, instead: 401 }), misnames(nodes)],
    async check(context) {
      const { withToken, waitUntil, expect } = context;
      const { id, secret, token } = await bootstrapToken(context);
      // Servers may hear of a new token a little later.
      await waitUntil(
        'id, dot and secret count',
        () => nameOf(withToken(token)),
        (name) => name === `system:bootstrap:${id}`,
      );
      for (const other of [
        `${id}${secret}`,
        `${id}:${secret}`,
        `${id}.${secret}0`,
        `${id}.${secret.toUpperCase()}x`,
        ...[`${id.toUpperCase()}.${secret}`, `${id}.${secret.toUpperCase()}`].filter((large) => large !== token),
        id,
      ]) {
        expect(await reception(withToken(other)), other.replace(secret, 'SECRET')).toBe(401);
      }
      for (const [what, odd] of Object.entries({
        longer: `${secret}0`,
        shorter: secret.slice(1),
        'upper case': upper,
      })) {
        const { id: other } = await bootstrapToken(context, { 'token-secret': odd });
        expect(await reception(withToken(`${other}.${odd}`)), `a secret of another form, ${what}`).toBe(401);
      }
    },
  }),

  // Bootstrap tokens are kept as Secrets of their own type in `kube-system`.
  defineRule('authn.bootstrap.secrets', {
    needs,
    sabotage: [answerStatus(403, { ...nodes, instead: 401 }), misnames(nodes)],
    async check(context) {
      const { withToken, expect } = context;
      const known = await knownToken(context);
      await refusesOtherSecrets(context, known);
      const other = await bootstrapToken(context, {}, { type: 'Opaque' });
      expect(await reception(withToken(other.token)), 'of a Secret of another type').toBe(401);
      const late = await bootstrapToken(context, { expiration: timeIn(-60, 5) });
      expect(await reception(withToken(late.token)), 'of a Secret that has run out').toBe(401);
      await refusesElsewhere(context);
      await refusesOthers(context);
      await endsByItsSecret(context, known.token);
    },
  }),

  // Without `--enable-bootstrap-token-auth` they are worth nothing.
  defineRule('authn.bootstrap.flag', {
    needs,
    flags: ['--enable-bootstrap-token-auth=false'],
    sabotage: [answerStatus(403, { ...nodes, instead: 401 }), misnames(nodes)],
    async check(context) {
      const { withToken, lab, expect } = context;
      const { token } = await bootstrapToken(context);
      expect(await nameOf(withToken(lab.token('bob'))), 'another kind of token').toBe('bob');
      expect(await reception(withToken(token))).toBe(401);
    },
  }),

  // Who comes by one is `system:bootstrap:` and the token's id.
  defineRule('authn.bootstrap.username', {
    needs,
    sabotage: replaceIn('spec.username', requests),
    async check(context) {
      const { id, token } = await bootstrapToken(context, { expiration: timeIn(3600, -5) });
      const name = `system:bootstrap:${id}`;
      context.expect((await identify(context, context.withToken(token), name)).username).toBe(name);
    },
  }),

  // Who comes by one is in `system:bootstrappers`.
  defineRule('authn.bootstrap.group', {
    needs,
    sabotage: [replaceIn('spec.groups', requests), answerStatus(403, { ...nodes, instead: 401 })],
    async check(context) {
      const more = ['system:bootstrappers:one', 'system:bootstrappers:two'];
      const data = { 'auth-extra-groups': more.join(), expiration: timeIn(3600, 5) };
      const { id, token } = await bootstrapToken(context, data);
      const { groups } = await identify(context, context.withToken(token), `system:bootstrap:${id}`);
      for (const group of ['system:bootstrappers', 'system:authenticated', ...more])
        context.expect(groups).toContain(group);
      for (const other of ['system:masters', 'devs', 'system:bootstrappers:', `${more[0]},system:nodes`]) {
        const { token: bold } = await bootstrapToken(context, { 'auth-extra-groups': other });
        context.expect(await reception(context.withToken(bold)), `in the group ${other}`).toBe(401);
      }
      await followsItsSecret(context, { id, token });
    },
  }),

  // The controller `tokencleaner` takes expired ones away.
  defineRule('authn.bootstrap.cleaner', {
    needs: ['token-cleaner'],
    sabotage: [
      answerStatus(200, { ...stored, instead: 404 }),
      answerStatus(404, stored),
      showsGone(stored),
      expiringAll,
    ],
    async check(context) {
      const { secrets, send, waitUntil, patience, expect } = context;
      const now = await nowOn(send);
      const expiring = (seconds: number, zone?: number) =>
        bootstrapToken(context, { expiration: timeIn(seconds, zone, now) });
      const lasting = [await expiring(3600), await expiring(3600, -5)];
      // What is only called like one is none.
      lasting.push(await bootstrapToken(context, { expiration: timeIn(-3600) }, { type: 'Opaque' }));
      const place = await context.namespace();
      const elsewhere = await bootstrapToken(context, { expiration: timeIn(-3600) }, {}, place);
      const look = async ({ id }: BootstrapToken) =>
        (await secrets.in('kube-system').get(`bootstrap-token-${id}`)).status;
      // Its end may be told later.
      const later = await bootstrapToken(context);
      const end = { stringData: { expiration: timeIn(1, 0, now) } };
      const ended = await secrets.in('kube-system').patch(`bootstrap-token-${later.id}`, end);
      expect(ended.status, 'one that never runs out is told its end').toBe(200);
      for (const short of [await expiring(1), await expiring(1, 5), later])
        await waitUntil(
          'the token that has run out is gone',
          () => look(short),
          (status) => status === 404,
          { limit: patience * 2 },
        );
      for (const token of lasting) expect(await look(token), 'one that has not run out, or is none').toBe(200);
      const stray = await secrets.in(place).get(`bootstrap-token-${elsewhere.id}`);
      expect(stray.status, 'what would be one in another namespace').toBe(200);
    },
  }),
];
