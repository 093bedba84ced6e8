import { isJsonObject, type JsonObject, memberOf } from '../../base/json-value.ts';
import type { Json } from '../../base/kube-object.ts';
import { type StatusDetails, StatusError } from '../../base/status-error.ts';
import { decodeJson } from '../../schema/json.ts';
import type { ReviewVersion } from './compiled-webhook.ts';
import { reviewGroup } from './review.ts';

/** What a webhook answered, once it is known to be an answer to what it was asked. */
export interface WebhookAnswer {
  readonly allowed: boolean;
  readonly status: AnsweredStatus | undefined;
  /** Bytes of a JSON patch; empty for none. */
  readonly patch: Buffer;
  readonly patchType: string | undefined;
  readonly warnings: readonly string[];
  readonly auditAnnotations: ReadonlyMap<string, string>;
}

export interface AnsweredStatus {
  readonly code: number;
  readonly message: string;
  readonly reason: string;
  readonly details: StatusDetails | undefined;
}

/** An answer that breaks the form of an AdmissionReview; the call counts as failed. */
export class BadAnswerError extends Error {}

const callFailed = (why: string) => new BadAnswerError(`failed to call webhook: ${why}`);
const invalidResponse = (why: string) => new BadAnswerError(`received invalid webhook response: ${why}`);

export interface Asked {
  readonly version: ReviewVersion;
  readonly uid: string;
  /** Only mutating webhooks may answer patches. */
  readonly mutating: boolean;
}

/**
 * Reads an answer (rules `webhook.response.*`). v1 demands kind, uid and the type of a patch; v1beta1 never did.
 * @throws BadAnswerError
 */
export function readAnswer(body: Buffer, asked: Asked): WebhookAnswer {
  const review = decode(body);
  checkReview(review, asked.version);
  const response = objectIn(review, 'response');
  if (!response) throw invalidResponse('webhook response was absent');
  const uid = textIn(response, 'uid') ?? '';
  if (asked.version === 'v1' && uid !== asked.uid) {
    throw invalidResponse(`expected response.uid=${JSON.stringify(asked.uid)}, got ${JSON.stringify(uid)}`);
  }
  const status = objectIn(response, 'status');
  return {
    allowed: booleanIn(response, 'allowed') ?? false,
    status: status && statusOf(status),
    ...patchOf(response, asked),
    warnings: textsIn(response, 'warnings'),
    auditAnnotations: textMapIn(response, 'auditAnnotations'),
  };
}

function decode(body: Buffer): JsonObject {
  let value: Json;
  try {
    ({ value } = decodeJson(body));
  } catch (error) {
    if (error instanceof StatusError) throw callFailed(`couldn't get version/kind; ${error.message}`);
    throw error;
  }
  if (!isJsonObject(value)) throw callFailed("couldn't get version/kind; json parse error: the answer is no object");
  return value;
}

function checkReview(review: JsonObject, version: ReviewVersion): void {
  const apiVersion = textIn(review, 'apiVersion') ?? '';
  const kind = textIn(review, 'kind') ?? '';
  const lax = version === 'v1beta1';
  const kindFits = kind === 'AdmissionReview' || (lax && kind === '');
  if (kindFits && (apiVersion === `${reviewGroup}/${version}` || (lax && apiVersion === ''))) return;
  const [group = '', number = ''] = apiVersion.includes('/') ? apiVersion.split('/', 2) : ['', apiVersion];
  throw invalidResponse(
    `expected webhook response of ${reviewGroup}/${version}, Kind=AdmissionReview, got ${group}/${number}, Kind=${kind}`,
  );
}

function patchOf(response: JsonObject, { version, mutating }: Asked): Pick<WebhookAnswer, 'patch' | 'patchType'> {
  const patch = bytesIn(response, 'patch');
  const patchType = textIn(response, 'patchType');
  if (version === 'v1beta1') {
    return mutating && patch.length > 0
      ? { patch, patchType: 'JSONPatch' }
      : { patch: Buffer.alloc(0), patchType: undefined };
  }
  if (!mutating && patch.length > 0) throw invalidResponse('validating webhook may not return response.patch');
  if (!mutating && patchType !== undefined)
    throw invalidResponse('validating webhook may not return response.patchType');
  if (patch.length > 0 && !patchType)
    throw invalidResponse('webhook returned response.patch but not response.patchType');
  if (patch.length === 0 && patchType)
    throw invalidResponse('webhook returned response.patchType but not response.patch');
  return { patch, patchType };
}

function statusOf(status: JsonObject): AnsweredStatus {
  const code = memberOf(status, 'code') ?? 0;
  if (typeof code !== 'number' || !Number.isInteger(code)) throw wrong('status.code', 'an integer');
  return {
    code,
    message: textIn(status, 'message') ?? '',
    reason: textIn(status, 'reason') ?? '',
    details: detailsOf(objectIn(status, 'details')),
  };
}

/** Only what a StatusDetails has. */
function detailsOf(details: JsonObject | undefined): StatusDetails | undefined {
  if (!details) return undefined;
  const seconds = memberOf(details, 'retryAfterSeconds');
  const causes = memberOf(details, 'causes');
  return {
    ...textsNamed(details, ['name', 'group', 'kind', 'uid']),
    ...(Array.isArray(causes) && {
      causes: causes.filter(isJsonObject).map((cause) => textsNamed(cause, ['reason', 'message', 'field'])),
    }),
    ...(typeof seconds === 'number' && { retryAfterSeconds: seconds }),
  };
}

function textsNamed(from: JsonObject, names: readonly string[]): Record<string, string> {
  const texts = names.map((name) => [name, textIn(from, name)] as const);
  return Object.fromEntries(texts.filter((each): each is [string, string] => Boolean(each[1])));
}

const wrong = (field: string, wanted: string) => callFailed(`json: response.${field} is not ${wanted}`);

function textIn(from: JsonObject, name: string): string | undefined {
  const value = memberOf(from, name) ?? undefined;
  if (value !== undefined && typeof value !== 'string') throw wrong(name, 'a string');
  return value;
}

function booleanIn(from: JsonObject, name: string): boolean | undefined {
  const value = memberOf(from, name) ?? undefined;
  if (value !== undefined && typeof value !== 'boolean') throw wrong(name, 'a boolean');
  return value;
}

function objectIn(from: JsonObject, name: string): JsonObject | undefined {
  const value = memberOf(from, name) ?? undefined;
  if (value !== undefined && !isJsonObject(value)) throw wrong(name, 'an object');
  return value;
}

function textsIn(from: JsonObject, name: string): readonly string[] {
  const value = memberOf(from, name) ?? [];
  if (!Array.isArray(value) || value.some((each) => typeof each !== 'string')) throw wrong(name, 'a list of strings');
  return value as string[];
}

function textMapIn(from: JsonObject, name: string): ReadonlyMap<string, string> {
  const entries = Object.entries(objectIn(from, name) ?? {});
  if (entries.some(([, value]) => typeof value !== 'string')) throw wrong(name, 'a map of strings');
  return new Map(entries as [string, string][]);
}

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

function bytesIn(from: JsonObject, name: string): Buffer {
  const text = (textIn(from, name) ?? '').replace(/[\r\n]/g, '');
  if (text.length % 4 !== 0 || !base64.test(text)) throw callFailed(`response.${name}: illegal base64 data`);
  return Buffer.from(text, 'base64');
}
