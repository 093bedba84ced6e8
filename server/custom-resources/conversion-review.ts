import { isJsonObject, memberOf } from '../base/json-value.ts';
import type { Json, KubeObject, ObjectMeta } from '../base/kube-object.ts';
import { contentErrors } from '../registry/steps/metadata-rules.ts';
import { reviewVersions } from './definition/definition-conversion.ts';

const group = 'apiextensions.k8s.io';

type Members = Readonly<Record<string, Json>>;

/** What a conversion webhook is asked: objects of one kind, and the version they shall have. */
export interface ConversionReview {
  readonly kind: 'ConversionReview';
  readonly apiVersion: string;
  readonly request: {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: readonly KubeObject[];
  };
}

/** `offered`: the review versions that the webhook understands, the preferred one first. */
export function conversionReview(
  offered: readonly string[],
  uid: string,
  desiredAPIVersion: string,
  objects: readonly KubeObject[],
): ConversionReview {
  const version = offered.find((each) => reviewVersions.includes(each)) ?? 'v1';
  return { kind: 'ConversionReview', apiVersion: `${group}/${version}`, request: { uid, desiredAPIVersion, objects } };
}

/**
 * The objects of an answer, in the order of the question. Of their metadata only labels and annotations count; all
 * else stays as it was. Which question it is an answer to, a review of `v1beta1` need not say.
 *
 * @throws Error the webhook failed, or its answer does not fit the question
 */
export function convertedObjects(review: ConversionReview, answer: unknown): KubeObject[] {
  const { desiredAPIVersion, objects } = review.request;
  if (!isJsonObject(answer)) throw new Error('the answer is no object');
  const response = memberOf(answer, 'response');
  if (!isJsonObject(response)) throw new Error('the answer has no response');
  if (review.apiVersion !== `${group}/v1beta1`) demandOwnAnswer(review, answer, response);
  demandSuccess(response['result']);
  const converted = response['convertedObjects'];
  const count = Array.isArray(converted) ? converted.length : 0;
  if (!Array.isArray(converted) || count !== objects.length) {
    throw new Error(`expected ${objects.length} converted objects, got ${count}`);
  }
  return objects.map((object, i) => accept(object, converted[i] as Json, desiredAPIVersion, i));
}

function demandOwnAnswer({ kind, apiVersion, request: { uid } }: ConversionReview, answer: Members, response: Members) {
  if (answer['kind'] !== kind || answer['apiVersion'] !== apiVersion)
    throw new Error(`the answer is no ${kind} of ${apiVersion}`);
  if (response['uid'] === uid) return;
  throw new Error(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response['uid'] ?? '')}`);
}

function demandSuccess(result: Json | undefined): void {
  const status = isJsonObject(result) ? result['status'] : undefined;
  if (status === 'Success') return;
  const message =
    isJsonObject(result) && typeof result['message'] === 'string' && result['message']
      ? result['message']
      : 'no message';
  throw new Error(status === 'Failure' ? message : `the result has the status ${JSON.stringify(status ?? '')}`);
}

function accept(object: KubeObject, given: Json, apiVersion: string, i: number): KubeObject {
  const refuse = (why: string): never => {
    throw new Error(`invalid converted object at index ${i}: ${why}`);
  };
  if (!isJsonObject(given)) return refuse('not an object');
  if (given['apiVersion'] !== apiVersion)
    return refuse(`invalid apiVersion: expected ${apiVersion}, got ${String(given['apiVersion'])}`);
  if (given['kind'] !== object.kind)
    return refuse(`invalid kind: expected ${object.kind}, got ${String(given['kind'])}`);
  const metadata = given['metadata'];
  if (!isJsonObject(metadata)) return refuse('missing metadata');
  for (const field of ['name', 'namespace', 'uid'] as const) {
    if ((metadata[field] ?? '') !== (object.metadata[field] ?? '')) return refuse(`${field} must not change`);
  }
  return { ...(given as unknown as KubeObject), metadata: mergedMetadata(object.metadata, metadata, refuse) };
}

function mergedMetadata(before: ObjectMeta, given: Members, refuse: (why: string) => never): ObjectMeta {
  const { labels: _labels, annotations: _annotations, ...kept } = before;
  const labels = textsOf(given['labels'], 'labels', refuse);
  const annotations = textsOf(given['annotations'], 'annotations', refuse);
  const told = { ...(labels && { labels }), ...(annotations && { annotations }) };
  const [wrong] = contentErrors(told);
  if (wrong) refuse(`${wrong.field}: ${wrong.text}`);
  return { ...kept, ...told };
}

/** A map of texts; undefined when there is nothing in it. */
function textsOf(
  value: Json | undefined,
  what: string,
  refuse: (why: string) => never,
): Record<string, string> | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value) || Object.values(value).some((each) => typeof each !== 'string'))
    return refuse(`${what} must be a map of texts`);
  return Object.keys(value).length > 0 ? (value as Record<string, string>) : undefined;
}
