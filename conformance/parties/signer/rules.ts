import type { X509Certificate } from 'node:crypto';
import { publicKeyOf } from '../../verbs/signers.ts';
import { documented, implied, type PartyRule } from '../party.ts';
import type { Asked, SignerContext, Wish } from './context.ts';

/** When it may sign. */
const decisions: readonly PartyRule<SignerContext>[] = [
  // What is approved may be issued.
  documented('csr.state.approve.then-issue', {
    fault: 'idle',
    async check(context) {
      const { asked, leaf } = await signed(context);
      context.expect(publicKeyOf(leaf), 'the key of the certificate').toBe(asked.publicKey);
    },
  }),
  // A certificate comes only after approval.
  documented('csr.status.certificate.after-approved', {
    fault: 'needs-no-approval',
    async check(context) {
      const asked = await context.ask();
      await context.later();
      const { status } = await context.read(asked);
      const types = (status?.conditions ?? []).map(({ type }: { readonly type: string }) => type);
      // Somebody else may approve what the judge does not.
      if (!types.includes('Approved')) expectNone(context, status, 'a request that nobody has approved');
    },
  }),
  // What is denied is never issued.
  documented('csr.state.deny.not-issued', { fault: 'signs-denied', check: (context) => staysEmpty(context, 'Denied') }),
  // What has failed gets no certificate.
  documented('csr.state.fail.no-certificate', {
    fault: 'signs-failed',
    check: (context) => staysEmpty(context, 'Failed', 'Approved'),
  }),
  implied(
    'signer.own-requests-only',
    { statement: 'A signer leaves alone what is addressed to another one.', from: ['csr.spec.signer-name.required'] },
    {
      fault: ['signs-for-others', 'signs-for-namesakes'],
      async check(context) {
        const namesake = `${context.candidate.signerName}-${context.unique('other')}`;
        for (const signerName of [`example.com/${context.unique('nobody')}`, namesake]) {
          const asked = await context.ask({ signerName });
          await context.decide(asked, 'Approved');
          await context.later();
          const { status } = await context.read(asked);
          expectNone(context, status, `a request to ${signerName}`);
          const types = (status?.conditions ?? []).map(({ type }: { readonly type: string }) => type);
          context.expect(types, `conditions of a request to ${signerName}`).toEqual(['Approved']);
        }
      },
    },
  ),
  implied(
    'signer.each-its-own',
    { statement: 'Of many requests at once each gets the certificate for its own key.', from: ['csr.state.issue'] },
    {
      fault: ['mixes-up', 'own-key'],
      async check(context) {
        const all = await Promise.all(Array.from({ length: 10 }, () => context.ask()));
        await Promise.all(all.map((asked) => context.decide(asked, 'Approved')));
        for (const asked of all) {
          const [leaf] = await context.issued(asked);
          context.expect(leaf && publicKeyOf(leaf), `the key of ${asked.name}`).toBe(asked.publicKey);
        }
      },
    },
  ),
];

/** What it may put into a certificate. */
const contents: readonly PartyRule<SignerContext>[] = [
  // The certificate itself comes first, intermediate ones after it.
  documented('csr.status.certificate.first-block', {
    fault: ['authority-first', 'leaf-twice'],
    async check(context) {
      const { asked, leaf, more } = await signed(context);
      context.expect(publicKeyOf(leaf), 'the key of the first block').toBe(asked.publicKey);
      for (const certificate of more)
        context.expect(certificate.ca, `${certificate.subject} is the certificate of an authority`).toBe(true);
    },
  }),
  implied(
    'signer.subject',
    { statement: 'The certificate is for the subject that was asked for.', from: ['csr.custom-signer.defines'] },
    {
      fault: 'other-subject',
      async check(context) {
        const { asked, leaf } = await signed(context);
        const parts = (text: string, between: string | RegExp): readonly string[] => text.split(between).toSorted();
        context.expect(parts(leaf.subject, '\n'), 'subject').toEqual(parts(asked.subject, /\s*,\s*/));
      },
    },
  ),
  implied(
    'signer.names',
    { statement: 'The certificate has no names that were not asked for.', from: ['csr.custom-signer.defines'] },
    {
      fault: 'adds-names',
      async check(context) {
        const { asked, leaf } = await signed(context);
        const wanted = context.expect.arrayContaining([...namesIn(leaf)]);
        context.expect([...asked.hosts], 'names that were asked for').toEqual(wanted);
        context.expect(publicKeyOf(leaf), 'the key of the certificate').toBe(asked.publicKey);
      },
    },
  ),
  implied(
    'signer.names.kept',
    {
      statement: 'The names that were asked for are in the certificate.',
      level: 'should',
      from: ['csr.custom-signer.defines'],
    },
    {
      fault: 'drops-names',
      async check(context) {
        const { asked, leaf } = await signed(context);
        if (asked.hosts.length === 0) context.skip('no names are asked for; --host gives some');
        context
          .expect(namesIn(leaf), 'names in the certificate')
          .toEqual(context.expect.arrayContaining([...asked.hosts]));
      },
    },
  ),
  implied(
    'signer.usages',
    { statement: 'The certificate is for no purpose that was not asked for.', from: ['csr.spec.usages.values'] },
    {
      // A certificate that names no purpose is for all of them.
      fault: ['adds-usages', 'no-usages'],
      async check(context) {
        const { asked, leaf } = await signed(context);
        const wanted = context.candidate.form.usages.flatMap((usage) => purposes[usage] ?? []);
        if (wanted.length > 0) context.expect(leaf.keyUsage ?? [], 'purposes that it names').not.toEqual([]);
        context
          .expect(wanted, 'purposes that were asked for')
          .toEqual(context.expect.arrayContaining(leaf.keyUsage ?? []));
        context.expect(publicKeyOf(leaf), 'the key of the certificate').toBe(asked.publicKey);
      },
    },
  ),
  implied(
    'signer.valid-now',
    { statement: 'The certificate is valid as soon as it is there.', from: ['csr.state.issue'] },
    {
      fault: 'not-yet',
      async check(context) {
        const { asked, leaf } = await signed(context);
        context.expect(publicKeyOf(leaf), 'the key of the certificate').toBe(asked.publicKey);
        context.expect(Date.parse(leaf.validFrom), 'notBefore').toBeLessThanOrEqual(Date.now() + clockSkew);
        context.expect(Date.parse(leaf.validTo), 'notAfter').toBeGreaterThan(Date.now());
      },
    },
  ),
  implied(
    'signer.expiration',
    {
      statement: 'The certificate lasts no longer than was asked for.',
      level: 'should',
      from: ['csr.spec.expiration-seconds.optional', 'csr.spec.expiration-seconds.may-differ'],
    },
    {
      fault: 'ignores-expiration',
      async check(context) {
        const { leaf } = await signed(context, { expirationSeconds: shortTime });
        const end = (Date.parse(leaf.validTo) - Date.now()) / 1_000;
        context.expect(end, 'seconds until the certificate ends').toBeLessThanOrEqual(shortTime + clockSkew / 1_000);
      },
    },
  ),
  implied(
    'signer.serials',
    { statement: 'No two certificates have the same serial number.', from: ['csr.custom-signer.defines'] },
    {
      fault: 'one-serial',
      async check(context) {
        const serials = new Set<string>();
        for (let nth = 0; nth < 3; nth += 1) serials.add((await signed(context)).leaf.serialNumber);
        context.expect(serials.size, 'serial numbers of three certificates').toBe(3);
      },
    },
  ),
  implied(
    'signer.no-authorities',
    {
      statement: 'Who asks for the certificate of an authority gets none, unless the signer says that it gives such.',
      from: ['csr.custom-signer.defines'],
    },
    {
      fault: 'makes-authorities',
      async check(context) {
        const asked = await context.ask({ authority: true });
        await context.decide(asked, 'Approved');
        await context.later();
        const { status } = await context.read(asked);
        if (!status?.certificate) return;
        const [leaf] = await context.issued(asked);
        context.expect(leaf?.ca, `the certificate of ${asked.name} is that of an authority`).toBe(false);
      },
    },
  ),
];

/** In the order of reports. */
export const signerRules = [...decisions, ...contents];

/** Milliseconds by which clocks may differ. */
const clockSkew = 60_000;

/** Seconds; shorter than what signers give to who asks for nothing, and the least that may be asked for. */
const shortTime = 600;

const namesIn = ({ subjectAltName = '' }: X509Certificate): readonly string[] =>
  subjectAltName.split(', ').flatMap((one) => /^[^:]+:(.+)$/.exec(one)?.[1] ?? []);

const purposes: Readonly<Record<string, string>> = {
  'server auth': '1.3.6.1.5.5.7.3.1',
  'client auth': '1.3.6.1.5.5.7.3.2',
  'code signing': '1.3.6.1.5.5.7.3.3',
  'email protection': '1.3.6.1.5.5.7.3.4',
  's/mime': '1.3.6.1.5.5.7.3.4',
  timestamping: '1.3.6.1.5.5.7.3.8',
  'ocsp signing': '1.3.6.1.5.5.7.3.9',
  any: '2.5.29.37.0',
};

interface Signed {
  readonly asked: Asked;
  readonly leaf: X509Certificate;
  /** The blocks after the first. */
  readonly more: readonly X509Certificate[];
}

async function signed(context: SignerContext, wish: Wish = {}): Promise<Signed> {
  const asked = await context.ask(wish);
  await context.decide(asked, 'Approved');
  const [leaf, ...more] = (await context.issued(asked)) as [X509Certificate, ...X509Certificate[]];
  return { asked, leaf, more };
}

/** What has these conditions gets no certificate, also when the signer has had the time. */
async function staysEmpty(context: SignerContext, ...types: readonly Parameters<SignerContext['decide']>[1][]) {
  const asked = await context.ask();
  for (const type of types) await context.decide(asked, type);
  await context.later();
  expectNone(context, (await context.read(asked)).status, `a request that is ${types.join(' and ')}`);
}

const expectNone = (
  { expect }: SignerContext,
  status: { readonly certificate?: string } | undefined,
  what: string,
): void => expect(status?.certificate ?? '', `the certificate of ${what}`).toBe('');
