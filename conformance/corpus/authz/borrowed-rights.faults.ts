import { slip } from '../fault.ts';

/** Rights and certificates that somebody comes by because nobody asks whose they are. */
export default [
  slip(
    'to gather the rules of other roles takes no right',
    ['role', 'errors'],
    'authz/escalation.ts',
    'if ([object, attributes.oldObject].some(gathers)) refuseIfMissing(check, attributes, everything);',
    '',
  ),
  slip(
    'a node agent that may renew its certificate gets that of another node',
    ['csr', 'component'],
    '../controllers/csr-approving/plan.ts',
    'const own = username === request.commonName;',
    "const own = username?.startsWith('system:node:') === true;",
  ),
  slip(
    'a token may be asked for by the name of another account than that of the path',
    ['authn'],
    'authn/service-account/token-request.ts',
    'if (given && given !== name) {',
    'if (given && !name) {',
  ),
];
