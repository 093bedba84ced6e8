import { validityRule } from '../../field-rules.ts';

const kind = 'signingRequests';
const expiration = (expirationSeconds: unknown) => ({ spec: { expirationSeconds } });

export default [
  validityRule({
    id: 'csr.spec.expiration-seconds.optional',
    kind,
    accepted: { 'left out': {}, given: expiration(3600) },
    refused: { 'a text': expiration('3600'), 'more than an int32': expiration(2147483648) },
  }),

  validityRule({
    id: 'csr.spec.expiration-seconds.min',
    kind,
    accepted: { 600: expiration(600) },
    refused: { 599: expiration(599), 0: expiration(0), '-1': expiration(-1) },
  }),
];
