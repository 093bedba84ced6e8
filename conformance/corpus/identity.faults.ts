import { unguarded } from '../sabotage/careless.ts';
import { edited } from '../sabotage/edited.ts';
import { answerStatus, changeRequest, removeIn, replaceIn, requestHeader, sabotage } from '../sabotage/transforms.ts';
import { type Fault, fault } from './fault.ts';
import { lenient, mishear } from './meddling.ts';

const mastering = sabotage('', () => ({
  request: (request) => {
    if (!request.headers['impersonate-user'] || request.headers['impersonate-group']) return request;
    return { ...request, headers: { ...request.headers, 'impersonate-group': 'system:masters' } };
  },
}));

const reviews = { path: /\/(local)?subjectaccessreviews$/ };

export const identityFaults: readonly Fault[] = [
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
  fault(
    'a review asks for the whole cluster',
    ['names', 'role'],
    changeRequest('', (body) => edited(body, ['spec', 'resourceAttributes', 'namespace'], () => undefined), reviews),
  ),
  fault(
    'a review forgets the groups',
    ['names', 'role', 'authn'],
    changeRequest('', (body) => edited(body, ['spec', 'groups'], () => undefined), reviews),
  ),
  fault(
    'a refusal is 404 for cluster-scoped kinds',
    'errors',
    answerStatus(404, { instead: 403, path: /\/(clusterroles|ingressclasses)/ }),
  ),
  fault(
    '401 for reads, but 403 for writes',
    'responses',
    answerStatus(403, { method: ['POST', 'PUT', 'PATCH', 'DELETE'], instead: 401 }),
  ),
  fault(
    'a signing request does not name its author',
    'csr',
    removeIn('spec.username', { path: /\/certificatesigningrequests/ }),
  ),
  fault(
    'a signing request does not hold the uid of its author',
    ['csr', 'impersonate'],
    removeIn('spec.uid', { path: /\/certificatesigningrequests/ }),
  ),
  fault('a token review says nothing of groups', 'authn', removeIn('status.user.groups', { path: /\/tokenreviews$/ })),
  fault(
    'an extra key keeps its percent signs',
    'impersonate',
    requestHeader('impersonate-extra-example.com%252fscope', undefined),
  ),
  fault(
    'anonymous callers are authenticated',
    'authn',
    replaceIn('status.user.username', { path: /\/tokenreviews$/, with: 'system:anonymous' }),
  ),
];

export const kindFaults: readonly Fault[] = [
  fault('a negative number of retries is accepted', 'job', lenient({ method: 'POST', path: /\/jobs$/ })),
  fault(
    'two ports of a slice may have one name',
    'endpointslice',
    lenient({ method: 'POST', path: /\/endpointslices$/ }),
  ),
  fault('an Ingress may lack its path types', 'ingress', lenient({ method: 'POST', path: /\/ingresses$/ })),
  fault('an Event may lack its reason', 'event', lenient({ method: 'POST', path: /\/events$/ })),
  fault('a Role may lack its verbs', 'role', lenient({ method: 'POST', path: /\/roles$/ })),
  fault(
    'the series of an Event is dropped',
    ['event', 'verbs'],
    changeRequest('', (body) => edited(body, ['series'], () => undefined), { path: /\/events/ }),
  ),
  fault(
    'finalize leaves the finalizers as they are',
    ['namespace', 'deletion'],
    changeRequest('', (body) => edited(body, ['spec'], () => ({ finalizers: ['kubernetes'] })), {
      path: /\/finalize$/,
    }),
  ),
  fault('a signing request can be approved and denied', 'csr', lenient({ path: /\/approval$/ })),
  fault(
    'the spec of a signing request may change',
    'csr',
    lenient({ method: ['PUT', 'PATCH'], path: /\/certificatesigningrequests\/[^/]+$/ }),
  ),
  fault('scale answers the object', 'service', replaceIn('kind', { path: /\/scale$/, with: 'Deployment' })),
  fault(
    'Jobs are not defaulted on apply',
    ['dryrun', 'job'],
    removeIn('spec.backoffLimit', { method: 'PATCH', path: /\/jobs\// }),
  ),
  fault('immutable ConfigMaps lose their flag', 'content', removeIn('immutable', { path: /\/configmaps/ })),
  fault(
    'slices lose conditions that are false',
    ['content', 'endpointslice'],
    changeRequest(
      '',
      (body) => edited(body, ['endpoints', '*', 'conditions', '*'], (value) => (value === false ? undefined : value)),
      { path: /\/endpointslices/ },
    ),
  ),
  fault('the type of a Secret is lost', 'verbs', removeIn('type', { method: 'GET', path: /\/secrets\/[^/]+$/ })),
];
