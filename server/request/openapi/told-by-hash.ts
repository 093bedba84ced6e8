import type { Answer } from '../answer/respond.ts';
import type { Exchange } from '../exchange.ts';

export interface Document {
  readonly bytes: Buffer;
  readonly hash: string;
}

type Headers = Readonly<Record<string, string>>;

/** A document, or that it is still the one that the client has. */
export function toldByHash(exchange: Exchange, { bytes, hash }: Document, contentType: string, more?: Headers): Answer {
  const etag = `"${hash}"`;
  const headers = { etag, ...more };
  if (isKnown(exchange, etag)) return { code: 304, contentType: '', body: '', headers };
  return { code: 200, contentType, body: bytes, headers };
}

function isKnown(exchange: Exchange, etag: string): boolean {
  const { method } = exchange.info;
  if (method !== 'GET' && method !== 'HEAD') return false;
  const known = exchange.header('if-none-match')?.split(',') ?? [];
  return known.some((each) => ['*', etag, `W/${etag}`].includes(each.trim()));
}

/** Of what is asked for by its hash and never changes. @param now milliseconds */
export function foreverFrom(now: number): Headers {
  const expires = new Date(now);
  expires.setUTCFullYear(expires.getUTCFullYear() + 1);
  return {
    'cache-control': 'public, immutable',
    expires: expires.toUTCString(),
    vary: 'Accept, Accept-Encoding',
  };
}

export const movedTo = (location: string): Answer => ({
  code: 301,
  contentType: 'text/html; charset=utf-8',
  body: `<a href="${location}">Moved Permanently</a>.\n\n`,
  headers: { location },
});
