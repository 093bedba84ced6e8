import type { X509Certificate } from 'node:crypto';
import type { User } from '../base/user.ts';
import type { CertificateDetails } from '../x509/certificate-details.ts';
import type { Authenticator } from './authenticator.ts';
import type { CertificateAuthority } from './certificate-authority.ts';
import { knownUser, noExtra } from './known-user.ts';

function userOf({ commonName, organizations }: CertificateDetails): User {
  if (!commonName) throw new Error('the certificate has no common name');
  return knownUser({ name: commonName, uid: '', groups: organizations, extra: noExtra });
}

/** Users by client certificate: the subject's common name, its organizations as groups (`authn.certificate.*`). */
export function clientCertificate(authority: CertificateAuthority): Authenticator {
  const users = new WeakMap<X509Certificate, User>();
  return {
    name: 'client certificate',
    authenticate(credentials) {
      const presented = credentials.peerCertificates();
      const [leaf] = presented;
      if (!leaf) return undefined;
      const details = authority.verify(presented);
      let user = users.get(leaf);
      if (!user) {
        user = userOf(details);
        users.set(leaf, user);
      }
      return user;
    },
  };
}
