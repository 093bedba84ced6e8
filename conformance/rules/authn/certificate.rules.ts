import { identify, nameOf } from '../../checks/access/callers.ts';
import type { ChainName } from '../../lab/chains.ts';
import { defineRule } from '../../rule.ts';
import { misnames } from '../../sabotage/careless.ts';
import { answerStatus, replaceIn } from '../../sabotage/transforms.ts';
import type { RuleContext } from '../../verbs/context.ts';

const needs = ['lab'] as const;
const nodes = { path: /^\/api\/v1\/nodes$/ };
const requests = { path: /\/certificatesigningrequests$/, query: { dryRun: true } };

/** Certificates of an authority that counts, which make nobody a user all the same. */
const unfit = {
  'no-client': 'of a server, and of no client',
  expired: 'that has run out',
  early: 'that is for later',
  nameless: 'that names nobody',
} as const;

const goodChains = ['none between', 'one between', 'one between that is for clients', 'two between'] as const;
const badChains = [
  'a client between',
  'one between that is for servers',
  'one between that is no authority',
  'one too many between',
  'one between that has run out',
  'one between that is not shown',
] as const;

/** An authority that counts may leave it to others to sign; what these may sign is for it to say, and no client may. */
async function followsChains({ withCertificate, lab, unique, expect }: RuleContext): Promise<void> {
  const seenBy = async (chain: ChainName, usage?: 'both'): Promise<string> => {
    const name = unique('chained');
    const seen = await nameOf(withCertificate(await lab.chainedCertificate(chain, name, usage)));
    return seen === name ? 'known' : seen;
  };
  for (const chain of goodChains) expect(await seenBy(chain), `with ${chain}`).toBe('known');
  expect(await seenBy('none between', 'both'), 'for clients and servers').toBe('known');
  for (const chain of badChains) expect(await seenBy(chain), `with ${chain}`).toBe('401');
}

/** A certificate counts until its end, also on a connection that was made before. */
async function runsOut({ withCertificate, lab, unique, waitUntil, expect }: RuleContext): Promise<void> {
  const name = unique('brief');
  const seconds = 4;
  const brief = withCertificate(await lab.briefCertificate(name, seconds));
  const asked = performance.now();
  const before = await nameOf(brief);
  // Where answers take long it may be over by then.
  if (performance.now() - asked < (1000 * seconds) / 2) expect(before, 'before its end').toBe(name);
  await waitUntil(
    'a certificate has run out',
    () => nameOf(brief),
    (seen) => seen === '401',
    { limit: 10_000, interval: 300 },
  );
}

export default [
  // `--client-ca-file` names the authorities whose client certificates count, any of them.
  defineRule('authn.certificate.flag', {
    needs,
    sabotage: [
      answerStatus(401, { ...nodes, instead: 403 }),
      misnames(nodes),
      answerStatus(403, { ...nodes, instead: 401 }),
    ],
    async check(context) {
      const { withCertificate, lab, expect } = context;
      expect(await nameOf(withCertificate(lab.certificate('alice'))), 'of the first authority').toBe('alice');
      expect(await nameOf(withCertificate(lab.certificate('dave'))), 'of the second authority').toBe('dave');
      for (const [name, what] of Object.entries(unfit))
        expect(await nameOf(withCertificate(lab.certificate(name as keyof typeof unfit))), what).toBe('401');
      await followsChains(context);
      await runsOut(context);
    },
  }),

  // A certificate of any other authority proves nothing.
  defineRule('authn.certificate.unknown-ca', {
    needs,
    sabotage: [answerStatus(403, { ...nodes, instead: 401 }), misnames(nodes)],
    async check({ withCertificate, lab, expect }) {
      expect(await nameOf(withCertificate(lab.certificate('alice'))), 'of an authority that is trusted').toBe('alice');
      expect(await nameOf(withCertificate(lab.certificate('stranger'))), 'of another authority').toBe('401');
    },
  }),

  // The common name of a certificate is the user.
  defineRule('authn.certificate.username', {
    needs,
    sabotage: replaceIn('spec.username', requests),
    async check(context) {
      const { username } = await identify(context, context.withCertificate(context.lab.certificate('alice')), 'alice');
      context.expect(username).toBe('alice');
    },
  }),

  // The organizations of a certificate are the groups.
  defineRule('authn.certificate.groups', {
    needs,
    sabotage: replaceIn('spec.groups', requests),
    async check(context) {
      const { groups } = await identify(context, context.withCertificate(context.lab.certificate('alice')), 'alice');
      context.expect([...groups].sort()).toEqual(['devs', 'ops', 'system:authenticated']);
    },
  }),
];
