import { slip } from '../fault.ts';

const certificateRequest = 'x509/certificate-request.ts';

/** What stands in the block of a signing request: keys, how they sign, and what is none of it. */
export default [
  slip(
    'requests of RSA keys in their usual way are not taken',
    ['csr'],
    certificateRequest,
    "  '1.2.840.113549.1.1.11': rsa('sha256'),\n",
    '',
  ),
  slip(
    'requests by PSS have the shortest hash',
    ['csr'],
    certificateRequest,
    "  '2.16.840.1.101.3.4.2.2': 'sha384',\n",
    '',
  ),
  slip(
    'a request whose key is none is a fault of the server',
    ['csr'],
    certificateRequest,
    'if (!names || !publicKey || ',
    'if (!names || ',
  ),
  slip(
    'a request may have something behind it',
    ['csr'],
    certificateRequest,
    'if (!outer || outer.bytes.length !== block.bytes.length) return',
    'if (!outer) return',
  ),
  slip(
    'a request that is signed in an unknown way is a fault of the server',
    ['csr'],
    certificateRequest,
    'if (!scheme || (scheme.pss && !hash)) return',
    'if (scheme?.pss && !hash) return',
  ),
];
