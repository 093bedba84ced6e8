import { edited } from '../../sabotage/edited.ts';
import { changeEvent, ignoreQuery, redirectPath, sabotage, swallowEvent } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';
import { outsideNamespaces, watches } from '../matches.ts';
import { misread, watching } from '../meddling.ts';

/** What a client is told of an object is taken from the first that it was told of this name. */
const knowsUids = watching(() => {
  const known = new Map<string, string>();
  return {
    event: (event) => {
      const { namespace = '', name, uid } = event.object?.metadata ?? {};
      if (!name || !uid) return [event];
      const key = `${event.object.apiVersion} ${event.object.kind} ${namespace}/${name}`;
      if (!known.has(key)) known.set(key, uid);
      return [edited(event, ['object', 'metadata', 'uid'], () => known.get(key))];
    },
  };
});

/** What a client is told of an object that it was told of before, even if that one is gone. */
const knowsNames = watching(() => {
  const gone = new Set<string>();
  return {
    event: (event) => {
      const { namespace = '', name } = event.object?.metadata ?? {};
      const key = `${event.object?.kind} ${namespace}/${name}`;
      if (event.type === 'DELETED') gone.add(key);
      return event.type === 'ADDED' && gone.has(key) ? [{ ...event, type: 'MODIFIED' }] : [event];
    },
  };
});

const byPrefix = sabotage('selects by the beginning of a name', () => {
  const wanted = new WeakMap<object, string>();
  return {
    request: (request) => {
      const name = /^metadata\.name==?([^,]+)$/.exec(request.query.get('fieldSelector') ?? '')?.[1];
      if (!name || !request.query.has('watch')) return request;
      const query = new URLSearchParams(request.query);
      query.delete('fieldSelector');
      const next = { ...request, query, rawQuery: query.toString() };
      wanted.set(next, name);
      return next;
    },
    event: (event, request) =>
      (event.object?.metadata?.name ?? '').startsWith(wanted.get(request) ?? '') ? [event] : [],
  };
});

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

/** Watches of one name, of one namespace and of all, and names that are given anew. */
export default [
  fault(
    'a watch by the field of the namespace hears of all of them',
    ['watch', 'params'],
    ignoreQuery('fieldSelector', {
      method: 'GET',
      query: { watch: true, fieldSelector: /^metadata\.namespace=[^,]*$/ },
    }),
  ),
  fault('what is made anew is watched with the uid that its name had before', ['watch', 'meta', 'names'], knowsUids),
  fault(
    'removals are not told to who watches one name everywhere',
    ['watch', 'service'],
    swallowEvent('DELETED', {
      method: 'GET',
      path: outsideNamespaces,
      query: { watch: true, fieldSelector: /metadata\.name=/ },
    }),
  ),
  fault('what is made anew under its name is told as modified', ['watch', 'service'], knowsNames),
  fault('a watch of one name hears of names that begin with it', ['watch', 'lists'], byPrefix),
  fault(
    'an object that is there without a namespace is watched by name in vain',
    ['watch', 'params'],
    swallowEvent('MODIFIED', {
      ...watches,
      path: outsideNamespaces,
      query: { watch: true, fieldSelector: /^metadata\.name=/ },
    }),
  ),
  fault(
    'who watches all but one hears of that one',
    ['watch', 'params'],
    misread({ ...watches, query: { watch: true, fieldSelector: /!=/ } }, (query) => query.delete('fieldSelector')),
  ),
  fault('a watch over all namespaces never hears of a new one', ['watch', 'service'], deafToNew),
  slip(
    'a watch of one namespace begins with what is in all of them',
    ['watch', 'service'],
    'watch/watcher.ts',
    'const { items, revision: now } = await store.list(prefix, { any });',
    "const { items, revision: now } = await store.list(`${prefix.split('/').slice(0, 2).join('/')}/`);",
  ),
  slip(
    'a watch of one object does not hear that it is made anew',
    ['watch', 'names', 'service'],
    'watch/watcher.ts',
    '    if (!change) return;',
    "    if (!change) return;\n    if (change.type === 'DELETED' && !this.#request.prefix.endsWith('/')) this.#subscription?.stop();",
  ),
  slip(
    'a watch of one name in all namespaces hears of none',
    ['watch', 'params'],
    'request/verbs/watch.ts',
    'name && (namespace || !resource.namespaced) ? keyOf',
    'name ? keyOf',
  ),
  slip(
    'a watch of a namespace hears of those whose names begin with its own',
    ['watch', 'paths'],
    'request/verbs/watch.ts',
    'prefixOf(resource, namespace);\n\n/** The head',
    '(namespace ? prefixOf(resource, namespace).slice(0, -1) : prefixOf(resource, namespace));\n\n/** The head',
  ),
  slip(
    'a watch of a namespace hears of those whose names begin like it',
    ['watch'],
    'request/verbs/watch.ts',
    ': prefixOf(resource, namespace);',
    ': namespace ? prefixOf(resource, namespace).slice(0, -1) : prefixOf(resource, namespace);',
  ),
  slip(
    'a watch of one name knows no end',
    ['watch', 'params'],
    'request/verbs/watch.ts',
    "watchTimeout(query.integer('timeoutSeconds'))",
    "watchTimeout(selection.name ? undefined : query.integer('timeoutSeconds'))",
  ),
  slip(
    'the older path to watch one object tells of all',
    ['watch', 'paths'],
    'request/verbs/watch.ts',
    '{ ...parameters, name: info.pathName }',
    'parameters',
  ),
  slip(
    'one name in all namespaces is found in the first of them',
    ['lists', 'names', 'params'],
    'registry/list.ts',
    'return { items: items.filter(selection.matches), revision: shown };',
    'return { items: items.filter(selection.matches).slice(0, selection.name ? 1 : undefined), revision: shown };',
  ),
  slip(
    'a watch of all namespaces that asks for one by its fields hears of all',
    ['watch', 'params', 'lists'],
    'request/verbs/watch.ts',
    '{ ...parameters, name: info.pathName }',
    "{ ...parameters, name: info.pathName, fieldSelector: parameters.fieldSelector?.replace(/metadata\\.namespace==?[^,]*,?/, '') }",
  ),
  slip(
    'a watch of one name ends once its object is gone',
    ['watch', 'service'],
    'watch/watcher.ts',
    '    this.#context.wantFlush(this);\n  }',
    "    this.#context.wantFlush(this);\n    if (change.type === 'DELETED' && !this.#request.prefix.endsWith('/')) this.#close('timeout');\n  }",
  ),
  slip(
    'the old watch of one object passes over other fields',
    'watch',
    'registry/list-options.ts',
    "if (selector.exact('metadata.name') === name) return selector;",
    "if (selector.exact('metadata.name') === name) return fieldIs('metadata.name', name);",
  ),
  fault(
    'who watches a named group in one namespace by the older path hears nothing',
    ['verbs', 'watch'],
    changeEvent('', () => [], { path: /^\/apis\/.*\/watch\/namespaces\/[^/]+\/[^/]+$/ }),
  ),
  fault(
    'one namespace by the older path is told as it is, and no change of it',
    ['verbs', 'watch'],
    changeEvent('tells no change', (event) => (event.type === 'ADDED' ? [event] : []), {
      path: /\/watch\/namespaces\/[^/]+$/,
    }),
  ),
  fault(
    'the older path of one object tells of all in its collection',
    ['verbs', 'watch'],
    redirectPath(/(\/watch\/.*\/(?:secrets|leases|roles))\/[^/]+$/, '$1'),
  ),
];
