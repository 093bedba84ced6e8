import { isRequestUri, partsOfUri } from './request-uri.ts';

/** A parsed URL: absolute, or an absolute path without a host; the scheme in small letters, the path with its escapes. */
export class UrlValue {
  readonly text: string;
  readonly scheme: string;
  /** With the port. */
  readonly host: string;
  readonly path: string;
  readonly query: string;
  constructor(text: string, scheme: string, host: string, path: string, query: string) {
    this.text = text;
    this.scheme = scheme;
    this.host = host;
    this.path = path;
    this.query = query;
  }
  /** Without the port, and without the brackets of an IPv6 address. */
  get hostname(): string {
    const bracket = /^\[([^\]]*)\]/.exec(this.host);
    return bracket ? (bracket[1] as string) : this.host.replace(/:\d*$/, '');
  }
  get port(): string {
    return /:(\d*)$/.exec(this.host)?.[1] ?? '';
  }
  /** The parameters in the order of their first occurrence, each with its values. */
  get parameters(): Map<string, string[]> {
    const found = new Map<string, string[]>();
    for (const [name, value] of new URLSearchParams(this.query)) found.set(name, [...(found.get(name) ?? []), value]);
    return found;
  }
}

/** Undefined: the text is no URL. What stands behind a `#` belongs to none of its parts. */
export function parseUrl(text: string): UrlValue | undefined {
  const parts = isRequestUri(text) ? partsOfUri(text) : undefined;
  return parts && new UrlValue(text, parts.scheme, parts.host, parts.path, parts.query);
}
