import type { Json } from '../../verbs/client.ts';

/** An answer of HTTP: a status, 200 if it is left out, and a body. */
interface RawAnswer {
  readonly status?: number;
  readonly body: Json;
}

export const isConversion = (review: Json): boolean => review?.kind === 'ConversionReview';

const withMetadata =
  (more: Json) =>
  ({ metadata }: Json): Json => ({ metadata: { ...metadata, ...more } });

/** What a webhook makes of objects with certain words besides: some of that it may, and some it may not. */
const oddly: Readonly<Record<string, (object: Json) => Json>> = {
  labelled: withMetadata({ labels: { app: 'converted', by: 'webhook' }, annotations: { by: 'webhook' } }),
  held: withMetadata({ finalizers: ['touchstone.example/hold'], generation: 77, ownerReferences: [] }),
  unlabelled: withMetadata({ labels: null, annotations: {} }),
  another: withMetadata({ uid: '00000000-1111-2222-3333-444444444444' }),
  renamed: withMetadata({ name: 'renamed' }),
  mislabelled: withMetadata({ labels: { 'not a key!': 'x' } }),
  misnoted: withMetadata({ annotations: { number: 1 } }),
  large: withMetadata({ annotations: { large: 'x'.repeat(1 << 18) } }),
  bare: () => ({ metadata: undefined }),
  other: () => ({ kind: 'Other' }),
  foreign: () => ({ apiVersion: 'other.example/v1' }),
  more: () => ({ unheardOf: 1, status: { seen: 5 } }),
};

type Change = (response: Json) => Json;

/** What a webhook answers whole questions with certain words in them; members that are undefined are left out. */
const wrongly: Readonly<
  Record<string, { readonly head?: Json; readonly response?: Change; readonly raw?: RawAnswer }>
> = {
  doubled: { response: ({ convertedObjects: all }) => ({ convertedObjects: [...all, ...all] }) },
  lost: { response: () => ({ convertedObjects: [] }) },
  untold: { response: () => ({ convertedObjects: undefined }) },
  strange: { response: () => ({ uid: 'other' }) },
  anonymous: { response: () => ({ uid: undefined }) },
  failed: { response: () => ({ result: { status: 'Failure' } }) },
  undecided: { response: () => ({ result: undefined }) },
  doubtful: { response: () => ({ result: { status: 'Maybe' } }) },
  otherwise: { head: { kind: 'Other' } },
  headless: { head: { kind: undefined, apiVersion: undefined } },
  silent: { head: { response: undefined } },
  broken: { raw: { status: 500, body: 'none' } },
  created: { raw: { status: 201, body: { kind: 'ConversionReview' } } },
  garbled: { raw: { body: '{"kind":' } },
  empty: { raw: { body: '' } },
};

/** The words by which an object asks for something else than to be converted. */
export const oddWords: readonly string[] = [...Object.keys(oddly), ...Object.keys(wrongly)];

/** The version `v2` of a kind calls `spec.word` a term, and `unspoken` is no word of either. */
function converted({ uid, desiredAPIVersion, objects }: Json): Json {
  const [from, to] = namesFor(desiredAPIVersion);
  if (objects.some(({ spec }: Json) => spec?.[from] === 'unspoken'))
    return { uid, result: { status: 'Failure', message: 'there is no word for it' } };
  const convertedObjects = objects.map(({ spec: { [from]: said, ...spec } = {}, ...object }: Json) => ({
    ...object,
    apiVersion: desiredAPIVersion,
    ...oddly[said]?.(object),
    spec: said === undefined ? spec : { ...spec, [to]: said },
  }));
  return { uid, convertedObjects, result: { status: 'Success' } };
}

const namesFor = (apiVersion: string): readonly [from: string, to: string] =>
  apiVersion.endsWith('/v2') ? ['word', 'term'] : ['term', 'word'];

export function conversionAnswer({ kind, apiVersion, request }: Json): RawAnswer {
  const [from] = namesFor(request.desiredAPIVersion);
  const said = request.objects.map(({ spec }: Json) => spec?.[from]).find((word: string) => wrongly[word]);
  const { head = {}, response, raw } = wrongly[said] ?? {};
  if (raw) return raw;
  const right = converted(request);
  return { body: { kind, apiVersion, response: { ...right, ...response?.(right) }, ...head } };
}

/** How often, with what beside it and for what a server asks is its own affair: what is told is of which sort its questions are. */
export const questionsOf = (reviews: readonly Json[]): Json[] =>
  [...new Set(reviews.flatMap(sortsOf))].sort().map((sort) => JSON.parse(sort));

/** Of each object, as text. A server may ask what is no question. */
function sortsOf(asked: Json): string[] {
  const { apiVersion: review, kind, request, ...more } = asked ?? {};
  const { uid, objects = [], ...rest } = request ?? {};
  return [objects].flat().map((object: Json) => {
    const { apiVersion, kind: of, metadata } = object ?? {};
    return JSON.stringify({
      ...{ review, kind, ...rest, apiVersion, of, beside: Object.keys(more), isNamed: typeof uid === 'string' },
      told: ['name', 'namespace', 'uid', 'creationTimestamp'].filter((member) => metadata?.[member] !== undefined),
    });
  });
}
