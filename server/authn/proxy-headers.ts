import { extraKey, headerText } from '../base/header-text.ts';
import type { User } from '../base/user.ts';
import type { Authenticator, Credentials } from './authenticator.ts';
import type { CertificateAuthority } from './certificate-authority.ts';
import { knownUser } from './known-user.ts';

export interface ProxyHeaderOptions {
  /** In order: the first with a value gives the user name. */
  readonly usernameHeaders: readonly string[];
  /** All values of all of them are groups. */
  readonly groupHeaders: readonly string[];
  /** A header that begins with one of them gives an extra. */
  readonly extraHeaderPrefixes: readonly string[];
  /** Common names that the proxy's certificate may have; empty: any. */
  readonly allowedNames: readonly string[];
}

const lower = (names: readonly string[]) => names.map((name) => name.toLowerCase());

/** Whether a header could be taken for one of these by a proxy that treats `_` as `-`. */
function imitates(name: string, headers: readonly string[], prefixes: readonly string[]): boolean {
  if (!name.includes('_')) return false;
  const read = name.replaceAll('_', '-');
  return headers.includes(read) || prefixes.some((prefix) => read.startsWith(prefix));
}

/** @throws Error when a header only looks like one of the proxy's */
function refuseImitations(credentials: Credentials, headers: readonly string[], prefixes: readonly string[]): void {
  for (const name of credentials.headerNames()) {
    if (imitates(name, headers, prefixes)) throw new Error(`the header ${name} imitates one of the proxy's`);
  }
}

/** That of the first header with a value; empty where none has one. @throws Error when a header was sent more than once */
function userName(credentials: Credentials, headers: readonly string[]): string {
  for (const header of headers) {
    const values = credentials.header(header);
    if (values.length > 1) throw new Error(`the header ${header} was sent more than once`);
    if (values[0]) return headerText(values[0]);
  }
  return '';
}

/** By key, all values of the headers that begin with a prefix. */
function extraOf(credentials: Credentials, prefixes: readonly string[]): User['extra'] {
  const extra: Record<string, string[]> = Object.create(null);
  for (const name of new Set(credentials.headerNames())) {
    const prefix = prefixes.find((each) => name.startsWith(each));
    if (prefix === undefined) continue;
    const key = extraKey(name.slice(prefix.length));
    extra[key] = [...(extra[key] ?? []), ...credentials.header(name).map(headerText)];
  }
  return extra;
}

/**
 * Users that a trusted proxy names in headers (`authn.proxy.*`). The headers count only from a client that shows a
 * certificate of the proxy's CA with an allowed common name. Then they must be unmistakable: a user named twice, or a
 * header that only looks like one of these, may have come from behind the proxy and is refused.
 */
export function proxyHeaders(authority: CertificateAuthority, options: ProxyHeaderOptions): Authenticator {
  const userHeaders = lower(options.usernameHeaders);
  const groupHeaders = lower(options.groupHeaders);
  const prefixes = lower(options.extraHeaderPrefixes);
  const told = [...userHeaders, ...groupHeaders];

  return {
    name: 'proxy headers',
    authenticate(credentials) {
      const [leaf] = credentials.peerCertificates();
      if (!leaf) return undefined;
      const { commonName } = authority.verify(credentials.peerCertificates());
      if (options.allowedNames.length && !options.allowedNames.includes(commonName)) {
        throw new Error('the common name of the proxy is not allowed');
      }
      refuseImitations(credentials, told, prefixes);
      const name = userName(credentials, userHeaders);
      if (!name) return undefined;
      const groups = groupHeaders.flatMap((header) => credentials.header(header).filter(Boolean).map(headerText));
      return knownUser({ name, uid: '', groups, extra: extraOf(credentials, prefixes) });
    },
  };
}
