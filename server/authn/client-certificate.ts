import { perObject } from '../base/caches/memo.ts';
import type { User } from '../base/user.ts';
import type { CertificateDetails } from '../x509/certificate-details.ts';
import type { Authenticator } from './authenticator.ts';
import type { CertificateAuthority } from './certificate-authority.ts';
import { knownUser, noExtra } from './known-user.ts';

const userOf = perObject(({ commonName, organizations }: CertificateDetails): User => {
  if (!commonName) throw new Error('the certificate has no common name');
  return knownUser({ name: commonName, uid: '', groups: organizations, extra: noExtra });
});

/** Users by client certificate: the subject's common name, its organizations as groups (`authn.certificate.*`). */
export function clientCertificate(authority: CertificateAuthority): Authenticator {
  return {
    name: 'client certificate',
    authenticate(credentials) {
      const presented = credentials.peerCertificates();
      return presented.length > 0 ? userOf(authority.verify(presented)) : undefined;
    },
  };
}
