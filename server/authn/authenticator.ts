import type { X509Certificate } from 'node:crypto';
import type { User } from '../base/user.ts';

/** What authenticators see of a request. */
export interface Credentials {
  /** Lower-case names; as many values as were sent, in order. */
  header(name: string): readonly string[];
  /** All header names, lower-case. */
  headerNames(): Iterable<string>;
  /** The token of `Authorization: Bearer`, if the request has one. */
  readonly bearerToken: string | undefined;
  /** The client's certificate (unverified) with the chain it sent, leaf first; empty when none was presented. */
  peerCertificates(): readonly X509Certificate[];
}

/**
 * One way to know who calls. Answers the user; undefined when the request does not use this way; or throws when it
 * does and is refused, in which case the others are still asked and 401 comes only when none succeeds.
 */
export interface Authenticator {
  readonly name: string;
  authenticate(credentials: Credentials): Promise<User | undefined> | User | undefined;
}
