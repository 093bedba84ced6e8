import type { ProxiedRequest } from '../../sabotage/sabotage.ts';
import {
  answerStatus,
  answerWith,
  changeMethod,
  ignoreQuery,
  redirectPath,
  sabotage,
} from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';
import { anyItem } from '../matches.ts';

/** Where things in namespaces are listed that are in any of them. */
const namespacedEverywhere =
  /^\/(?:api\/v1\/(?:secrets|configmaps|pods|services|events|serviceaccounts)|apis\/(?:[^/]+\/v1)\/(?:jobs|ingresses|endpointslices|leases|roles|rolebindings|deployments|events))$/;

/** Sends requests that fit to another path. */
const elsewhere = (name: string, to: (request: ProxiedRequest) => string | undefined) =>
  sabotage(name, () => ({ request: (request) => ({ ...request, path: to(request) ?? request.path }) }));

const known =
  /^(status|scale|approval|finalize|eviction|binding|log|exec|attach|proxy|portforward|token|ephemeralcontainers)$/;

const unknownBelow = elsewhere('answers the object', ({ method, path }) => {
  const [, collection, name, below] = anyItem.exec(path) ?? [];
  return method === 'GET' && below && !known.test(below) && !collection?.endsWith('/namespaces')
    ? `${collection}/${name}`
    : undefined;
});

const postToItem = elsewhere('posts to the collection', ({ method, path }) => {
  const [, collection, , below] = anyItem.exec(path) ?? [];
  return method === 'POST' && !below && !collection?.endsWith('/namespaces') ? collection : undefined;
});

/** What a path means, and where requests are forwarded. */
export default [
  fault(
    'what is made without saying in which namespace is made in the default one',
    ['paths', 'verbs', 'params'],
    redirectPath(/\/([a-z]+)$/, '/namespaces/default/$1', { method: 'POST', path: namespacedEverywhere }),
  ),
  fault(
    'ClusterRoles are found below a namespace as well',
    ['paths'],
    redirectPath(/\/namespaces\/[^/]+\/clusterroles/, '/clusterroles'),
  ),
  fault('an unknown subresource is the object', ['paths', 'verbs', 'responses'], unknownBelow),
  fault('a POST to an object is one to its collection', ['verbs', 'paths', 'responses'], postToItem),
  fault(
    'what is escaped in a name stays so',
    ['paths', 'names', 'params'],
    redirectPath(/%([0-9A-Fa-f]{2})/g, '%25$1', { path: /%/ }),
  ),
  slip(
    'the redirect to a path with a slash adds a query that nobody sent',
    ['service', 'paths'],
    'request/verbs/operate.ts',
    'const location = query === undefined ? `${info.path}/` : `${info.path}/?${query}`;',
    'const location = (`${info.path}/?${query}`);',
  ),
  slip(
    'what is forwarded arrives without its body',
    ['verbs', 'service'],
    'request/forward/forward.ts',
    'if (upgrade) request.end();',
    'if (!(upgrade)) request.end();',
  ),
  fault(
    'the finalizers of a namespace can be read',
    ['paths', 'namespace'],
    redirectPath(/\/finalize$/, '', { method: 'GET' }),
  ),
  slip(
    'what is escaped in a path is taken as it is spelt',
    ['paths', 'names', 'role', 'kinds', 'verbs'],
    'request/identify.ts',
    "path.includes('%') ? segments.map(decodeSegment) : segments",
    'segments',
  ),
  fault(
    'an underscore in a name stands for a dash',
    ['verbs', 'names'],
    elsewhere('looks for patterns', ({ method, path }) =>
      method === 'POST' ? undefined : path.replace(/[^/]*$/, (name) => name.replaceAll('_', '-')),
    ),
  ),
  fault(
    'what can only be made is found missing by who reads it',
    ['names', 'paths', 'verbs'],
    answerStatus(404, { method: 'GET', path: /(?:reviews|\/bindings|\/binding|\/eviction)$/, instead: 405 }),
  ),
  fault(
    'what cannot be read says so in no Status',
    ['names', 'paths', 'verbs'],
    answerWith(405, 'method not allowed', { method: 'GET', path: /(?:reviews|\/bindings|\/binding|\/eviction)$/ }),
  ),
  fault(
    'a watch of what cannot be watched is a list',
    ['names', 'paths', 'verbs', 'watch'],
    ignoreQuery('watch', { path: /\/componentstatuses$/ }),
  ),
  fault(
    'an object with a slash behind its path is not there',
    ['paths'],
    answerStatus(404, { method: 'GET', path: /^\/apis?\/.*[a-z0-9]\/$/ }),
  ),
  fault('a POST to a status is an update of it', ['paths'], changeMethod('PUT', { method: 'POST', path: /\/status$/ })),
  fault('who deletes a status deletes its object', ['paths'], redirectPath(/\/status$/, '', { method: 'DELETE' })),
  fault(
    'a collection that is replaced gets one object more',
    ['verbs', 'paths'],
    changeMethod('POST', { method: 'PUT', path: /\/namespaces\/[^/]+\/(?!status$|finalize$)[a-z]+$/ }),
  ),
];
