import type { Json } from '../../../verbs/client.ts';
import { ownLabels } from '../../play/scenario.ts';
import { objectOf } from '../../samples/objects.ts';
import { accepts, type Form, inForm } from '../forms.ts';
import { beside, type KindStory, type StepParts } from '../story.ts';

const own = 'app=<own>';
const colors = ['red', 'green', 'blue', 'red', 'green'];

const labelsOf = (at: number): Json => ({
  color: colors[at],
  ...(at % 2 === 0 ? { even: 'yes' } : {}),
  place: `p${at}`,
  number: ['-3', '7', 'x', '07', '40'][at],
  ...(at === 2 ? { empty: '' } : {}),
});

/** A hyphen comes before all letters and digits, to who does not pass over it. */
const [here, elsewhere] = [
  ['o0', 'o1', 'o2', 'o-3', 'o4'],
  ['p0', 'p-1'],
] as const;

/**
 * Five objects in one namespace, two in another beside one that is called as one of the first, and one in a third whose
 * name begins with that of the first; for a kind without namespaces, seven.
 */
function populate(at: KindStory): void {
  for (const [place, word] of here.entries()) at.create(objectOf(at.kind, word, labelsOf(place)));
  for (const [place, word] of elsewhere.entries()) at.create(objectOf(at.kind, word, labelsOf(place)), {}, 2);
  if (!at.kind.namespaced) return;
  at.create(objectOf(at.kind, 'o2', labelsOf(2)), {}, 2);
  anotherNamespace(at);
  // The Pods of a namespace need its account.
  if (at.kind.kind !== 'Pod') at.create(objectOf(at.kind, 'q0', labelsOf(0)), {}, 11);
}

/** Its name begins with that of the first one. */
export function anotherNamespace(at: KindStory): void {
  const metadata = { name: '<own>-11', labels: ownLabels };
  at.story.add('create namespaces', 'POST', '/api/v1/namespaces', {
    body: { json: { apiVersion: 'v1', kind: 'Namespace', metadata } },
  });
}

export const labelSelectors: readonly string[] = [
  'color=red',
  'color==green',
  'color!=red',
  'even',
  '!even',
  '!app',
  'color in (red, blue)',
  'color notin (red)',
  'color=red,even',
  'color in (red),!even',
  'color=none',
  'place',
  'empty',
  '!empty',
  'empty=',
  'empty!=',
  'empty in (,some)',
  'number>3',
  'number<7',
  'number>-5,number<40',
  'number>+3',
  'number<x',
  'number notin ()',
  ' color = red ',
  'color in (red,red)',
  'color=red,',
  'example.com/none notin (a)',
];

const fieldSelectors: readonly string[] = [
  'metadata.name=NAME',
  'metadata.name!=NAME',
  'metadata.namespace=<own>-1',
  'metadata.namespace=<own>-1,metadata.name=NAME',
  'metadata.namespace=<own>-1,metadata.name!=NAME',
  'metadata.name!=NAME,metadata.name!=p0',
  'metadata.none=1',
  // What ends a term or begins a value may stand in one.
  'metadata.name!=a\\,b',
  'metadata.name!=a\\=b\\\\',
];

/** Plain values of an object by their paths, to select by: no kind knows all of them, and most know none. */
function* leavesOf(value: Json, path: string): Generator<readonly [string, string]> {
  if (value === null || Array.isArray(value)) return;
  if (typeof value !== 'object') yield [path, String(value)];
  else
    for (const [name, member] of Object.entries(value)) yield* leavesOf(member, path === '' ? name : `${path}.${name}`);
}

const mostLeaves = 16;

/** Fields of which some kinds know how to select by them; the first are of no sample. */
export function ownSelectors(at: KindStory): readonly string[] {
  const { apiVersion: _, kind: __, metadata: ___, ...parts } = objectOf(at.kind, 'o2');
  const leaves = [...leavesOf(parts, '')].filter(([path]) => path.length < 60).slice(0, mostLeaves);
  const common = ['status.phase=Active', 'status.phase!=', 'spec.nodeName=', 'source=touchstone', 'status.replicas=0'];
  return [...common, ...leaves.flatMap(([path, value]) => [`${path}=${value}`, `${path}!=${value}`])];
}

/** What is chosen of a list: by labels, by fields, in one namespace and in all. */
export function selecting(at: KindStory): void {
  populate(at);
  const name = objectOf(at.kind, 'o2').metadata.name;
  const ask = (query: Record<string, string>, place?: number, more: StepParts = {}): string =>
    at.list({ ...beside, ...more, query }, place);
  for (const labelSelector of labelSelectors) {
    // In a namespace of the play nothing else has to be chosen, and a server may know no more of what stands first.
    ask({ labelSelector: at.kind.namespaced ? labelSelector : `${own},${labelSelector}` }, 1);
    ask({ labelSelector: `${own},${labelSelector}` });
  }
  for (const fieldSelector of ownSelectors(at)) ask({ fieldSelector, labelSelector: own }, 1);
  for (const text of fieldSelectors) {
    const fieldSelector = text.replace('NAME', name);
    ask({ fieldSelector, labelSelector: own }, 1);
    ask({ fieldSelector, labelSelector: own });
  }
  for (const form of ['table', 'metadataList', 'yaml', 'protobuf', 'tableOrJson', 'protobufMetadata'] as const) {
    ask({ labelSelector: `${own},color=red` }, 1, inForm(form));
    ask({ labelSelector: own }, undefined, inForm(form));
  }
  for (const labelSelector of [`${own},=`, 'a in (', 'UPPER CASE', '!']) ask({ labelSelector }, 1);
  for (const includeObject of ['None', 'Object', 'Metadata', 'Other'])
    ask({ includeObject, labelSelector: own }, 1, inForm('table'));
}

interface Paging {
  readonly place?: number;
  readonly limit: number;
  readonly query?: Record<string, string>;
  readonly form?: Form;
}

/**
 * All pages of a list, the last one and one too many. Where others have objects too, whether a page is the last one is
 * theirs to decide: there the pages are followed, and looked at while more of the play's own are to come.
 */
function pages(at: KindStory, total: number, { place, limit, query = {}, form = 'json' }: Paging): void {
  const forms = inForm(form);
  if (place === undefined || !at.kind.namespaced) {
    if (form !== 'table') at.list({ query: { ...query, limit: String(limit) }, ...forms, walk: true }, place);
    if (limit < total) turned(at, { ...query, limit: String(limit) }, forms, place);
    return;
  }
  let last = at.list({ query: { ...query, limit: String(limit) }, ...forms }, place);
  for (let got = limit; got < total + limit; got += limit)
    last = at.list(
      { query: { ...query, limit: String(limit), continue: `<${last}:metadata.continue>` }, ...forms },
      place,
    );
}

/** A page and the next one. */
function turned(at: KindStory, query: Record<string, string>, forms: StepParts, place?: number): void {
  const first = at.list({ query, ...forms }, place);
  at.list({ query: { ...query, continue: `<${first}:metadata.continue>` }, ...forms }, place);
}

export function paging(at: KindStory): void {
  populate(at);
  for (const limit of [1, 2, 3, 5]) pages(at, 5, { place: 1, limit, query: { labelSelector: own } });
  // How many remain is told of pages without a selector alone.
  if (at.kind.namespaced && !hasOthers(at)) {
    for (const limit of [1, 2, 5, 6]) pages(at, 5, { place: 1, limit });
    for (const form of ['protobuf', 'metadataList', 'yaml'] as const)
      at.list({ query: { limit: '2' }, ...inForm(form) }, 1);
  }
  for (const limit of [1, 3]) pages(at, 7, { limit, query: { labelSelector: own } });
  pages(at, 7, { limit: 2, query: { labelSelector: `${own},color!=red` } });
  pages(at, 3, { place: 1, limit: 2, query: { labelSelector: `${own},even` } });
  const fieldSelector = `metadata.name!=${objectOf(at.kind, 'o-3').metadata.name}`;
  pages(at, 4, { place: 1, limit: 2, query: { labelSelector: own, fieldSelector } });
  pages(at, 3, { place: 1, limit: 2, query: { labelSelector: `${own},color in (red,blue)` } });
  pages(at, 2, { limit: 1, query: { labelSelector: `${own},color=green` } });
  for (const form of ['table', 'metadataList'] as const)
    pages(at, 5, { place: 1, limit: 2, query: { labelSelector: own }, form });
  chosenFurtherOn(at);
}

/** One object by its name, where a list goes on: it comes after that place, or has been told before it. */
function chosenFurtherOn(at: KindStory): void {
  const page = at.list({ query: { labelSelector: own, limit: '2' } }, 1);
  for (const word of ['o0', 'o1', 'o2', 'o4']) {
    const fieldSelector = `metadata.name=${objectOf(at.kind, word).metadata.name}`;
    at.list({ query: { labelSelector: own, fieldSelector, limit: '1', continue: `<${page}:metadata.continue>` } }, 1);
  }
}

/** Others may put a ConfigMap into each namespace. */
const hasOthers = ({ kind }: KindStory): boolean => kind.resource === 'configmaps';

/** Pages of one moment, whatever happens meanwhile; versions to list at, good and bad. */
export function moments(at: KindStory): void {
  populate(at);
  const query = { labelSelector: own };
  if (!at.kind.namespaced) {
    const seen = at.list({ query });
    // A cache of this kind may not hear of the others' versions: it does of this one's.
    at.create(objectOf(at.kind, 'late', { color: 'late' }));
    versions(at, `<${seen}:metadata.resourceVersion>`, query);
    return;
  }
  // A server may read what is selected in another way than what is not.
  const asked = (hasOthers(at) ? [query] : [query, {}]).map(
    (chosen) => [chosen, at.list({ query: { ...chosen, limit: '2' } }, 1)] as const,
  );
  at.create(objectOf(at.kind, 'o2b', { color: 'red' }));
  at.delete('o-3');
  at.patch('o4', 'merge', { metadata: { labels: { color: 'late' } } });
  for (const [chosen, first] of asked) {
    turnedPages(at, first, chosen);
    versions(at, `<${first}:metadata.resourceVersion>`, chosen);
  }
  uncounted(at);
}

/** Pages of all there is in a namespace: of those it is told how many remain, as it was at the first of them. */
function uncounted(at: KindStory): void {
  if (hasOthers(at)) return;
  const page = (last?: string, form: Form = 'json'): string =>
    at.list(
      { query: { limit: '1', ...(last ? { continue: `<${last}:metadata.continue>` } : {}) }, ...inForm(form) },
      1,
    );
  const first = page();
  for (const word of ['y', 'z']) at.create(objectOf(at.kind, word));
  const second = page(first);
  at.delete('o4');
  for (const form of ['json', 'protobuf', 'yaml', 'metadataList'] as const) page(second, form);
}

/** The pages after the first, all of its moment. */
function turnedPages(at: KindStory, first: string, query: Readonly<Record<string, string>>): void {
  const version = `<${first}:metadata.resourceVersion>`;
  const second = at.list({ query: { ...query, limit: '2', continue: `<${first}:metadata.continue>` } }, 1);
  at.list({ query: { ...query, limit: '2', continue: `<${second}:metadata.continue>` } }, 1);
  at.list({ query: { ...query, continue: `<${first}:metadata.continue>` } }, 1);
  at.list(
    { ...beside, query: { ...query, limit: '2', continue: `<${first}:metadata.continue>`, resourceVersion: version } },
    1,
  );
  at.list({ ...beside, query: { ...query, resourceVersion: version, resourceVersionMatch: 'Exact', limit: '2' } }, 1);
  at.list({ ...beside, query: { ...query, resourceVersion: version, limit: '2' } }, 1);
  at.list({ ...beside, query: { ...query, resourceVersion: '0', limit: '2' } }, 1);
}

/** No server is there yet: each takes a while to say so, so that all are asked at once. */
const never = '99999999999';

/** Versions to list and to read at, good and bad, and odd limits. */
function versions(at: KindStory, version: string, query: Readonly<Record<string, string>>): void {
  for (const resourceVersion of ['', '0', version, 'none', never])
    for (const match of ['', 'Exact', 'NotOlderThan', 'Sometimes'])
      at.list(
        {
          ...beside,
          query: {
            ...query,
            ...(match ? { resourceVersionMatch: match } : {}),
            ...(resourceVersion ? { resourceVersion } : {}),
          },
        },
        1,
      );
  for (const resourceVersion of [never, version])
    for (const resourceVersionMatch of ['Exact', 'NotOlderThan'])
      at.list({ ...beside, query: { ...query, limit: '2', resourceVersion, resourceVersionMatch } }, 1);
  at.get('o1', { ...beside, query: { resourceVersion: never }, headers: { accept: accepts.json } });
  at.list({ ...beside, query: { labelSelector: own, resourceVersion: '0' } });
  at.list({ ...beside, query: { ...query, limit: '2', continue: 'nonsense' } }, 1);
  for (const limit of ['-1', '0', 'many', '9999999999999999999']) at.list({ ...beside, query: { ...query, limit } }, 1);
  at.get('o1', { ...beside, query: { resourceVersion: version } });
  at.get('o1', { ...beside, query: { resourceVersion: 'none' } });
}
