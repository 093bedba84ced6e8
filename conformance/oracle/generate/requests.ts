import type { Json } from '../../verbs/client.ts';
import { mergePatchHeaders, patchTypes } from '../../verbs/patch-types.ts';
import { isCustom, type OracleKind } from '../oracle-kind.ts';
import { type Random, randomOf } from '../play/random.ts';
import type { Scenario, StepHeaders } from '../play/scenario.ts';
import { nameOf, objectOf, sampleOf } from '../samples/objects.ts';
import { customDocuments, documents, fixed } from './fixed-requests.ts';
import { jsonTextsOf } from './json-texts.ts';
import { acceptValues, bodies, callers, contentTypes, methods, oddHeaders, queries } from './oddities.ts';
import { type Spelling, spellings } from './spellings.ts';
import { beside, KindStory, type StepParts, Story } from './story.ts';
import { isTourable, prepareFor } from './tours/tours.ts';
import { yamlTextsOf } from './yaml-texts.ts';

const review = {
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SelfSubjectRulesReview',
  spec: { namespace: 'default' },
};

/** How many sorts of oddities come before what servers tell of themselves, which is long. */
const soon = 4;

/** Batches of odd and good requests: first each oddity by itself, then without an end any with any. */
export function* requestScenarios(kinds: readonly OracleKind[], seed: number): Generator<Scenario> {
  const living = kinds.filter(isTourable).filter(({ kind }) => kind !== 'Namespace');
  const tried = triedOneByOne(living);
  const odd = ([kind, sort]: readonly [OracleKind, string]): Scenario =>
    oddityScenario(kind, sort, randomOf(seed, `${sort} on ${kind.kind}`));
  for (const one of tried.slice(0, soon)) yield odd(one);
  yield documents(kinds.filter((kind) => !isCustom(kind)));
  yield customDocuments(kinds.filter(isCustom));
  yield fixed();
  for (const one of tried.slice(soon)) yield odd(one);
  for (let number = 1; living.length > 0; number++) {
    const random = randomOf(seed, `requests ${number}`);
    yield mixed(random.pick(living), random, number);
  }
}

/**
 * Each sort of oddity on each of some kinds: each sort once, of one kind or another, before any comes again. Other code
 * may serve custom types, so two of them come early.
 */
function triedOneByOne(living: readonly OracleKind[]): readonly (readonly [OracleKind, string])[] {
  const builtIn = living.filter((kind) => !isCustom(kind));
  const early = [...builtIn.slice(0, 1), ...living.filter(isCustom).slice(0, 2), ...builtIn.slice(1, 2)];
  const sorts = Object.keys(oddities);
  return [
    ...early.flatMap((_, round) =>
      sorts.map((sort, at) => [early[(at + round) % early.length] as OracleKind, sort] as const),
    ),
    ...builtIn.slice(2, 22).flatMap((kind) => sorts.map((sort) => [kind, sort] as const)),
  ];
}

/** One kind of which an object is there, and what is sent to it. */
interface Tried {
  readonly at: KindStory;
  readonly first: string;
  readonly random: Random;
  readonly send: Sender;
}

/** Each header, body and parameter by itself; what says most at once comes first. */
const oddities: Readonly<Record<string, (tried: Tried) => void>> = {
  methods: ({ at, send }) => {
    const [item, collection] = [at.item('a'), at.collection(1)];
    for (const path of [item, collection, `${item}/none`, `${item}/status`, `${item}/status/none`, `${collection}/`])
      for (const method of methods)
        if (method !== 'DELETE' || at.mayDeleteAll) send('method', method, path, { query: 'dryRun=All' });
  },
  parameters: ({ at, send }) => {
    for (const query of queries) asked(send, at, at.item('a'), at.collection(1), query);
  },
  'content types': ({ at, first, send }) => {
    for (const type of contentTypes) typed(send, at, first, type);
  },
  forms: ({ at, send }) => {
    for (const accept of acceptValues) accepted(send, at, accept);
  },
  callers: ({ at, send }) => {
    for (const headers of callers) called(send, at, headers);
  },
  headers: ({ at, send }) => {
    for (const headers of oddHeaders) adorned(send, at, headers);
  },
  bodies: ({ at, random, send }) => {
    for (const text of bodies) writes(send, at.item('a'), at.collection(1), text, random);
  },
  spellings: ({ at, send }) => {
    for (const spelling of spellings) spelled(send, at, spelling);
  },
  'JSON texts': ({ at, send }) => {
    for (const text of jsonTextsOf(objectOf(at.kind, 'b')))
      send('JSON text', 'POST', at.collection(1), { query: 'dryRun=All', body: { text } });
  },
  YAML: ({ at, send }) => {
    const headers = { 'content-type': 'application/yaml' };
    for (const text of yamlTextsOf(objectOf(at.kind, 'b')))
      send('YAML', 'POST', at.collection(1), { query: 'dryRun=All', headers, body: { text } });
  },
};

/** All of one sort on one kind. */
function oddityScenario(kind: OracleKind, sort: string, random: Random): Scenario {
  const at = new KindStory(new Story(), kind);
  at.create(objectOf(kind, 'a'));
  const first = at.get('a');
  const send: Sender = (what, method, path, parts = {}) =>
    at.story.add(`${method} ${what} ${at.label}`, method, path, { ...beside, ...parts });
  oddities[sort]?.({ at, first, random, send });
  return at.story.scenario(`oddities on ${at.label}: ${sort}`, 'requests', 2, prepareFor([kind]));
}

function accepted(send: Sender, at: KindStory, accept: string): void {
  const headers = { accept };
  send('accept', 'GET', at.item('a'), { headers });
  send('accept', 'GET', at.collection(1), { headers, query: 'labelSelector=app%3D<own>' });
  send('accept', 'GET', at.item('none'), { headers });
  send('accept', 'POST', at.collection(1), { headers, query: 'dryRun=All', body: { json: objectOf(at.kind, 'b') } });
}

function typed(send: Sender, at: KindStory, first: string, type: string): void {
  const parts = { headers: { 'content-type': type }, query: 'dryRun=All' };
  const label = { json: { metadata: { labels: { a: 'b' } } } };
  send('content type', 'POST', at.collection(1), { ...parts, body: { json: objectOf(at.kind, 'b') } });
  send('content type', 'PUT', at.item('a'), { ...parts, body: { answerOf: first } });
  send('content type', 'PATCH', at.item('a'), { ...parts, body: label });
  send('content type', 'DELETE', at.item('a'), { ...parts, body: { json: rehearsal } });
}

type Sender = (what: string, method: string, path: string, parts?: StepParts) => string;

function writes(send: Sender, item: string, collection: string, text: string, random: Random): void {
  const [type] = random.some(Object.values(patchTypes), 1);
  send('body', 'POST', collection, { query: 'dryRun=All', body: { text } });
  send('body', 'PUT', item, { query: 'dryRun=All', body: { text } });
  send('body', 'PATCH', item, {
    query: 'dryRun=All&fieldManager=x',
    body: { text },
    headers: { 'content-type': type as string },
  });
  send('body', 'POST', collection, {
    query: 'dryRun=All',
    body: { text },
    headers: { 'content-type': 'application/yaml' },
  });
}

function asked(send: Sender, at: KindStory, item: string, collection: string, query: string): void {
  const rehearsed = query.startsWith('dryRun') ? `${query}&dryRun=All` : `dryRun=All&${query}`;
  const what = `?${query.split('=')[0]}`;
  send(what, 'GET', item, { query });
  // Told without a value it is a watch.
  const stream = query === 'watch=' ? { watch: {} } : {};
  if (!/^watch=(maybe|1)/.test(query) && query !== 'pretty=false')
    send(what, 'GET', collection, { ...stream, query: `labelSelector=app%3D<own>&${query}` });
  send(what, 'POST', collection, { query: rehearsed, body: { json: objectOf(at.kind, 'b') } });
  send(what, 'PATCH', item, {
    query: rehearsed,
    body: { json: { metadata: { labels: { a: 'b' } } } },
    headers: mergePatchHeaders,
  });
  send(what, 'DELETE', item, { query: rehearsed });
}

/** By what they read it, as good as without it. */
function spelled(send: Sender, at: KindStory, { by, query }: Spelling): void {
  const what = `?${query.split('=')[0]} spelled`;
  const { apiVersion, kind, metadata } = objectOf(at.kind, 'a');
  const change = { apiVersion, kind, metadata: { name: metadata.name, labels: { a: 'b' } } };
  const rehearsed = `${query}&dryRun=All`;
  if (by === 'get') send(what, 'GET', at.item('a'), { query });
  else if (by === 'list')
    send(what, 'GET', at.collection(1), { query: query.includes('labelSelector') ? query : `${query}&${ownOnly}` });
  else if (by === 'delete') send(what, 'DELETE', at.item('a'), { query: rehearsed });
  else
    send(what, 'PATCH', at.item('a'), {
      query: by === 'apply' ? `${rehearsed}&fieldManager=a` : rehearsed,
      body: { json: change },
      headers: { 'content-type': patchTypes[by === 'apply' ? 'apply' : 'merge'] },
    });
}

const ownOnly = 'labelSelector=app%3D<own>';

function adorned(send: Sender, at: KindStory, headers: StepHeaders): void {
  const what = Object.keys(headers)[0] ?? '';
  send(what, 'GET', at.item('a'), { headers });
  send(what, 'GET', at.item('none'), { headers });
  send(what, 'GET', at.collection(1), { headers, query: 'labelSelector=app%3D<own>' });
  send(what, 'POST', at.collection(1), { headers, query: 'dryRun=All', body: { json: objectOf(at.kind, 'b') } });
  send(what, 'PATCH', at.item('a'), {
    query: 'dryRun=All',
    headers: { ...headers, 'content-type': patchTypes.merge },
    body: { json: { metadata: { labels: { a: 'b' } } } },
  });
}

function called(send: Sender, at: KindStory, headers: StepHeaders): void {
  const parts = 'authorization' in headers ? { headers, anonymous: true } : { headers };
  send('as somebody', 'GET', at.item('a'), parts);
  send('as somebody', 'GET', at.collection(), { ...parts, query: 'labelSelector=app%3D<own>' });
  send('as somebody', 'POST', at.collection(1), {
    ...parts,
    query: 'dryRun=All',
    body: { json: objectOf(at.kind, 'b') },
  });
  // It is not about the kind.
  at.story.add('POST rules as somebody', 'POST', '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', {
    ...beside,
    ...parts,
    body: { json: review },
  });
  if ('impersonate-user' in headers) whoIs(at, headers);
}

/** Who asks for a certificate is told whom the server takes him for; with rights enough to ask. */
function whoIs(at: KindStory, headers: StepHeaders): void {
  const apiVersion = 'certificates.k8s.io/v1';
  const { spec } = sampleOf({ ...at.kind, kind: 'CertificateSigningRequest' })?.parts ?? {};
  at.story.add('who is somebody', 'POST', `/apis/${apiVersion}/certificatesigningrequests`, {
    ...beside,
    query: 'dryRun=All',
    headers: { ...headers, 'impersonate-group': 'system:masters' },
    body: { json: { apiVersion, kind: 'CertificateSigningRequest', metadata: { name: '<own>-who' }, spec } },
  });
}

const rehearsal: Json = { kind: 'DeleteOptions', apiVersion: 'v1', dryRun: ['All'] };

/** Anything with anything, on one kind, in one batch of rehearsals. */
function mixed(kind: OracleKind, random: Random, number: number): Scenario {
  const at = new KindStory(new Story(), kind);
  at.create(objectOf(kind, 'a', { color: 'red' }));
  const first = at.get('a');
  for (let count = 0; count < 60; count++) mix(at, random, first);
  return at.story.scenario(`requests ${number} on ${at.label}`, 'requests', 2, prepareFor([kind]));
}

/** Parameters that neither open a stream nor say what is a rehearsal. */
const harmless = queries.filter((one) => !one.includes('watch') && !one.startsWith('dryRun'));

function mix(at: KindStory, random: Random, first: string): void {
  const subs = at.kind.subresources
    .map(({ name }) => name)
    .filter((name) => !/proxy|exec|attach|portforward|log/.test(name));
  const path = random.pick([
    at.item('a'),
    at.item('a'),
    at.item('b'),
    at.collection(1),
    at.collection(1),
    at.item('a', random.pick([...subs, 'none'])),
  ]);
  const method = random.pick(at.mayDeleteAll ? methods.slice(0, 6) : methods.slice(0, 5));
  const query = [...random.some(harmless, random.below(3)), 'labelSelector=app%3D<own>', 'dryRun=All'].join('&');
  const given: readonly NonNullable<StepParts['body']>[] = [
    { json: objectOf(at.kind, 'b') },
    { answerOf: first },
    { answerOf: first, merge: { metadata: { name: nameOf(at.kind, 'b'), labels: { color: 'blue' } } } as Json },
    { text: random.pick(bodies) },
    { yaml: objectOf(at.kind, 'b') },
  ];
  // Who sends a body of its own says in it what is a rehearsal: a delete by any other is real, and nobody is beside it.
  const removals: readonly NonNullable<StepParts['body']>[] = [
    { json: rehearsal },
    { json: { ...rehearsal, preconditions: { uid: 'none' } } },
    { json: { ...rehearsal, propagationPolicy: 'Foreground', gracePeriodSeconds: 3 } },
    { text: random.pick(bodies) },
  ];
  const body = ['GET', 'HEAD'].includes(method) ? {} : { body: random.pick(method === 'DELETE' ? removals : given) };
  const isReal = method === 'DELETE' && 'text' in (body.body ?? {});
  at.story.add(`${method} ${at.label} mixed`, method, path, {
    ...(isReal ? {} : beside),
    query,
    headers: mixedHeaders(method, random),
    ...body,
  });
}

const mixedHeaders = (method: string, random: Random): Record<string, string> => ({
  ...(random.once(2) ? { accept: random.pick(acceptValues) } : {}),
  ...(method === 'PATCH' ? { 'content-type': random.pick(Object.values(patchTypes)) } : {}),
  ...(method !== 'GET' && random.once(6) ? { 'content-type': random.pick(contentTypes) } : {}),
  ...(random.once(8) ? random.pick(callers.slice(0, 11)) : {}),
});
