import { edited } from '../../sabotage/edited.ts';
import { changeEvent, editEvent, retypeEvent, swallowEvent } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/json.ts';
import { fault, slip } from '../fault.ts';
import { collectionOf, outsideNamespaces, watches } from '../matches.ts';
import { watching } from '../meddling.ts';

/** An event goes out when the next one comes. */
const oneBehind = watching(() => {
  const held = new WeakMap<object, Json>();
  return {
    event: (event, request) => {
      const before = held.get(request);
      held.set(request, event);
      return before === undefined ? [] : [before];
    },
  };
});

const firstUntold = watching(() => {
  const begun = new Set<string>();
  return {
    request: ({ method, path }) => void (method === 'DELETE' && begun.add(path)),
    event: (event, { path }) => (event.type === 'DELETED' && begun.delete(path) ? [] : [event]),
  };
});

const losesSome = watching(() => {
  let changes = 0;
  return { event: (event) => (event.type === 'MODIFIED' && ++changes % 25 === 0 ? [] : [event]) };
});

/** Whoever watches is not told of what was written through a Scale. */
const silentScale = watching(() => {
  const scaled = new Set<string>();
  return {
    request: ({ method, path }) => {
      const [, name] = /\/([^/]+)\/scale$/.exec(path) ?? [];
      if (name && method !== 'GET') scaled.add(name);
    },
    event: (event) => (event.type === 'MODIFIED' && scaled.delete(event.object?.metadata?.name) ? [] : [event]),
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

const pathOf = (object: Json): string => `${object?.metadata?.namespace ?? ''}/${object?.metadata?.name}`;

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

/** What such a write makes is told otherwise to those who watch such a path. */
const changeMade = (method: string, type: RegExp, change: (event: Json) => Json, where = /^/) =>
  watching(() => {
    const written = new Set<string>();
    return {
      request: ({ path, headers, ...request }) => {
        if (request.method === method && type.test(String(headers['content-type']))) written.add(path);
      },
      event: (event, { path }) => {
        const { name, namespace } = event.object.metadata ?? {};
        const plural = path.split('/').at(-1);
        const place = namespace === undefined ? `/${plural}/${name}` : `/${namespace}/${plural}/${name}`;
        const isMade = event.type === 'ADDED' && [...written].some((one) => one.endsWith(place));
        return [isMade && where.test(path) ? change(event) : event];
      },
    };
  });

/** It is told as a change of what was there. */
const madeAsModified = (method: string, type: RegExp, where?: RegExp) =>
  changeMade(method, type, (event) => ({ ...event, type: 'MODIFIED' }), where);

/** What goes together is told together: whatever is removed until the next write has the version of the first of it. */
const removedAtOnce = watching(() => {
  let version: string | undefined;
  let collects = false;
  return {
    request: ({ method, path }) => {
      if (method === 'GET') return;
      collects = method === 'DELETE' && /\/namespaces\/[^/]+\/[a-z]+$/.test(path);
      version = undefined;
    },
    event: (event) => {
      if (!collects || event.type !== 'DELETED') return [event];
      version ??= event.object.metadata.resourceVersion;
      return [edited(event, ['object', 'metadata', 'resourceVersion'], () => version)];
    },
  };
});

/** Changes that are not told, told twice, or told as something else. */
export default [
  fault('an event is told when the next one comes', ['watch', 'service'], oneBehind),
  fault(
    'who watches is not told since when something is going',
    ['watch', 'deletion'],
    changeEvent(
      '',
      (event) => [
        event.type === 'MODIFIED' ? edited(event, ['object', 'metadata', 'deletionTimestamp'], () => undefined) : event,
      ],
      { method: 'GET' },
    ),
  ),
  fault(
    'what is added to a watch of Events has no type',
    ['watch', 'event'],
    editEvent('object.type', { ...watches, path: collectionOf('events') }),
  ),
  fault('the first that a deletecollection removes goes unannounced', ['watch', 'service'], firstUntold),
  fault('every twenty-fifth change is lost to who watches', ['watch', 'service'], losesSome),
  fault(
    'who watches the roles of all namespaces hears of no change',
    ['role', 'watch'],
    swallowEvent('MODIFIED', { ...watches, path: /^\/apis\/[^/]+\/v1\/roles$/ }),
  ),
  fault('writes through a Scale are not announced', ['watch', 'service'], silentScale),
  fault('writes to a status are not announced', ['watch'], silentStatus),
  fault('a deletecollection is not announced', ['service', 'watch'], silentCollections),
  fault('a change is announced twice', ['watch', 'service'], stutter),
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
  slip(
    'a second watch of a collection silences the first',
    ['watch', 'service'],
    'store/subscribers.ts',
    'const audience = known ?? new Audience<Subscriber>();',
    'const audience = new Audience<Subscriber>();\n    this.#byPrefix.set(prefix, audience);',
  ),
  slip(
    'a second change of an object is told as the first was',
    ['watch', 'service'],
    'watch/event-encoder.ts',
    'if (known?.stored === stored) return known.bytes;',
    'if (known?.stored.key === stored.key) return known.bytes;',
  ),
  slip(
    'what two watchers hear of one object is the same for all time',
    ['watch', 'service'],
    'watch/delivery.ts',
    'lastWaiting?.stored === stored && lastWaiting.encoder',
    'lastWaiting?.stored.key === stored.key && lastWaiting.encoder',
  ),
  slip(
    'a watch that converts stands still after its first event',
    ['watch', 'versioning'],
    'watch/delivery.ts',
    'this.#converted = chunk;\n        this.pump();',
    'this.#converted = chunk;\n        ',
  ),
  slip(
    'a removal bears the version of the last write',
    ['watch', 'service'],
    'watch/visible-change.ts',
    'stored: removed ?? stateLeft(event)',
    'stored: event.current ? stateLeft(event) : (previous as Stored)',
  ),
  slip(
    'of changes to an object in quick succession watchers hear the last',
    ['watch'],
    'watch/backlog.ts',
    'this.#changes.push(change);',
    "const last = this.#changes.length > this.#taken ? this.#changes.at(-1) : undefined; if (last?.type === 'MODIFIED' && change.type === 'MODIFIED' && last.stored.key === change.stored.key) this.#account(this.#changes.pop() as Waiting, -1); this.#changes.push(change);",
  ),
  fault('what an update makes is announced as modified', ['watch', 'service'], madeAsModified('PUT', /json/)),
  fault('what an apply makes is announced as modified', ['watch', 'service'], madeAsModified('PATCH', /apply/)),
  fault(
    'what an apply makes is a change to who watches all namespaces',
    ['watch', 'service'],
    madeAsModified('PATCH', /apply/, outsideNamespaces),
  ),
  fault(
    'what an apply makes is announced without its managers',
    ['watch', 'service'],
    changeMade('PATCH', /apply/, ({ object, ...event }) => {
      const { managedFields: _, ...metadata } = object.metadata;
      return { ...event, object: { ...object, metadata } };
    }),
  ),
  slip(
    'the event of a deletion carries the version of the last change before it',
    ['watch', 'rv'],
    'watch/visible-change.ts',
    'stored: removed ?? stateLeft(event) }',
    'stored: current ? stateLeft(event) : (previous as Stored) }',
  ),
  slip(
    'what goes with its last finalizer is told as modified',
    ['watch', 'service', 'deletion'],
    'watch/visible-change.ts',
    "return { type: 'DELETED', stored",
    "return { type: !current && previous.value.metadata.finalizers?.length ? 'MODIFIED' : 'DELETED', stored",
  ),
  fault(
    'who watches NetworkPolicies hears of no removal',
    ['watch', 'service'],
    watching(() => ({
      event: (event, { path }) => (path.endsWith('/networkpolicies') && event.type === 'DELETED' ? [] : [event]),
    })),
  ),
  slip(
    'a watch whose reader was slow once stands still for good',
    ['watch'],
    'watch/delivery.ts',
    'sink.onDrain(() => this.#drained());',
    '',
  ),
  fault('all that a deletecollection removes is told at one version', ['verbs'], removedAtOnce),
];
