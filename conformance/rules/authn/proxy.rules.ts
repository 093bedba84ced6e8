import { identify, nameOf, reception } from '../../checks/access/callers.ts';
import { labNames } from '../../lab/lab.ts';
import { defineRule } from '../../rule.ts';
import { misnames } from '../../sabotage/careless.ts';
import { answerStatus, replaceIn } from '../../sabotage/transforms.ts';

const needs = ['lab'] as const;
const nodes = { path: /^\/api\/v1\/nodes$/ };
const requests = { path: /\/certificatesigningrequests$/, query: { dryRun: true } };
const user = labNames.proxyUserHeader.toLowerCase();
const group = labNames.proxyGroupHeader.toLowerCase();
const team = labNames.proxyTeamHeader.toLowerCase();
const extra = labNames.proxyExtraPrefix.toLowerCase();

export default [
  // The proxy's header names may be in upper or lower case.
  defineRule('authn.proxy.headers-case-insensitive', {
    needs,
    sabotage: [answerStatus(401, { ...nodes, instead: 403 }), misnames(nodes)],
    async check({ withCertificate, lab, expect }) {
      const proxy = withCertificate(lab.certificate('proxy'));
      for (const header of [user, user.toUpperCase(), labNames.proxyUserHeader])
        expect(await nameOf(proxy, { [header]: 'fay' }), header).toBe('fay');
    },
  }),

  // `--requestheader-username-headers` lists where to find the user; the first that is there counts.
  defineRule('authn.proxy.username-headers', {
    needs,
    // Comes after the header that the lab names.
    flags: ['--requestheader-username-headers=X-Second-User'],
    sabotage: [answerStatus(401, { ...nodes, instead: 403 }), misnames(nodes)],
    async check({ withCertificate, lab, expect }) {
      const proxy = withCertificate(lab.certificate('proxy'));
      expect(await nameOf(proxy, { 'x-second-user': 'second', [user]: 'first' }), 'both headers').toBe('first');
      expect(await nameOf(proxy, { 'x-second-user': 'second' }), 'the second alone').toBe('second');
    },
  }),

  // `--requestheader-group-headers` lists where to find groups; all of them count.
  defineRule('authn.proxy.group-headers', {
    needs,
    sabotage: replaceIn('spec.groups', requests),
    async check(context) {
      const name = context.unique('fay');
      const proxy = context.withCertificate(context.lab.certificate('proxy'));
      const headers = { [user]: name, [group]: ['devs', 'ops', 'left, right'], [team]: 'night-shift' };
      const { groups } = await identify(context, proxy, name, headers);
      context.expect([...groups].sort()).toEqual(['devs', 'left, right', 'night-shift', 'ops', 'system:authenticated']);
      const known = { [user]: name, [group]: ['system:authenticated', 'devs'] };
      const again = await identify(context, proxy, name, known);
      context.expect([...again.groups].sort(), 'that it is known').toEqual(['devs', 'system:authenticated']);
    },
  }),

  // `--requestheader-extra-headers-prefix` marks headers with extra values, their keys decoded and in lower case.
  defineRule('authn.proxy.extra-prefix', {
    needs,
    sabotage: replaceIn('spec.extra', { ...requests, with: {} }),
    async check(context) {
      const name = context.unique('fay');
      const proxy = context.withCertificate(context.lab.certificate('proxy'));
      const headers = { [user]: name, [`${extra}colour`]: ['red', 'blue'], [`${extra}example.com%2fscope`]: 'one' };
      const identity = await identify(context, proxy, name, headers);
      context.expect(identity.extra).toEqual({ colour: ['red', 'blue'], 'example.com/scope': ['one'] });
      const spellings = { [user]: name, [`${extra}scopes`]: 'one', [`${extra}%73copes`]: 'two' };
      const spelt = await identify(context, proxy, name, spellings);
      context.expect([...(spelt.extra?.['scopes'] ?? [])].sort(), 'spelt in two ways').toEqual(['one', 'two']);
    },
  }),

  // `--requestheader-client-ca-file` vouches for the proxy; from anybody else the headers count for nothing.
  defineRule('authn.proxy.client-ca', {
    needs,
    sabotage: [answerStatus(401, { ...nodes, instead: 403 }), replaceIn('message', { ...nodes, with: 'User "fay"' })],
    async check({ withCertificate, lab, expect }) {
      expect(await nameOf(withCertificate(lab.certificate('proxy')), { [user]: 'fay' }), 'from the proxy').toBe('fay');
      expect(await nameOf(withCertificate(lab.certificate('alice')), { [user]: 'fay' }), 'from another client').toBe(
        'alice',
      );
    },
  }),

  // `--requestheader-allowed-names` limits which common names a proxy may have.
  defineRule('authn.proxy.allowed-names', {
    needs,
    sabotage: [answerStatus(403, { ...nodes, instead: 401 }), misnames(nodes)],
    async check({ withCertificate, lab, expect }) {
      expect(
        await nameOf(withCertificate(lab.certificate('proxy')), { [user]: 'fay' }),
        'a proxy of an allowed name',
      ).toBe('fay');
      expect(
        await reception(withCertificate(lab.certificate('other-proxy')), { [user]: 'fay' }),
        'a proxy of another name',
      ).toBe(401);
    },
  }),
];
