import { slip } from '../fault.ts';

const proxyHeaders = 'authn/proxy-headers.ts';

/** Users that an authenticating proxy names in headers. */
export default [
  slip(
    'extra values of a proxy are dropped',
    ['authn'],
    proxyHeaders,
    'extra: extraOf(credentials, prefixes) });',
    'extra: {} });',
  ),
  slip(
    'of several groups from a proxy the first counts',
    ['authn'],
    proxyHeaders,
    'credentials.header(header).filter(Boolean)',
    'credentials.header(header).slice(0, 1).filter(Boolean)',
  ),
  slip(
    'of several headers for groups of a proxy the first counts',
    ['authn'],
    proxyHeaders,
    'const groups = groupHeaders.flatMap(',
    'const groups = groupHeaders.slice(0, 1).flatMap(',
  ),
  slip(
    'of the headers for names of a proxy the first is looked at',
    ['authn'],
    proxyHeaders,
    'for (const header of headers) {',
    'for (const header of headers.slice(0, 1)) {',
  ),
  slip(
    'whoever has a certificate of its authority may be the proxy',
    ['authn'],
    proxyHeaders,
    'if (options.allowedNames.length && !options.allowedNames.includes(commonName))',
    'if (options.allowedNames.length && !commonName)',
  ),
  slip(
    'keys of extra values from a proxy keep their percent signs',
    ['authn'],
    proxyHeaders,
    'const key = extraKey(name.slice(prefix.length));',
    'const key = extraKey && name.slice(prefix.length);',
  ),
  slip('a proxy has to spell headers as the server was told', ['authn'], proxyHeaders, 'name.toLowerCase()', 'name'),
  slip(
    'names of people beyond ASCII are not read as UTF-8',
    ['authn', 'impersonate'],
    'base/header-text.ts',
    "beyondAscii.test(value) ? Buffer.from(value, 'latin1').toString('utf8') : value;",
    "!(beyondAscii.test(value)) ? Buffer.from(value, 'latin1').toString('utf8') : value;",
  ),
  slip(
    'who comes by way of a proxy is not among the authenticated',
    'authn',
    proxyHeaders,
    "return knownUser({ name, uid: '', groups, extra: extraOf(credentials, prefixes) });",
    "return { name, uid: '', groups, extra: extraOf(credentials, prefixes) };",
  ),
  slip(
    'of several extra values of one key from a proxy the last counts',
    ['authn'],
    'authn/proxy-headers.ts',
    '...credentials.header(name).map(headerText)];',
    '...credentials.header(name).map(headerText)].slice(-1);',
  ),
  slip(
    'groups of a proxy are cut at commas',
    ['authn'],
    'authn/proxy-headers.ts',
    'credentials.header(header).filter(Boolean)',
    'credentials.header(header).flatMap((each) => each.split(",")).filter(Boolean)',
  ),
  slip(
    'who is told to be known is put among the known once more',
    ['authn'],
    'authn/known-user.ts',
    'groups.includes(authenticatedGroup) || ',
    '',
  ),
  slip(
    'of extra headers that are one when they are read the last counts',
    ['authn'],
    'authn/proxy-headers.ts',
    'extra[key] = [...(extra[key] ?? []), ...credentials.header(name).map(headerText)];',
    'extra[key] = credentials.header(name).map(headerText);',
  ),
  slip(
    'servers behind this one are told of no authority of its proxies',
    ['authn'],
    'authn/published-authentication.ts',
    "'requestheader-client-ca-file': proxy.authority,",
    "'requestheader-client-ca-file': '',",
  ),
  slip(
    'servers behind this one are told of one header of groups',
    ['authn'],
    'authn/published-authentication.ts',
    'JSON.stringify(proxy.groupHeaders)',
    'JSON.stringify(proxy.groupHeaders.slice(0, 1))',
  ),
  slip(
    'servers behind this one are not told of the authority of its clients',
    ['authn'],
    'authn/published-authentication.ts',
    "...(clientCaFile && { 'client-ca-file': readFileSync(clientCaFile, 'utf8') }),",
    "...(clientCaFile && { 'client-ca-file': clientCaFile }),",
  ),
];
