import { changeEvent, editEvent, ignoreQuery, retypeEvent, swallowEvent } from '../sabotage/transforms.ts';
import type { Json } from '../verbs/json.ts';
import { type Fault, fault } from './fault.ts';
import { watching } from './meddling.ts';

const watches = { method: 'GET', query: { watch: true } };
const pathOf = (object: Json): string => `${object?.metadata?.namespace ?? ''}/${object?.metadata?.name}`;

/** Namespaces that came after a watch over all of them began. */
const deafToNew = watching(() => {
  const made: string[] = [];
  const known = new WeakMap<object, number>();
  return {
    request: (request) => {
      if (request.query.has('watch')) known.set(request, made.length);
    },
    answer: (body, request) => {
      if (request.method === 'POST' && request.path === '/api/v1/namespaces') made.push(body.metadata?.name);
    },
    event: (event, request) => {
      if (request.path.includes('/namespaces')) return [event];
      const fresh = made.slice(known.get(request) ?? 0);
      return fresh.includes(event.object?.metadata?.namespace) ? [] : [event];
    },
  };
});

/** Versions that writes to a status gave. */
const silentStatus = watching(() => {
  const versions = new Set<string>();
  return {
    answer: (body, request) => {
      if (request.method !== 'GET' && request.path.endsWith('/status')) versions.add(body.metadata?.resourceVersion);
    },
    event: (event) => (versions.has(event.object?.metadata?.resourceVersion) ? [] : [event]),
  };
});

/** Objects that went with their collection. */
const silentCollections = watching(() => {
  let deleting = '';
  return {
    request: (request) => {
      deleting = request.method === 'DELETE' ? request.path : deleting;
    },
    event: (event, request) =>
      event.type === 'DELETED' && deleting === request.path && !deleting.endsWith(`/${event.object?.metadata?.name}`)
        ? []
        : [event],
  };
});

/** Objects that no request has deleted left what is watched for another reason. */
const stillThere = watching(() => {
  const deleted = new Set<string>();
  return {
    request: ({ method, path }) => {
      if (method === 'DELETE') deleted.add(path.split('/').at(-1) ?? '');
    },
    event: (event, request) => {
      const gone = [...deleted].some(
        (last) => last === event.object?.metadata?.name || request.path.endsWith(`/${last}`),
      );
      return event.type === 'DELETED' && !gone ? [{ ...event, type: 'MODIFIED' }] : [event];
    },
  };
});

/** The first event of each object comes twice. */
const stutter = watching(() => {
  const seen = new Set<string>();
  return {
    event: (event) => {
      const key = `${pathOf(event.object)} ${event.type}`;
      const first = !seen.has(key);
      seen.add(key);
      return first && event.type === 'MODIFIED' ? [event, event] : [event];
    },
  };
});

export const watchFaults: readonly Fault[] = [
  fault('a watch over all namespaces never hears of a new one', ['watch', 'service'], deafToNew),
  fault('writes to a status are not announced', ['watch'], silentStatus),
  fault('a deletecollection is not announced', ['service', 'watch'], silentCollections),
  fault('an object that leaves the selection is announced as modified', ['service', 'watch'], stillThere),
  fault('a change is announced twice', ['watch', 'service'], stutter),
  fault(
    'a watch of Leases ignores the version and tells of all that is there',
    'watch',
    ignoreQuery('resourceVersion', { ...watches, path: /\/leases$/ }),
  ),
  fault(
    'a watch at version 0 tells of nothing present',
    'watch',
    swallowEvent('ADDED', { ...watches, query: { watch: true, resourceVersion: '0' } }),
  ),
  fault(
    'the objects in a watch of custom types lack their kind',
    ['watch'],
    changeEvent('', ({ type, object: { kind: _, ...object } }) => [{ type, object }], {
      ...watches,
      path: /touchstone\.example/,
    }),
  ),
  fault(
    'a removal is announced with metadata only',
    ['watch', 'service'],
    changeEvent(
      '',
      (event) =>
        event.type === 'DELETED'
          ? [
              {
                type: event.type,
                object: {
                  metadata: event.object.metadata,
                  kind: event.object.kind,
                  apiVersion: event.object.apiVersion,
                },
              },
            ]
          : [event],
      watches,
    ),
  ),
  fault(
    'a watch ignores its label selector',
    ['watch', 'service', 'params'],
    ignoreQuery('labelSelector', { ...watches, path: /^\/apis\/[^/]+\/[^/]+\/[a-z0-9]+$/ }),
  ),
  fault('a watch ignores its field selector', ['watch', 'csr', 'service'], ignoreQuery('fieldSelector', watches)),
  fault('a watch ignores timeoutSeconds', ['params', 'watch'], ignoreQuery('timeoutSeconds', watches)),
  fault(
    'bookmarks bear version 0',
    'watch',
    changeEvent(
      '',
      (event) =>
        event.type === 'BOOKMARK'
          ? [{ ...event, object: { ...event.object, metadata: { resourceVersion: '0' } } }]
          : [event],
      watches,
    ),
  ),
  fault(
    'bookmarks come unasked',
    'watch',
    changeEvent(
      '',
      (event) => [
        event,
        {
          type: 'BOOKMARK',
          object: {
            kind: event.object.kind,
            apiVersion: event.object.apiVersion,
            metadata: { resourceVersion: event.object.metadata?.resourceVersion },
          },
        },
      ],
      { ...watches, query: { watch: true, allowWatchBookmarks: false } },
    ),
  ),
  fault(
    'a mark for deletion is announced as the removal',
    ['service', 'deletion'],
    changeEvent(
      '',
      (event) =>
        event.type === 'MODIFIED' && event.object.metadata?.deletionTimestamp
          ? [{ ...event, type: 'DELETED' }]
          : [event],
      watches,
    ),
  ),
  fault(
    'the events of cluster-scoped kinds bear the version of the object before',
    ['watch', 'service'],
    editEvent('object.metadata.resourceVersion', { ...watches, path: /\/(clusterroles|priorityclasses)$/ }),
  ),
  fault(
    'the second watch of a client calls additions modifications',
    ['watch', 'verbs'],
    retypeEvent('ADDED', 'MODIFIED', { ...watches, path: /\/endpointslices$/ }),
  ),
  fault(
    'objects in a watch lack managedFields',
    'watch',
    changeEvent(
      '',
      (event) => {
        const { managedFields: _, ...metadata } = event.object.metadata ?? {};
        return [{ ...event, object: { ...event.object, metadata } }];
      },
      watches,
    ),
  ),
];
