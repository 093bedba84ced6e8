import { type Hook, type HookAnswer, openHook } from '../../lab/admission-webhook.ts';
import type { Json } from '../../verbs/client.ts';
import { putEverywhere } from './put-everywhere.ts';

/** The webhooks of one play. */
export interface PlayedHooks {
  /** What steps may refer to, by `hook-WORD`. */
  readonly places: ReadonlyMap<string, Json>;
  /** What each was asked since this was last looked at. */
  readonly heard: () => Json;
  readonly close: () => void;
}

/** Under this an object says what the webhook `word` answers to its reviews; to all others it says yes. */
export const answerKey = (word: string): string => `hook.touchstone.example/${word}`;

/** Where one of them is: each play has its own. */
export const hookAddress = /^https:\/\/[^/]+\/hook-\d+$/;

/** Opens a webhook for each word. @param host at which a server reaches this machine */
export async function openHooks(words: readonly string[], host: string): Promise<PlayedHooks> {
  const all = await Promise.all(words.map(async (word) => [word, await openHook(answering(word), { host })] as const));
  return {
    places: new Map(all.map(([word, { url, caBundle }]) => [`hook-${word}`, { url, caBundle }])),
    heard: () => Object.fromEntries(all.map(([word, hook]) => [word, requestsOf(hook)])),
    close: () => {
      for (const [, hook] of all) hook.close();
    },
  };
}

const controllers = /^system:(kube-|serviceaccount:kube-system:)/;

/** What is tried until a configuration is in effect: how often that takes is not told. */
export const probeName = 'probe';

/** What controllers write meanwhile is no part of a play, and the objects of a collection go in any order. */
const requestsOf = ({ received }: Hook): Json[] =>
  received
    .splice(0)
    .map(({ review, query }) => ({ ...review?.request, query }))
    .filter(
      (request) =>
        !controllers.test(request.userInfo?.username) &&
        !putEverywhere.has(nameOf(request)) &&
        nameOf(request) !== probeName,
    )
    .sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : Number(nameOf(one) > nameOf(other))));

const nameOf = (request: Json): string => (request?.object ?? request?.oldObject)?.metadata?.name ?? '';

/** Stands in what a webhook is to answer for the uid of what it is asked. */
export const askedUid = '$uid';

const answering =
  (word: string) =>
  (review: Json): HookAnswer => {
    const { kind, apiVersion, request } = review ?? {};
    if (kind === 'ConversionReview') return { raw: { body: { kind, apiVersion, response: converted(request) } } };
    const { annotations } = (request?.object ?? request?.oldObject)?.metadata ?? {};
    const told = annotations?.[answerKey(word)];
    return typeof told === 'string' ? JSON.parse(told.replaceAll(askedUid, request.uid)) : { allowed: true };
  };

const withMetadata =
  (more: Json) =>
  ({ metadata }: Json): Json => ({ metadata: { ...metadata, ...more } });

/** What it makes of objects with certain words besides: some of that it may, and some it may not. */
const oddly: Readonly<Record<string, (object: Json) => Json>> = {
  labelled: withMetadata({ labels: { app: 'converted', by: 'webhook' }, annotations: { by: 'webhook' } }),
  held: withMetadata({ finalizers: ['touchstone.example/hold'], generation: 77, ownerReferences: [] }),
  another: withMetadata({ uid: '00000000-1111-2222-3333-444444444444' }),
  renamed: withMetadata({ name: 'renamed' }),
  mislabelled: withMetadata({ labels: { 'not a key!': 'x' } }),
  other: () => ({ kind: 'Other' }),
};

/** The version `v2` of a kind calls `spec.word` a term, and `unspoken` is no word of either. */
function converted({ uid, desiredAPIVersion, objects }: Json): Json {
  const [from, to] = desiredAPIVersion.endsWith('/v2') ? ['word', 'term'] : ['term', 'word'];
  if (objects.some(({ spec }: Json) => spec?.[from] === 'unspoken'))
    return { uid, result: { status: 'Failure', message: 'there is no word for it' } };
  const convertedObjects = objects.map(({ spec: { [from]: said, ...spec } = {}, ...object }: Json) => ({
    ...object,
    ...oddly[said]?.(object),
    apiVersion: desiredAPIVersion,
    spec: said === undefined ? spec : { ...spec, [to]: said },
  }));
  return { uid, convertedObjects, result: { status: 'Success' } };
}
