/**
 * The AdmissionReview of `admission.k8s.io/v1`: what an API server asks, and the answers to it. Everything here is
 * plain data, so a policy can be tested without a server.
 */

/** An object as it was sent: only what every object has is certain. */
export interface KubernetesObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: {
    readonly name?: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
  };
}

export interface AdmissionRequest<T extends KubernetesObject = KubernetesObject> {
  /** Identifies this call; answers carry it back. */
  readonly uid: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  readonly subResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly userInfo: { readonly username?: string; readonly uid?: string; readonly groups?: readonly string[] };
  /** Null for DELETE. */
  readonly object: T | null;
  /** Null for CREATE and CONNECT. */
  readonly oldObject: T | null;
  /** Nothing may be left behind. */
  readonly dryRun: boolean;
}

/** One operation of a JSON Patch (RFC 6902). */
export type PatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string };

/** What a policy decides. Made by `allow`, `patch` and `deny`. */
export interface Decision {
  readonly allowed: boolean;
  readonly status?: { readonly code: number; readonly message: string; readonly reason?: string };
  readonly patch?: readonly PatchOperation[];
  readonly warnings?: readonly string[];
}

/** Lets the request pass. Warnings reach the user; keep each below 120 characters, without a `Warning:` in front. */
export const allow = (...warnings: readonly string[]): Decision => ({ allowed: true, ...warned(warnings) });

/** Refuses the request, by default with 403. */
export const deny = (message: string, { code = 403, reason = 'Forbidden' } = {}): Decision => ({
  allowed: false,
  status: { code, message, reason },
});

/** Lets the request pass with changes; without operations it just lets it pass. Only for mutating webhooks. */
export const patch = (operations: readonly PatchOperation[], ...warnings: readonly string[]): Decision => ({
  allowed: true,
  ...(operations.length > 0 && { patch: operations }),
  ...warned(warnings),
});

const warned = (warnings: readonly string[]) => (warnings.length > 0 ? { warnings } : {});

/** A part of a path in a patch: `/` and `~` need escapes there. */
export const pathSegment = (text: string): string => text.replaceAll('~', '~0').replaceAll('/', '~1');

const apiVersion = 'admission.k8s.io/v1';
const kind = 'AdmissionReview';
const operations: readonly unknown[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

/** The body was no AdmissionReview. */
export class NoReviewError extends Error {}

type Fields = { readonly [key: string]: unknown };

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads the body of a call. @throws NoReviewError */
export function decodeReview(body: string): AdmissionRequest {
  const review = parse(body);
  if (!isObject(review) || review.kind !== kind || review.apiVersion !== apiVersion) {
    throw new NoReviewError(`the body is no ${kind} of ${apiVersion}`);
  }
  const { request } = review;
  if (!isObject(request) || typeof request.uid !== 'string' || !operations.includes(request.operation)) {
    throw new NoReviewError('the review lacks a request with uid and operation');
  }
  for (const field of ['object', 'oldObject'] as const) {
    if ((request[field] ?? null) !== null && !isObject(request[field]))
      throw new NoReviewError(`${field} is no object`);
  }
  return { object: null, oldObject: null, dryRun: false, userInfo: {}, ...request } as unknown as AdmissionRequest;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new NoReviewError('the body is no JSON');
  }
}

/** The body of the answer. */
export function encodeReview(
  { uid }: Pick<AdmissionRequest, 'uid'>,
  { patch: changes, ...decision }: Decision,
): string {
  const encoded = changes && {
    patchType: 'JSONPatch',
    patch: Buffer.from(JSON.stringify(changes)).toString('base64'),
  };
  return JSON.stringify({ apiVersion, kind, response: { uid, ...decision, ...encoded } });
}
