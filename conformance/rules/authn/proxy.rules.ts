import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { identify, nameOf, reception } from '../../checks/access/callers.ts';
import { labNames } from '../../lab/lab.ts';
import { defineRule } from '../../rule.ts';
import { misnames } from '../../sabotage/careless.ts';
import { answerStatus, replaceIn } from '../../sabotage/transforms.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';

const needs = ['lab'] as const;
const nodes = { path: /^\/api\/v1\/nodes$/ };
const requests = { path: /\/certificatesigningrequests$/, query: { dryRun: true } };
const user = labNames.proxyUserHeader.toLowerCase();
const group = labNames.proxyGroupHeader.toLowerCase();
const team = labNames.proxyTeamHeader.toLowerCase();
const extra = labNames.proxyExtraPrefix.toLowerCase();

/** Where servers behind this one look for whom it trusts, and by which words. */
const published = 'extension-apiserver-authentication';

/** What is told there of the proxy, as lists. */
const told = {
  'requestheader-allowed-names': ['lab-proxy'],
  'requestheader-username-headers': [labNames.proxyUserHeader],
  'requestheader-group-headers': [labNames.proxyGroupHeader, labNames.proxyTeamHeader],
  'requestheader-extra-headers-prefix': [labNames.proxyExtraPrefix],
} as const;

const bare = (text: string): string => text.replaceAll(/\s/g, '');

/** Servers behind this one are told of the same authorities, names and headers; of several servers each adds its own. */
async function tellsOthers({ configMaps, lab, waitUntil }: RuleContext): Promise<void> {
  const authorities = Object.entries({ client: 'client-ca.crt', 'requestheader-client': 'proxy-ca.crt' });
  const blocks = authorities.flatMap(([whose, file]) =>
    (readFileSync(join(lab.folder, file), 'utf8').match(/-----BEGIN[^-]+-----[^-]+/g) ?? []).map(
      (block) => [`${whose}-ca-file`, bare(block)] as const,
    ),
  );
  const values = Object.entries(told).flatMap(([key, all]) => all.map((value) => [key, value] as const));
  const missing = (data: Json): string[] => [
    ...blocks.filter(([key, block]) => !bare(data?.[key] ?? '').includes(block)).map(([key]) => key),
    ...values.filter(([key, value]) => !JSON.parse(data?.[key] ?? '[]').includes(value)).map(([key]) => key),
  ];
  await waitUntil(
    'other servers are told of all of it; missing is',
    async () => missing((await configMaps.in('kube-system').get(published)).body?.data),
    (keys) => keys.length === 0,
  );
}

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
    sabotage: [
      answerStatus(401, { ...nodes, instead: 403 }),
      replaceIn('message', { ...nodes, with: 'User "fay"' }),
      replaceIn('data', { method: 'GET', path: /\/configmaps\/extension-apiserver-authentication$/, with: {} }),
    ],
    async check(context) {
      const { withCertificate, lab, expect } = context;
      expect(await nameOf(withCertificate(lab.certificate('proxy')), { [user]: 'fay' }), 'from the proxy').toBe('fay');
      expect(await nameOf(withCertificate(lab.certificate('alice')), { [user]: 'fay' }), 'from another client').toBe(
        'alice',
      );
      await tellsOthers(context);
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
