/** A parsed URL: absolute, or an absolute path without a host. */
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

const absolute = /^([a-zA-Z][a-zA-Z0-9+.-]*):\/\/([^/?]*)(\/[^?]*)?(?:\?(.*))?$/;
const absolutePath = /^(\/[^?]*)(?:\?(.*))?$/;
const opaque = /^([a-zA-Z][a-zA-Z0-9+.-]*):(?!\/\/)(\/?[^?]+)(?:\?(.*))?$/;

/** Undefined: the text is no URL. */
export function parseUrl(text: string): UrlValue | undefined {
  if (/[\s\p{Cc}]/u.test(text) || /%(?![0-9a-fA-F]{2})/.test(text)) return undefined;
  const full = absolute.exec(text);
  if (full) {
    const [, scheme = '', authority = '', path = '', query = ''] = full;
    const host = authority.slice(authority.lastIndexOf('@') + 1);
    return isHost(host) ? new UrlValue(text, scheme, host, path, query) : undefined;
  }
  const path = absolutePath.exec(text);
  if (path) return new UrlValue(text, '', '', path[1] ?? '', path[2] ?? '');
  const other = opaque.exec(text);
  return other
    ? new UrlValue(text, other[1] ?? '', '', (other[2] ?? '').startsWith('/') ? (other[2] ?? '') : '', other[3] ?? '')
    : undefined;
}

const isHost = (host: string) => /^(?:\[[0-9a-fA-F:.%]*\]|[^:[\]<>"\\^`{}|]*)(?::\d*)?$/.test(host);
