import { edited } from '../sabotage/edited.ts';
import {
  all,
  answerStatus,
  changeMethod,
  changeRequest,
  ignoreQuery,
  removeIn,
  replaceIn,
  requestHeader,
} from '../sabotage/transforms.ts';
import type { Json } from '../verbs/json.ts';
import { type Fault, fault } from './fault.ts';
import { lenient, misread, remembering } from './meddling.ts';

const dry = { query: { dryRun: true } };
const without =
  (...path: readonly string[]) =>
  (body: Json): Json =>
    edited(body, path, () => undefined);
const noNulls = (value: Json): Json =>
  JSON.parse(JSON.stringify(value, (_, part) => (part === null ? undefined : part)));
const merges = { method: 'PATCH', header: { 'content-type': /merge-patch/ } };

/** The time of a deletion is that of the last delete. */
const restless = remembering(() => {
  const deletes = new Map<string, number>();
  return (body, { method, path }) => {
    if (method === 'DELETE') deletes.set(path, (deletes.get(path) ?? 0) + 1);
    const again = (deletes.get(path) ?? 0) > 1;
    const at = body.metadata?.deletionTimestamp;
    return again && at
      ? {
          ...body,
          metadata: {
            ...body.metadata,
            deletionTimestamp: new Date(Date.parse(at) + 2_000).toISOString().replace('.000', ''),
          },
        }
      : body;
  };
});

export const dryRunFaults: readonly Fault[] = [
  ...['scale', 'eviction', 'approval', 'finalize', 'binding'].map((sub) =>
    fault(`a dry run is ignored by ${sub}`, 'dryrun', ignoreQuery('dryRun', { path: new RegExp(`/${sub}$`) })),
  ),
  fault(
    'a dry run is ignored by patches of a status',
    'dryrun',
    ignoreQuery('dryRun', { method: 'PATCH', path: /\/status$/ }),
  ),
  fault(
    'a dry run is ignored by a deletecollection of custom objects',
    ['dryrun', 'params'],
    ignoreQuery('dryRun', { method: 'DELETE', path: /touchstone\.example\/v1\/(namespaces\/[^/]+\/)?[a-z0-9]+$/ }),
  ),
  fault(
    'a dry run of an apply is real',
    'dryrun',
    ignoreQuery('dryRun', { method: 'PATCH', header: { 'content-type': /apply/ } }),
  ),
  fault(
    'a dry run of a patch answers the object as it is',
    'dryrun',
    all(changeMethod('GET', { method: 'PATCH', ...dry })),
  ),
  fault('a dry run of a create answers 200', ['dryrun'], answerStatus(200, { method: 'POST', ...dry, instead: 201 })),
  fault('a dry run is not validated', 'dryrun', lenient(dry)),
  fault(
    'a dry run by options in the body is real',
    ['params', 'dryrun'],
    changeRequest('', without('dryRun'), { method: 'DELETE' }),
  ),
];

export const writeFaults: readonly Fault[] = [
  fault(
    'an update of a Lease is taken for a merge patch',
    ['verbs', 'meta'],
    all(
      changeMethod('PATCH', { method: 'PUT', path: /\/leases\/[^/]+$/ }),
      requestHeader('content-type', 'application/merge-patch+json', {
        method: 'PATCH',
        path: /\/leases\/[^/]+$/,
        header: { 'content-type': /^application\/json/ },
      }),
    ),
  ),
  fault('null in a merge patch removes nothing', ['meta', 'deletion'], changeRequest('', noNulls, merges)),
  fault(
    'remove in a JSON patch does nothing',
    ['deletion', 'verbs'],
    changeRequest('', (body) => (Array.isArray(body) ? body.filter(({ op }) => op !== 'remove') : body), {
      method: 'PATCH',
    }),
  ),
  fault(
    'strategic merge patches are plain merge patches',
    ['verbs', 'apply'],
    requestHeader('content-type', 'application/merge-patch+json', {
      method: 'PATCH',
      header: { 'content-type': /strategic/ },
    }),
  ),
  fault(
    'an update with another uid passes',
    ['meta'],
    changeRequest('', without('metadata', 'uid'), { method: 'PUT' }),
  ),
  fault(
    'a delete does not look at preconditions',
    'params',
    changeRequest('', without('preconditions'), { method: 'DELETE', path: /\/[a-z]+\/[^/]*-[^/]*$/ }),
  ),
  fault(
    'a deletecollection does not look at preconditions',
    'params',
    changeRequest('', without('preconditions'), { method: 'DELETE', path: /\/[a-z]+$/ }),
  ),
  fault(
    'a grace period that is no number passes for cluster-scoped kinds',
    'params',
    ignoreQuery('gracePeriodSeconds', { method: 'DELETE', path: /\/v1\/(?!namespaces)[a-z]+\/[^/]+$/ }),
  ),
  fault(
    'the propagation policy in the body is ignored',
    ['params', 'deletion'],
    changeRequest('', without('propagationPolicy'), { method: 'DELETE' }),
  ),
  fault(
    'Orphan is taken for Background',
    'params',
    misread({ method: 'DELETE', query: { propagationPolicy: 'Orphan' } }, (query) =>
      query.set('propagationPolicy', 'Background'),
    ),
  ),
  fault('the name in the body may differ from the path', ['params', 'verbs'], lenient({ method: 'PUT' }, [400])),
  fault(
    'generateName wins over a name',
    ['meta', 'names'],
    changeRequest(
      '',
      (body) => (body.metadata?.generateName ? edited(body, ['metadata', 'name'], () => undefined) : body),
      { method: 'POST' },
    ),
  ),
  fault(
    'the time of creation changes with a status',
    ['meta', 'responses', 'watch'],
    replaceIn('metadata.creationTimestamp', {
      method: ['PUT', 'PATCH'],
      path: /\/status$/,
      with: '2024-01-01T00:00:00Z',
    }),
  ),
  fault(
    'annotations with an empty value are dropped',
    ['content', 'meta'],
    changeRequest(
      '',
      (body) => edited(body, ['metadata', 'annotations', '*'], (value) => (value === '' ? undefined : value)),
      { method: 'POST' },
    ),
  ),
  fault(
    'finalizers of ClusterRoles are dropped on create',
    ['deletion', 'meta'],
    changeRequest('', without('metadata', 'finalizers'), { method: 'POST', path: /\/clusterroles$/ }),
  ),
  fault(
    'finalizers do not keep Leases',
    ['deletion', 'meta', 'service'],
    changeRequest('', without('metadata', 'finalizers'), { path: /\/leases(\/[^/]+)?$/ }),
  ),
  fault('the time of a deletion moves with a second delete', 'deletion', restless),
  fault(
    'a create in a namespace that is going is accepted',
    ['dryrun', 'namespace', 'admission'],
    lenient({ method: 'POST', path: /\/leases$/ }, [403]),
  ),
  fault(
    'status comes with a create of a signing request',
    ['csr'],
    lenient({ method: 'POST', path: /\/certificatesigningrequests$/ }),
  ),
  fault(
    'a write that changes nothing gives a new version',
    ['rv'],
    changeRequest(
      '',
      (body) => ({
        ...body,
        metadata: {
          ...body.metadata,
          annotations: { ...body.metadata?.annotations, 'example.com/touched': `${Math.random()}` },
        },
      }),
      { method: 'PUT', path: /\/roles\/[^/]+$/ },
    ),
  ),
  fault(
    'a second create of a name overwrites the first',
    'names',
    all(answerStatus(201, { method: 'POST', instead: 409, path: /\/ingresses$/ })),
  ),
  fault(
    'a patch of a missing object is answered 200',
    ['verbs', 'responses'],
    answerStatus(200, { method: 'PATCH', instead: 404 }),
  ),
  fault(
    'a DELETE answers 204 for custom objects',
    ['responses', 'verbs'],
    answerStatus(204, { method: 'DELETE', path: /touchstone\.example/ }),
  ),
  fault(
    'creates of cluster-scoped objects answer 200 with the request',
    ['verbs', 'responses', 'meta'],
    removeIn('metadata.uid', { method: 'POST', path: /\/v1\/(priorityclasses|ingressclasses)$/ }),
  ),
];
