import { slip } from '../fault.ts';

const passOn = 'request/aggregation/pass-on.ts';
const headers = 'request/forward/headers.ts';
const remoteUser = 'request/aggregation/remote-user.ts';

/** Groups that another server serves behind the one that is asked. */
export default [
  slip(
    'who calls another server through this one may say what else is known of him',
    ['authn', 'impersonate'],
    headers,
    '/^(?:impersonate|x[-_]remote)[-_]/',
    '/^(?:impersonate)[-_]/',
  ),
  slip(
    'another server is given the credentials of who calls it through this one',
    ['authn'],
    headers,
    "name === 'authorization' || ",
    '',
  ),
  slip(
    'another server is not told the groups of who calls it',
    ['authn', 'impersonate'],
    remoteUser,
    "  'x-remote-group': groups.map(bytes),\n",
    '',
  ),
  slip(
    'another server is told but the first group of who calls it',
    ['authn', 'impersonate'],
    remoteUser,
    'groups.map(bytes)',
    'groups.slice(0, 1).map(bytes)',
  ),
  slip(
    'another server is called for who acts, and not for whom he acts for',
    ['authn', 'impersonate'],
    passOn,
    'remoteUser(exchange.user)',
    'remoteUser(exchange.impersonator ?? exchange.user)',
  ),
  slip(
    'parameters are lost on the way to another server',
    ['paths'],
    passOn,
    "path: exchange.incoming.url ?? '/'",
    'path: exchange.info.path',
  ),
  slip('another server may send clients elsewhere', ['paths'], passOn, '    redirected,\n', ''),
  slip('another server may take any time to say what it has', ['paths'], passOn, '{ within: discoveryWithin }', '{}'),
  slip(
    'a group whose server is out of reach has never been there',
    ['paths', 'responses'],
    passOn,
    "mereText(503, 'service unavailable\\n')",
    "mereText(404, '404 page not found\\n')",
  ),
  slip(
    'another server is asked whether it is taken to be there or not',
    ['paths'],
    passOn,
    '  if (!api.isAvailable) return unavailable();\n',
    '',
  ),
  slip(
    'of what another server answers only the type and the body come back',
    ['responses'],
    headers,
    '{ ...Object.fromEntries(given), ...',
    "{ 'content-type': headers['content-type'], ...",
  ),
  slip(
    'every answer of another server that is no success is one of this server',
    ['responses'],
    'request/forward/forward.ts',
    '  if (redirected && code >= 300 && code <= 399 && response.headers.location) {',
    '  if (redirected && code >= 300) {',
  ),
  slip(
    'a group is there though the service that leads to its server is not',
    ['paths'],
    'request/aggregation/availability.ts',
    "  if (!service) return no('ServiceNotFound', `${what} is not present`);\n",
    "  if (!service) return { status: 'True', reason: 'Passed', message: 'all checks passed' };\n",
  ),
  slip(
    'who serves a group is taken for whom it says it is',
    ['authn'],
    'request/aggregation/aggregated-apis.ts',
    'insecureSkipVerify: spec.insecureSkipTLSVerify === true',
    'insecureSkipVerify: spec.insecureSkipTLSVerify === true || !spec.caBundle',
  ),
  slip(
    'a group that another server serves is told of without being listed',
    ['paths'],
    'request/discovery.ts',
    '  for (const api of aggregated.all) add(api.group, api);\n',
    '',
  ),
];
