import { removeIn } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';
import { collectionOf } from '../matches.ts';

const issuedCertificate = 'kinds/certificates/issued-certificate.ts';
const certificateSigningRequest = 'kinds/certificates/certificate-signing-request.ts';

/** The certificate that a signing request is given. */
export default [
  fault(
    'a list of requests keeps their certificates to itself',
    ['csr', 'kinds'],
    removeIn('items.*.status.certificate', { method: 'GET', path: collectionOf('certificatesigningrequests') }),
  ),
  slip(
    'what follows the first block of a certificate is not looked at',
    ['csr'],
    issuedCertificate,
    '    blocks++;\n',
    '    blocks++;\n    break;\n',
  ),
  slip(
    'a certificate may not have text before it',
    ['csr'],
    issuedCertificate,
    "return blocks > 0 ? '' :",
    "return blocks > 0 && pem.toString().startsWith('-----BEGIN') ? '' :",
  ),
  slip(
    'a certificate may stand beside other things',
    ['csr'],
    issuedCertificate,
    "if (label !== 'CERTIFICATE') return",
    "if (label !== 'CERTIFICATE' && blocks === 0) return",
  ),
  slip(
    'a certificate may be set by the way of approvals when there is none',
    ['csr'],
    certificateSigningRequest,
    'if (previous.status?.certificate === undefined) delete next.status.certificate;\n  else ',
    'if (previous.status?.certificate !== undefined) ',
  ),
  slip(
    'an issued certificate may be replaced by another',
    ['csr'],
    certificateSigningRequest,
    'previous.status?.certificate && next.status?.certificate !== previous.status.certificate',
    'previous.status?.certificate && !next.status?.certificate',
  ),
  slip(
    'an issued certificate may be changed',
    'csr',
    certificateSigningRequest,
    'previous.status?.certificate && next.status?.certificate !== previous.status.certificate',
    'false',
  ),
  slip(
    'an approval may bring a certificate along',
    ['csr'],
    certificateSigningRequest,
    '        keepCertificate(next, previous);\n',
    '',
  ),
  slip(
    'the table of requests does not tell which were issued',
    ['csr', 'content'],
    certificateSigningRequest,
    "status.certificate ? ',Issued' : ''",
    "('')",
  ),
  slip(
    'a signer gives a short certificate a full hour',
    ['csr'],
    '../controllers/csr-signing/plan.ts',
    'lifetimes.most : asked * 1000);',
    'lifetimes.most : Math.max(3600, asked) * 1000);',
  ),
  slip(
    'an issued certificate may be taken away',
    ['csr'],
    'kinds/certificates/certificate-signing-request.ts',
    'previous.status?.certificate && next.status?.certificate !== previous.status.certificate',
    'previous.status?.certificate && next.status?.certificate && next.status.certificate !== previous.status.certificate',
  ),
  slip(
    'blocks of a certificate may have headers',
    ['csr'],
    'kinds/certificates/issued-certificate.ts',
    'if (hasHeaders) return',
    'if (hasHeaders && blocks < 0) return',
  ),
  slip(
    'an approval that does not repeat the certificate takes it away',
    'csr',
    'kinds/certificates/certificate-signing-request.ts',
    'else next.status.certificate = previous.status.certificate;',
    'else if (next.status.certificate !== undefined) next.status.certificate = previous.status.certificate;',
  ),
  slip(
    'how long a certificate shall last counts for clients alone',
    'csr',
    '../controllers/csr-signing/plan.ts',
    'const asked = csr.spec?.expirationSeconds;',
    "const asked = usages.includes('server auth') ? undefined : csr.spec?.expirationSeconds;",
  ),
  slip(
    'a request that failed is signed all the same',
    'csr',
    '../controllers/csr-signing/reconcile.ts',
    "  !hasCondition(csr, 'Failed') &&\n",
    '',
  ),
  slip(
    'an issued certificate may be lengthened',
    'csr',
    certificateSigningRequest,
    'previous.status?.certificate && next.status?.certificate !== previous.status.certificate',
    "previous.status?.certificate && !Buffer.from(next.status?.certificate ?? '', 'base64').toString().startsWith(Buffer.from(previous.status.certificate, 'base64').toString())",
  ),
  slip(
    'an issued certificate may be changed where a request failed in the end',
    'csr',
    certificateSigningRequest,
    '  previous.status?.certificate && next',
    "  previous.status?.certificate && !previous.status.conditions?.some(({ type }) => type === 'Failed') && next",
  ),
];
