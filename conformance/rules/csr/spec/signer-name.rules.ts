import { validityRule } from '../../field-rules.ts';

const kind = 'signingRequests';
const signer = (signerName: unknown) => ({ spec: { signerName } });

export default [
  // `spec.signerName` has to be there.
  validityRule({
    id: 'csr.spec.signer-name.required',
    kind,
    accepted: { given: {} },
    refused: { 'left out': signer(undefined), empty: signer('') },
  }),

  // A signer's name is a domain and a path.
  validityRule({
    id: 'csr.spec.signer-name.qualified',
    kind,
    accepted: {
      'domain and path': signer('signers.example.com/front'),
      'a path of several parts': signer('example.com/front.of-house.1'),
    },
    refused: {
      'no path': signer('example.com'),
      'a domain of one word': signer('front/back'),
      'an empty path': signer('example.com/'),
      'an empty domain': signer('/front'),
      'two slashes': signer('example.com/a/b'),
      'upper case': signer('Example.com/front'),
      'upper case in the path': signer('example.com/Front'),
      'a blank in the path': signer('example.com/front door'),
      'a path without end': signer(`example.com/${'a'.repeat(600)}`),
    },
  }),
];
