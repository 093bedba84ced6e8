import type { ProxiedAnswer } from '../../sabotage/sabotage.ts';
import { answerStatus, ignoreQuery, sabotage } from '../../sabotage/transforms.ts';
import { fault, slip, slips } from '../fault.ts';
import { anyItem, asTable } from '../matches.ts';

const read = 'registry/read.ts';

/** The next read of an object after a write to what is below it is answered as the last one was. */
const stale = sabotage('answers from before', () => {
  const seen = new Map<string, ProxiedAnswer>();
  const old = new Set<string>();
  return {
    request: (request) => {
      const answer = request.method === 'GET' && request.rawQuery === '' ? seen.get(request.path) : undefined;
      return answer && old.delete(request.path) ? answer : request;
    },
    answer: (answer, { method, path, rawQuery }) => {
      const [, collection, name, below] = anyItem.exec(path) ?? [];
      if (!name || answer.status >= 300) return answer;
      if (method === 'GET' && !below && rawQuery === '') seen.set(path, answer);
      else if (method !== 'GET' && below && seen.has(`${collection}/${name}`)) old.add(`${collection}/${name}`);
      else if (method !== 'GET') seen.delete(path);
      return answer;
    },
  };
});

/** Reading one object at a resourceVersion. */
export default [
  fault(
    'a custom object cannot be had at a version that is past',
    ['get'],
    answerStatus(410, {
      method: 'GET',
      path: /touchstone\.example\/v1\/(?:namespaces\/[^/]+\/)?[^/]+\/[^/]+$/,
      query: { resourceVersion: /^[1-9]/ },
    }),
  ),
  fault('a read after a write to a subresource is answered from before it', ['get', 'rv', 'verbs'], stale),
  fault(
    'one object is told however late the version that is asked for',
    ['rv', 'get'],
    ignoreQuery('resourceVersion', {
      method: 'GET',
      query: { resourceVersion: /^\d{9,}$/, watch: false, limit: false },
    }),
  ),
  slip(
    'where one object is read, a version that is no number is none',
    ['rv', 'get'],
    read,
    'const asked = parseVersion(resourceVersion);',
    'const asked = Number(resourceVersion ?? 0) || 0;',
  ),
  slip(
    'a get of what has no namespace is answered at a version that is still to come',
    ['get', 'rv'],
    read,
    'if (asked > 0) await waitForVersion(services, asked, resource);',
    'if (asked > 0 && call.resource.namespaced) await waitForVersion(services, asked, resource);',
  ),
  slip(
    'a get at a version that is still to come is answered at once',
    ['rv', 'get'],
    read,
    'if (asked > 0) await waitForVersion(services, asked, resource);',
    '',
  ),
  slip(
    'a get of a custom object does not wait for the version that it asks for',
    ['rv', 'get'],
    'registry/read.ts',
    'if (asked > 0) await',
    'if (asked > 0 && !resource.custom) await',
  ),
  fault(
    'a status is read at a version that is still to come',
    ['get', 'rv'],
    ignoreQuery('resourceVersion', { method: 'GET', path: /\/status$/ }),
  ),
  fault(
    'one object as a Table is told however late the version that is asked for',
    ['rv', 'get'],
    ignoreQuery('resourceVersion', {
      method: 'GET',
      path: /\/[^/]+\/[^/]+$/,
      header: asTable,
      query: { watch: false },
    }),
  ),
  slips(
    'what has not changed since a version is not there yet at that version',
    ['get', 'rv'],
    [
      {
        file: 'registry/read.ts',
        from: 'if (!stored) throw notFound(missing, call.name);',
        to: 'if (!stored) throw notFound(missing, call.name);\n  if (asked > stored.revision && stored.revision) throw versionTooLarge(asked, stored.revision);',
      },
      {
        file: 'registry/read.ts',
        from: 'import { badRequest, notFound }',
        to: 'import { versionTooLarge, badRequest, notFound }',
      },
    ],
  ),
  slip(
    'a status is read whatever version is asked for',
    ['get', 'rv', 'service', 'paths'],
    'request/verbs/read.ts',
    "standIn ? undefined : exchange.query.text('resourceVersion')",
    "standIn || call.subresource ? undefined : exchange.query.text('resourceVersion')",
  ),
  slip(
    'where several are read, a version that is no number is none',
    ['params'],
    'registry/list-options.ts',
    'const version = parseVersion(resourceVersion);',
    'const version = Number(resourceVersion) || 0;',
  ),
];
