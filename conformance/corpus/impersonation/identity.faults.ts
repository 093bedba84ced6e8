import { requestHeader, sabotage } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';
import { asTable, inProtobuf } from '../matches.ts';
import { mishear } from '../meddling.ts';

const access = 'request/access.ts';
const impersonate = 'request/impersonate.ts';

const mastering = sabotage('', () => ({
  request: (request) => {
    if (!request.headers['impersonate-user'] || request.headers['impersonate-group']) return request;
    return { ...request, headers: { ...request.headers, 'impersonate-group': 'system:masters' } };
  },
}));

/** Who somebody is who acts as another: user, groups, uid and extra values. */
export default [
  fault(
    'several groups to act with are one',
    ['impersonate'],
    mishear('impersonate-group', (values) => [values.join(',')]),
  ),
  fault(
    'a uid to act with needs no user',
    ['impersonate'],
    requestHeader('impersonate-uid', undefined, { header: { 'impersonate-user': /^$/ } }),
  ),
  fault(
    'only the first group to act with counts',
    'impersonate',
    mishear('impersonate-group', (groups) => groups.slice(0, 1)),
  ),
  fault(
    'only the first extra value counts',
    ['impersonate', 'authn'],
    mishear('impersonate-extra-colour', (values) => values.slice(0, 1)),
  ),
  fault(
    'the uid to act with is dropped',
    ['impersonate', 'csr'],
    mishear('impersonate-uid', () => undefined),
  ),
  fault('who acts as another keeps their own groups', ['impersonate', 'errors'], mastering),
  fault(
    'an extra key keeps its percent signs',
    'impersonate',
    requestHeader('impersonate-extra-example.com%252fscope', undefined),
  ),
  fault(
    'extra values to act with are lost where something is deleted',
    ['impersonate'],
    requestHeader('impersonate-extra-colour', undefined, { method: 'DELETE' }),
  ),
  fault(
    'groups to act with are read in small letters',
    ['impersonate'],
    mishear('impersonate-group', (groups) => groups.map((group) => group.toLowerCase())),
  ),
  slip(
    'kinds and admission are told of the caller, not of whom he acts as',
    ['impersonate', 'csr', 'webhook'],
    'request/dispatch.ts',
    '    user: exchange.user,\n    userAgent',
    '    user: exchange.impersonator ?? exchange.user,\n    userAgent',
  ),
  slip(
    'who asks for a path acts as nobody else',
    ['impersonate'],
    access,
    'exchange.noticed.impersonates ?',
    'exchange.noticed.impersonates && exchange.info.isResource ?',
  ),
  slip(
    'who watches acts as nobody else',
    ['impersonate'],
    access,
    'exchange.noticed.impersonates ?',
    "exchange.noticed.impersonates && exchange.info.verb !== 'watch' ?",
  ),
  slip(
    'acting as another is not heeded in writes to subresources',
    ['impersonate'],
    access,
    '  if (!user) return undefined;\n  exchange.impersonator',
    "  if (!user || (exchange.info.subresource && exchange.info.method !== 'GET')) return undefined;\n  exchange.impersonator",
  ),
  slip(
    'who acts as the anonymous user is authenticated',
    ['impersonate'],
    impersonate,
    'if (name === anonymous.name) {',
    'if (name === anonymous.name && groups.length > 0) {',
  ),
  slip(
    'groups to act with are none for a service account',
    ['impersonate'],
    impersonate,
    'const account = groups.length ? undefined : serviceAccount(name);',
    'const account = serviceAccount(name);',
  ),
  slip(
    'who acts as another with no groups keeps those who made the request',
    ['impersonate'],
    impersonate,
    'return userOf(asked);',
    'return asked.groups.length > 0 ? userOf(asked) : { ...userOf(asked), groups: [...new Set([...userOf(asked).groups, ...caller.groups])] };',
  ),
  slip(
    'keys of extra values to act with are taken as they are spelt',
    ['impersonate'],
    impersonate,
    'const key = extraKey(name.slice(extraPrefix.length));',
    'const key = name.slice(extraPrefix.length);',
  ),
  slip(
    'who acts as a service account with groups of his choice is in its groups as well',
    ['impersonate'],
    impersonate,
    "const given = account ? ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`] : groups;",
    "const own = serviceAccount(name);\n  const given = own && (account || groups) ? [...groups, 'system:serviceaccounts', `system:serviceaccounts:${own.namespace}`] : groups;",
  ),
  slip(
    'who is acted as is in no group of authenticated users',
    'impersonate',
    impersonate,
    ': [...given, authenticatedGroup];',
    ': given;',
  ),
  slip(
    'a service account that is acted as is in no group of its own',
    'impersonate',
    impersonate,
    'const account = groups.length ? undefined : serviceAccount(name);',
    'const account = undefined as ReturnType<typeof serviceAccount>;',
  ),
  slip(
    'groups to act with need no user',
    'impersonate',
    impersonate,
    'if (!asked.groups.length && !asked.uid && !asked.extra.size) return undefined;\n    throw',
    'return undefined;\n    throw',
  ),
  slip(
    'names of people beyond ASCII are read byte by byte',
    ['impersonate', 'authn'],
    'base/header-text.ts',
    "beyondAscii.test(value) ? Buffer.from(value, 'latin1').toString('utf8') : value;",
    '(value);',
  ),
  slip(
    'who acts for a user of named groups is not among the authenticated',
    ['impersonate', 'authn'],
    'request/impersonate.ts',
    'return given.includes(authenticatedGroup)',
    'return groups.length > 0 || given.includes(authenticatedGroup)',
  ),
  fault(
    'who asks for a Table acts as nobody else',
    ['content', 'impersonate'],
    requestHeader('impersonate-user', undefined, { header: asTable }),
  ),
  fault(
    'who watches in protobuf acts as nobody else',
    ['impersonate'],
    requestHeader('impersonate-user', undefined, { query: { watch: true }, header: inProtobuf }),
  ),
  slip(
    'of several extra keys to act with the first counts',
    ['impersonate'],
    'request/impersonate.ts',
    'if (!name.startsWith(extraPrefix)) continue;',
    'if (!name.startsWith(extraPrefix) || extra.size > 0) continue;',
  ),
  slip(
    'who acts as another keeps his own uid',
    ['impersonate'],
    'request/impersonate.ts',
    '  return userOf(asked);',
    '  return { ...userOf(asked), uid: asked.uid || caller.uid };',
  ),
  slip(
    'who acts as another keeps his own extra values',
    ['impersonate'],
    'request/impersonate.ts',
    '  return userOf(asked);',
    '  return { ...userOf(asked), extra: { ...caller.extra, ...userOf(asked).extra } };',
  ),
  slip(
    'extra values of whom one acts as come in small letters',
    ['impersonate'],
    'request/impersonate.ts',
    '[...(extra.get(key) ?? []), ...headers.header(name).map(headerText)]',
    '[...(extra.get(key) ?? []), ...headers.header(name).map((each) => headerText(each).toLowerCase())]',
  ),
  slip(
    'who acts as another does so with the trust in the caller',
    ['impersonate'],
    'request/impersonate.ts',
    '  return userOf(asked);',
    "  const acted = userOf(asked);\n  return caller.groups.includes('system:masters') && asked.groups.length === 0 ? { ...acted, groups: [...acted.groups, 'system:masters'] } : acted;",
  ),
  slip(
    'who acts as another watches as himself',
    ['impersonate', 'authn', 'role', 'watch'],
    'request/access.ts',
    '  exchange.user = user;\n  return undefined;\n}\n\n/** May',
    "  if (exchange.info.verb !== 'watch') exchange.user = user;\n  return undefined;\n}\n\n/** May",
  ),
  slip(
    'who is impersonated is in the first of the given groups alone',
    ['impersonate'],
    'request/impersonate.ts',
    "groups: headers.header('impersonate-group').map(headerText),",
    "groups: headers.header('impersonate-group').slice(0, 1).map(headerText),",
  ),
  slip(
    'a service account that is acted as is not in the group of its namespace',
    ['impersonate'],
    'request/impersonate.ts',
    "['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`]",
    "['system:serviceaccounts']",
  ),
  slip(
    'of extra headers to act with that are one when they are read the last counts',
    ['impersonate'],
    'request/impersonate.ts',
    '[...(extra.get(key) ?? []), ...headers.header(name).map(headerText)]',
    'headers.header(name).map(headerText)',
  ),
  slip(
    'who acts as one of the unknown is one of the known all the same',
    ['impersonate'],
    'request/impersonate.ts',
    'return given.includes(authenticatedGroup) || given.includes(unauthenticatedGroup)',
    'return given.includes(authenticatedGroup)',
  ),
];
