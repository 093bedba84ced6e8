import { get } from 'node:https';
import type { KeyPair } from './certificates.ts';
import { type Service, sendJson, serveHttps } from './https-service.ts';

/** What the token webhook answers about one token. */
export interface ReviewAnswer {
  readonly status: Readonly<Record<string, unknown>>;
  /** Default: the version that was asked in. */
  readonly apiVersion?: string;
  /** Default: what was asked. */
  readonly spec?: unknown;
  /** HTTP code, by default 200. */
  readonly code?: number;
  /** So many questions fail at first. */
  readonly failures?: number;
  /** Tells tokens with the same answer apart. */
  readonly mark?: string;
}

/** A question that the webhook was asked. */
export interface SeenReview {
  readonly method: string;
  readonly contentType: string;
  /** Of the Authorization header. */
  readonly authorization: string;
  readonly review: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly spec?: { readonly token?: unknown; readonly audiences?: unknown };
  };
}

const prefix = 'lab-hook-';

/** A token that says itself what the webhook shall answer, so that each rule can have the answer it needs. */
export const hookToken = (answer: ReviewAnswer): string =>
  `${prefix}${Buffer.from(JSON.stringify(answer)).toString('base64url')}`;

/** The answer a token asks for; any other token is refused without a word. */
function answerOf(token: unknown): ReviewAnswer {
  const refused = { status: { authenticated: false } };
  if (typeof token !== 'string' || !token.startsWith(prefix)) return refused;
  try {
    return JSON.parse(Buffer.from(token.slice(prefix.length), 'base64url').toString()) as ReviewAnswer;
  } catch {
    return refused;
  }
}

/** The HTTP code of a question that fails, which no server asks again by itself. */
const failed = 403;
const mostSeen = 10_000;
const seenPath = '/seen/';

/** The service that judges tokens for a server: `POST /authenticate`; `GET /seen/<token>` tells what it was asked. */
export function startTokenWebhook(port: number, pair: KeyPair): Promise<Service> {
  const seen: SeenReview[] = [];
  const about = (token: unknown) => seen.filter(({ review }) => review.spec?.token === token);
  return serveHttps(port, pair, ({ method = '', url = '', headers }, body, response) => {
    if (url.startsWith(seenPath)) {
      sendJson(response, about(decodeURIComponent(url.slice(seenPath.length))));
      return;
    }
    const review = readReview(body);
    const contentType = headers['content-type'] ?? '';
    if (seen.length < mostSeen) seen.push({ method, contentType, authorization: headers.authorization ?? '', review });
    const token = review.spec?.token;
    const { apiVersion = review.apiVersion, spec = review.spec, status, code, failures = 0 } = answerOf(token);
    const fails = failures > 0 && about(token).length <= failures;
    sendJson(response, { apiVersion, kind: 'TokenReview', spec, status }, fails ? failed : code);
  });
}

function readReview(body: string): SeenReview['review'] {
  try {
    const value: unknown = JSON.parse(body);
    return value !== null && typeof value === 'object' ? value : {};
  } catch {
    return {};
  }
}

/** Asks the webhook on this machine what it was asked about a token. @throws Error when it does not run */
export function seenReviews(port: number, ca: string, token: string): Promise<readonly SeenReview[]> {
  const url = `https://127.0.0.1:${port}${seenPath}${encodeURIComponent(token)}`;
  return new Promise((resolve, reject) => {
    get(url, { ca, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString()) as SeenReview[]));
    }).on('error', reject);
  });
}
