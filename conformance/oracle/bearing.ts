import { catalogue } from '../catalogue/catalogue.ts';
import type { Divergence } from './compare/duel.ts';

interface Bearing {
  /** Of what a request asks: its verb and its words. */
  readonly when: (asked: Asked) => boolean;
  /** How the ids of the rules begin. */
  readonly rules: readonly string[];
}

interface Asked {
  readonly what: string;
  readonly method: string;
  readonly query: string;
  readonly headers: string;
  /** Where the answers differ. */
  readonly at: string;
}

const verb =
  (name: string): ((asked: Asked) => boolean) =>
  ({ what }) =>
    what.startsWith(name);
const asks =
  (word: string): ((asked: Asked) => boolean) =>
  ({ query }) =>
    query.includes(word);
const on =
  (resource: string): ((asked: Asked) => boolean) =>
  ({ what }) =>
    new RegExp(`\\b${resource}\\b`).test(what);
const differsAt =
  (path: RegExp): ((asked: Asked) => boolean) =>
  ({ at }) =>
    path.test(at);

/** Which documented rules a difference has to do with; those that say most of it come first. */
const bearings: readonly Bearing[] = [
  { when: asks('dryRun'), rules: ['dryrun.all', 'dryrun.values'] },
  { when: ({ query }) => /"(limit|continue)"/.test(query), rules: ['lists.paging'] },
  {
    when: ({ what, query }) => what.startsWith('list') && query.includes('resourceVersion'),
    rules: ['lists.rv', 'rv.match'],
  },
  { when: ({ what, query }) => what.startsWith('get') && query.includes('resourceVersion'), rules: ['get.rv'] },
  {
    when: ({ what, query }) => what.startsWith('watch') && query.includes('resourceVersion'),
    rules: ['watch.rv', 'watch.history'],
  },
  { when: asks('fieldValidation'), rules: ['fields.validation', 'fields.unknown', 'fields.duplicate'] },
  {
    when: ({ headers }) => headers.includes('impersonate-'),
    rules: ['impersonate.flow', 'impersonate.permission', 'impersonate.user'],
  },
  { when: ({ headers }) => headers.includes('as=Table'), rules: ['content.table'] },
  { when: ({ headers, what }) => /protobuf/.test(headers + what), rules: ['content.protobuf'] },
  { when: ({ headers }) => /"accept"/.test(headers), rules: ['content.accept', 'content.not-acceptable'] },
  { when: differsAt(/managedFields/), rules: ['apply.managed-fields', 'apply.ownership'] },
  { when: differsAt(/finalizers|deletionTimestamp/), rules: ['deletion', 'meta.finalizers'] },
  { when: differsAt(/resourceVersion/), rules: ['rv', 'meta.resource-version'] },
  {
    when: differsAt(/metadata\.(name|generateName|namespace|uid|labels|annotations|creationTimestamp)/),
    rules: ['meta'],
  },
  { when: verb('apply'), rules: ['apply.merge', 'apply.conflict', 'apply.remove', 'verbs.apply'] },
  { when: verb('create'), rules: ['verbs.create', 'responses.create', 'names'] },
  { when: verb('get'), rules: ['verbs.get', 'responses.get'] },
  { when: verb('list'), rules: ['verbs.list', 'responses.list', 'params.list', 'collections'] },
  { when: verb('watch'), rules: ['verbs.watch', 'watch.type', 'watch.stream'] },
  { when: verb('update'), rules: ['verbs.update', 'responses.update'] },
  { when: ({ method }) => method === 'PATCH', rules: ['verbs.patch', 'responses.patch', 'params.patch'] },
  {
    when: verb('delete collection'),
    rules: ['verbs.deletecollection', 'responses.deletecollection', 'params.deletecollection'],
  },
  { when: verb('delete'), rules: ['verbs.delete', 'responses.delete', 'params.delete', 'deletion'] },
  { when: ({ what }) => what.includes('/'), rules: ['paths.subresource', 'service.subresources'] },
  ...['job', 'ingress', 'event', 'endpointslice', 'role', 'namespace', 'csr'].map((chapter) => ({
    when: on(chapter === 'csr' ? 'certificatesigningrequests' : chapter === 'ingress' ? 'ingresses' : `${chapter}s`),
    rules: [`${chapter}.`],
  })),
];

const most = 6;
const mostOfOne = 3;

/** The first rules whose ids begin so. */
export const rulesUnder = (prefix: string): readonly string[] =>
  catalogue
    .filter(({ id }) => id.startsWith(prefix))
    .slice(0, mostOfOne)
    .map(({ id }) => id);

/** Ids of documented rules that a difference bears on, the closest first; none where no sentence speaks of it. */
export function rulesBehind({ step, differences }: Divergence): readonly string[] {
  const asked: Asked = {
    what: step.what,
    method: step.method,
    query: JSON.stringify(step.query ?? ''),
    headers: JSON.stringify(step.headers ?? ''),
    at: differences[0]?.at ?? '',
  };
  const prefixes = bearings.filter(({ when }) => when(asked)).flatMap(({ rules }) => rules);
  return [...new Set(prefixes.flatMap(rulesUnder))].slice(0, most);
}
