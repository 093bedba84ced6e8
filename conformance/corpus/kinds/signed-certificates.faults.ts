import { slip } from '../fault.ts';

const signers = '../controllers/csr-signing/signers.ts';
const signing = '../controllers/certificates/sign.ts';

/** What the signers that come along sign, and what for. */
export default [
  slip(
    'a certificate of a node agent that serves is good for clients as well',
    'csr',
    signers,
    "permitted: ['digital signature', 'key encipherment', 'server auth'],",
    "permitted: ['digital signature', 'key encipherment', 'server auth', 'client auth'],",
  ),
  slip(
    'a node agent may belong to others beside its group',
    'csr',
    signers,
    "organizations.length !== 1 || organizations[0] !== 'system:nodes'",
    "!organizations.includes('system:nodes')",
  ),
  slip(
    'a node agent may belong to any group',
    'csr',
    signers,
    "organizations.length !== 1 || organizations[0] !== 'system:nodes'",
    'organizations.length === 0',
  ),
  slip('a node agent may have any name', 'csr', signers, '!/^system:node:./.test(commonName)', "commonName === ''"),
  slip(
    'whoever asks for a serving certificate of a node agent gets it',
    'csr',
    signers,
    '    return nodeSubject(request);\n',
    '    return undefined;\n',
  ),
  slip(
    'a client certificate of a node agent may be asked for with names of hosts',
    'csr',
    signers,
    "nodeSubject(request) ?? (names(request) > 0 ? 'alternative names are not signed' : undefined)",
    'nodeSubject(request)',
  ),
  slip(
    'a serving certificate of a node agent may have the address of a page',
    'csr',
    signers,
    'if (uris.length + emails.length > 0)',
    'if (emails.length > 0)',
  ),
  slip(
    'a serving certificate of a node agent may have a mail address',
    'csr',
    signers,
    'if (uris.length + emails.length > 0)',
    'if (uris.length > 0)',
  ),
  slip(
    'a serving certificate of a node agent may be for no host',
    'csr',
    signers,
    'if (dnsNames.length + ipAddresses.length === 0)',
    'if (dnsNames.length + ipAddresses.length < 0)',
  ),
  slip(
    'whoever gets a certificate is an authority',
    'csr',
    signing,
    'BasicConstraintsExtension(false, undefined, true)',
    'BasicConstraintsExtension(true, undefined, true)',
  ),
  slip(
    'the key of a certificate may encipher no keys',
    'csr',
    signing,
    'keyUsageBits(terms.usages)',
    "keyUsageBits(terms.usages.filter((usage) => usage !== 'key encipherment'))",
  ),
  slip(
    'a certificate for several hosts is for the first',
    'csr',
    signing,
    'request.pkcs10.extensions.find(({ type }) => type === alternativeNames)',
    '((found) => found && new lib.SubjectAlternativeNameExtension(new lib.SubjectAlternativeNameExtension(found.rawData).names.toJSON().slice(0, 1)))(request.pkcs10.extensions.find(({ type }) => type === alternativeNames))',
  ),
];
