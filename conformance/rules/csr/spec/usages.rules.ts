import { defineRule } from '../../../rule.ts';
import { answerStatus, removeIn } from '../../../sabotage/transforms.ts';
import { validityRule } from '../../field-rules.ts';

const kind = 'signingRequests';
const usages = (...values: string[]) => ({ spec: { usages: values } });
const known = [
  [
    'any',
    'cert sign',
    'client auth',
    'code signing',
    'content commitment',
    'crl sign',
    'data encipherment',
    'decipher only',
  ],
  [
    'digital signature',
    'email protection',
    'encipher only',
    'ipsec end system',
    'ipsec tunnel',
    'ipsec user',
    'key agreement',
    'key encipherment',
  ],
  ['microsoft sgc', 'netscape sgc', 'ocsp signing', 's/mime', 'server auth', 'signing', 'timestamping'],
].flat();

export default [
  // Usages are a list that need not be there.
  defineRule('csr.spec.usages.optional', {
    sabotage: [
      answerStatus(500, { method: 'POST', path: /\/certificatesigningrequests$/ }),
      removeIn('spec.usages', { method: 'GET', path: /\/certificatesigningrequests\/[^/]+$/ }),
    ],
    async check({ signingRequests, looser, expect }) {
      const made = await signingRequests.post(signingRequests.sample(usages('client auth')));
      expect(made.status, 'with a usage').toBe(201);
      const { spec } = await signingRequests.read(made.body.metadata.name);
      expect(spec.usages, 'the usage, as stored').toEqual(['client auth']);
      const { status } = await signingRequests.post(signingRequests.sample({ spec: { usages: undefined } }));
      await looser(() => expect(status, 'without usages').toBe(201));
    },
  }),

  // All 23 usages of the list are taken.
  validityRule({
    id: 'csr.spec.usages.values',
    kind,
    accepted: Object.fromEntries(known.map((usage) => [usage, usages(usage)])),
  }),

  // A usage that is not in the list is refused.
  validityRule({
    id: 'csr.spec.usages.other',
    kind,
    accepted: { 'a known usage': usages('client auth') },
    refused: {
      'another word': usages('world domination'),
      'upper case': usages('Client Auth'),
      'one among known ones': usages('client auth', 'other'),
    },
  }),
];
