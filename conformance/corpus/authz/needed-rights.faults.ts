import { unguarded } from '../../sabotage/careless.ts';
import { fault, slip } from '../fault.ts';

/** Which right a request needs. */
export default [
  fault('status is guarded by nobody', ['errors', 'service'], unguarded({ path: /\/status$/ })),
  fault('scale is guarded by nobody', ['errors', 'service'], unguarded({ path: /\/scale$/ })),
  fault('whoever may not list may still watch', 'errors', unguarded({ query: { watch: true } })),
  fault(
    'a deletecollection is guarded by nobody',
    'errors',
    unguarded({ method: 'DELETE', path: /\/v1\/namespaces\/[^/]+\/[a-z0-9]+$/ }),
  ),
  fault(
    'lists over all namespaces are guarded by nobody',
    ['errors', 'paths'],
    unguarded({ method: 'GET', path: /^\/(api|apis\/[^/]+)\/v1\/(?!namespaces|nodes)[a-z0-9]+$/ }),
  ),
  slip(
    'an update that makes an object needs no right to create',
    ['verbs', 'role'],
    'registry/replace.ts',
    '  if (!live) yield call.demandCreate();\n  else checkVersion(call, sent, live);',
    '  if (live) checkVersion(call, sent, live);',
  ),
  slip(
    'an apply that makes an object needs no right to create',
    ['apply', 'verbs'],
    'registry/apply.ts',
    '  if (!live) yield call.demandCreate();\n',
    '',
  ),
  slip(
    'who reads a namespace twice is no longer within it the second time',
    ['paths', 'role'],
    'request/identify.ts',
    "if (!isResource || (!inNamespace && (resource === 'namespaces' || resource === 'watch'))) return undefined;",
    '',
  ),
  slip(
    'a node may read the secrets of other namespaces that are called as one of its own',
    ['authn', 'component'],
    'authz/node-relations.ts',
    'namespace}',
    'name}',
  ),
  slip(
    'whoever may delete may delete all',
    ['role'],
    'request/access.ts',
    "{ type: 'resource', verb, group,",
    "{ type: 'resource', verb: verb === 'deletecollection' ? 'delete' : verb, group,",
  ),
  slip(
    'after an authorizer that has to think all are asked again from the first',
    ['authn', 'component'],
    'authz/authorizer.ts',
    'authorizers.slice(at + 1)',
    'authorizers',
  ),
  slip(
    'who may list all that is called otherwise may do so by a right to the one',
    ['role', 'verbs', 'meta', 'authn'],
    'request/identify.ts',
    'metadata\\.name==?(',
    'metadata\\.name!?==?(',
  ),
  slip(
    'whoever may read an object may read what is below it',
    ['role', 'verbs', 'meta'],
    'request/access.ts',
    "{ type: 'resource', verb, group, version, resource, subresource, namespace, name }",
    "{ type: 'resource', verb, group, version, resource, subresource: verb === 'get' ? '' : subresource, namespace, name }",
  ),
  slip(
    'a node may not read what the containers that run first refer to',
    ['errors'],
    'authz/node-relations.ts',
    '[spec.initContainers, spec.containers, spec.ephemeralContainers]',
    '[spec.containers, spec.ephemeralContainers]',
  ),
  slip(
    'a node may ask for tokens of accounts that none of its pods has',
    ['errors', 'authn'],
    'authz/node.ts',
    "action.verb === 'create' && action.subresource === 'token'\n      ? related(action, node, relations)",
    "action.verb === 'create' && action.subresource === 'token'\n      ? relations && ''",
  ),
  slip(
    'finalize needs the right to namespaces alone',
    ['errors', 'service'],
    'request/access.ts',
    "? { type: 'resource', verb, group, version, resource, subresource, namespace, name }",
    "? { type: 'resource', verb, group, version, resource, subresource: subresource === 'finalize' ? '' : subresource, namespace, name }",
  ),
];
