import { slip } from '../fault.ts';

/** How those are called who are asked for certificates. */
export default [
  slip(
    'the domain of a signer may be of any length',
    ['csr', 'component'],
    'kinds/certificates/signer-name.ts',
    '    ...(Buffer.byteLength(domain) > maxDomain ? [tooLong(at, maxDomain)] : []),\n',
    '',
  ),
  slip(
    'a signer may be called by a letter less than it may',
    ['csr', 'component'],
    'kinds/certificates/signer-name.ts',
    'Buffer.byteLength(signerName) > maxSignerName',
    'Buffer.byteLength(signerName) >= maxSignerName',
  ),
];
