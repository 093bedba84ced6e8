import { edited } from '../sabotage/edited.ts';
import {
  answerStatus,
  changeRequest,
  forceQuery,
  ignoreQuery,
  removeIn,
  requestHeader,
} from '../sabotage/transforms.ts';
import type { Json } from '../verbs/json.ts';
import { type Fault, fault } from './fault.ts';
import { misread, recalling, remembering } from './meddling.ts';

const without =
  (...path: readonly string[]) =>
  (body: Json): Json =>
    edited(body, path, () => undefined);

/** The annotations that a manager has ever applied. */
const clinging = recalling(() => {
  const applied = new Map<string, Json>();
  return (body, { headers, path, query }) => {
    if (!String(headers['content-type']).includes('apply-patch')) return body;
    const key = `${path} ${query.get('fieldManager')}`;
    const annotations = { ...applied.get(key), ...body.metadata?.annotations };
    applied.set(key, annotations);
    return Object.keys(annotations).length === 0 ? body : { ...body, metadata: { ...body.metadata, annotations } };
  };
});

export const applyFaults: readonly Fault[] = [
  fault('apply never removes annotations', ['apply', 'meta'], clinging),
  fault(
    'force=false is taken for force',
    'apply',
    misread({ method: 'PATCH', query: { force: true } }, (query) => query.set('force', 'true')),
  ),
  fault(
    'apply to custom objects always forces',
    'apply',
    forceQuery('force', 'true', { method: 'PATCH', path: /touchstone\.example/, header: { 'content-type': /apply/ } }),
  ),
  fault(
    'apply needs no fieldManager',
    'apply',
    forceQuery('fieldManager', 'default', {
      method: 'PATCH',
      query: { fieldManager: false },
      header: { 'content-type': /apply/ },
    }),
  ),
  fault(
    'apply answers 200 when it creates',
    ['apply', 'verbs', 'responses'],
    answerStatus(200, { method: 'PATCH', instead: 201 }),
  ),
  fault(
    'an update of a status loses managedFields',
    ['apply'],
    changeRequest('', (body) => ({ ...body, metadata: { ...body.metadata, managedFields: [{}] } }), {
      method: 'PUT',
      path: /\/status$/,
    }),
  ),
  fault(
    'writes to a status have no manager',
    ['params', 'apply'],
    ignoreQuery('fieldManager', {
      path: /\/status$/,
      method: ['PUT', 'PATCH'],
      header: { 'content-type': /(json|merge-patch\+json)$/ },
    }),
  ),
  fault(
    'JSON patches have no manager',
    ['params', 'apply'],
    ignoreQuery('fieldManager', { header: { 'content-type': /json-patch/ } }),
  ),
  fault(
    'the default manager is the whole user agent',
    'apply',
    requestHeader('user-agent', 'mytool-v1.2 (linux)', { header: { 'user-agent': /^mytool/ } }),
  ),
  fault(
    'a conflict does not say with whom',
    ['errors', 'apply'],
    removeIn('details.causes.*.message', { method: 'PATCH' }),
  ),
  fault(
    'a forced field stays with its former manager',
    'apply',
    remembering(() => {
      const before = new Map<string, Json>();
      return (body, { path, query, method }) => {
        const entries = body.metadata?.managedFields;
        if (method !== 'PATCH' || !entries) return body;
        const known = before.get(path);
        before.set(path, entries);
        if (query.get('force') !== 'true' || !known) return body;
        const mine = entries.filter((entry: Json) => entry.manager === query.get('fieldManager'));
        const theirs = known.filter((entry: Json) => entry.manager !== query.get('fieldManager'));
        return { ...body, metadata: { ...body.metadata, managedFields: [...theirs, ...mine] } };
      };
    }),
  ),
  fault(
    'apply takes managedFields in its body',
    'apply',
    changeRequest('', without('metadata', 'managedFields'), { method: 'PATCH', header: { 'content-type': /apply/ } }),
  ),
  fault(
    'applied finalizers replace those of others',
    'apply',
    requestHeader('content-type', 'application/merge-patch+json', {
      method: 'PATCH',
      header: { 'content-type': /apply/ },
      body: /finalizers/,
    }),
  ),
];
