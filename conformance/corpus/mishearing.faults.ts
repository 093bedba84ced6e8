import { edited } from '../sabotage/edited.ts';
import { changeAnswer, forceQuery, ignoreQuery, removeIn, retypeEvent } from '../sabotage/transforms.ts';
import { type Fault, fault } from './fault.ts';
import { mishear } from './meddling.ts';

const watches = { method: 'GET', query: { watch: true } };

/** What stands before a server hears half of what is asked. */
export const mishearingFaults: readonly Fault[] = [
  fault(
    'what is selected by labels is told as new whenever it changes',
    ['watch'],
    retypeEvent('MODIFIED', 'ADDED', { ...watches, query: { watch: true, labelSelector: true } }),
  ),
  fault(
    'a patch of no known type is a merge patch',
    ['verbs', 'content'],
    mishear('content-type', () => ['application/merge-patch+json'], {
      method: 'PATCH',
      header: { 'content-type': /^application\/json/ },
    }),
  ),
  fault(
    'an apply takes what it needs by force',
    ['apply', 'params'],
    forceQuery('force', 'true', { method: 'PATCH', header: { 'content-type': /apply/ } }),
  ),
  fault(
    'a list of everything in all namespaces forgets its fields',
    ['lists', 'params'],
    ignoreQuery('fieldSelector', { method: 'GET', path: /^\/api\/v1\/[^/]+$/, query: { watch: false } }),
  ),
  fault(
    'answers to applies do not tell who owns what',
    ['apply'],
    removeIn('metadata.managedFields', { method: 'PATCH', header: { 'content-type': /apply/ } }),
  ),
  fault(
    'a conflict does not tell which object is meant',
    ['errors', 'responses'],
    changeAnswer('', (body) => (body?.reason === 'Conflict' ? edited(body, ['details'], () => undefined) : body)),
  ),
];
