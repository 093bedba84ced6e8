import { type Hook, type HookAnswer, openHook } from '../../lab/admission-webhook.ts';
import type { Json } from '../../verbs/client.ts';
import { conversionAnswer, isConversion, questionsOf } from './conversions.ts';
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
function requestsOf({ received }: Hook): Json[] {
  const all = received.splice(0);
  if (isConversion(all[0]?.review)) return questionsOf(all.map(({ review }) => review));
  return all
    .map(({ review, query }) => ({ ...review?.request, query }))
    .filter(
      (request) =>
        !controllers.test(request.userInfo?.username) &&
        !putEverywhere.has(nameOf(request)) &&
        nameOf(request) !== probeName,
    )
    .sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : Number(nameOf(one) > nameOf(other))));
}

const nameOf = (request: Json): string => (request?.object ?? request?.oldObject)?.metadata?.name ?? '';

/** Stands in what a webhook is to answer for the uid of what it is asked. */
export const askedUid = '$uid';

const answering =
  (word: string) =>
  (review: Json): HookAnswer => {
    if (isConversion(review)) return { raw: conversionAnswer(review) };
    const { request } = review ?? {};
    const { annotations } = (request?.object ?? request?.oldObject)?.metadata ?? {};
    const told = annotations?.[answerKey(word)];
    return typeof told === 'string' ? JSON.parse(told.replaceAll(askedUid, request.uid)) : { allowed: true };
  };
