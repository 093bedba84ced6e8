import { ignoreQuery, swallowEvent } from '../../sabotage/transforms.ts';
import { fault, slip, slips } from '../fault.ts';
import { watches } from '../matches.ts';
import { misread, watching } from '../meddling.ts';

const watcher = 'watch/watcher.ts';

const missesFirst = watching(() => {
  const begun = new WeakSet<object>();
  return {
    event: (event, request) => {
      if (!/\/ingresses$/.test(request.path) || !request.query.get('resourceVersion') || begun.has(request))
        return [event];
      begun.add(request);
      return event.type === 'ADDED' ? [event] : [];
    },
  };
});

/** Where a watch begins: at a version, at 0, without one, after a break. */
export default [
  fault('a watch of Ingresses that takes up again misses the first change', ['watch', 'service'], missesFirst),
  fault(
    'a watch of a custom type everywhere ignores its version',
    ['watch', 'rv'],
    ignoreQuery('resourceVersion', { ...watches, path: /touchstone\.example\/[^/]+\/[a-z0-9]+$/ }),
  ),
  fault(
    'a watch from a version begins with the change that made it',
    ['watch', 'rv'],
    misread({ ...watches, query: { watch: true, resourceVersion: /^[1-9]\d*$/ } }, (query) =>
      query.set('resourceVersion', String(Number(query.get('resourceVersion')) - 1)),
    ),
  ),
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
  slip(
    'a watch that begins in the past hears nothing of it',
    ['watch', 'rv'],
    'store/change-log.ts',
    'if (!last || last.revision <= revision) return events.length;',
    'if (!(!last || last.revision <= revision)) return events.length;',
  ),
  slip(
    'a watch that begins in the past is told of all that is there as well',
    ['watch'],
    watcher,
    '      this.#start = revision;\n',
    '      this.#start = revision;\n      this.#delivery.startWith(additions((await store.list(prefix)).items.filter((each) => each.revision < revision), matches));\n',
  ),
  slip(
    'a watch that resumes misses the newest change',
    ['watch', 'service'],
    watcher,
    'if (event.revision <= this.#historyEnd) this.#delivery.addHistory(change);',
    'if (event.revision === this.#historyEnd && this.#request.revision !== undefined) return;\n    if (event.revision <= this.#historyEnd) this.#delivery.addHistory(change);',
  ),
  slip(
    'a watch that resumes tells its own version again',
    ['watch', 'rv'],
    watcher,
    'this.#start = revision;',
    'this.#start = revision - 1;',
  ),
  slip(
    'a watch without a version begins with what comes later',
    ['watch'],
    watcher,
    'this.#delivery.startWith(additions(items, matches));',
    '',
  ),
  slip(
    'a removal that happened before a watch resumed is told as a modification',
    ['watch', 'rv'],
    watcher,
    'this.#delivery.addHistory(change);',
    "this.#delivery.addHistory(change.type === 'DELETED' ? { ...change, type: 'MODIFIED' } : change);",
  ),
  slip(
    'a removal that happened before a watch resumed is not told',
    ['watch', 'rv'],
    watcher,
    'if (event.revision <= this.#historyEnd) this.#delivery.addHistory(change);',
    "if (event.revision <= this.#historyEnd) { if (change.type !== 'DELETED') this.#delivery.addHistory(change); }",
  ),
  slip(
    'resourceVersionMatch passes in a watch',
    ['watch', 'rv', 'params'],
    'registry/list-options.ts',
    "if (watching) refuse('resourceVersionMatch is forbidden for watch');",
    '',
  ),
  slip(
    'a watch at version 0 of what has no namespace begins with what comes later',
    ['watch'],
    'request/verbs/watch.ts',
    'revision: version > 0 ? version : undefined,',
    "revision: version > 0 ? version : parameters.resourceVersion === '0' && !call.resource.namespaced ? await call.services.store.currentRevision() : undefined,",
  ),
  slip(
    'who resumes a watch does not hear of what was deleted meanwhile',
    ['watch', 'rv'],
    'watch/watcher.ts',
    'if (!change) return;\n    if (event.revision',
    "if (!change || (event.revision <= this.#historyEnd && change.type === 'DELETED')) return;\n    if (event.revision",
  ),
  slip(
    'a watch without a version tells the newest change twice',
    ['watch', 'rv'],
    'watch/watcher.ts',
    'this.#start = this.#historyEnd = now;',
    'this.#start = now - 1;\n      this.#historyEnd = now;',
  ),
  slips(
    'a watch that goes on at the version of a removal tells of it again',
    ['watch', 'service'],
    [
      {
        file: 'watch/watcher.ts',
        from: 'store.watch(prefix, this.#start, (event)',
        to: 'store.watch(prefix, Math.max(0, this.#start - 1), (event)',
      },
      {
        file: 'watch/watcher.ts',
        from: 'const change = visibleChange(event, this.#request.matches);',
        to: 'if (event.revision <= this.#start && event.current) return;\n    const change = visibleChange(event, this.#request.matches);',
      },
    ],
  ),
  slip(
    'a watch from version 0 does not begin with what there is',
    ['rv', 'watch'],
    'request/verbs/watch.ts',
    'const version = parseVersion(parameters.resourceVersion);',
    `const version =
    parameters.resourceVersion === '0'
      ? await services.store.currentRevision()
      : parseVersion(parameters.resourceVersion);`,
  ),
  slip(
    'a watch from a version that is no number is one from the beginning',
    ['params'],
    'request/verbs/watch.ts',
    'const version = parseVersion(parameters.resourceVersion);',
    'const version = Number(parameters.resourceVersion ?? 0) || 0;',
  ),
];
