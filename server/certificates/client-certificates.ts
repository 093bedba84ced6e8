import { constants } from 'node:crypto';
import type { TlsOptions } from 'node:tls';

/**
 * Says nothing of anybody's certificates: where it is asked, each fails before it is accepted. Node 24.21 forgets the
 * chain of one that was accepted, and authentication, which judges them all by itself, needs that.
 */
const listOfNobody = `-----BEGIN X509 CRL-----
MIGVMD0wCgYIKoZIzj0EAwIwETEPMA0GA1UEAwwGbm9ib2R5Fw0yNjExMjkwOTE5
NTFaFw0zNjExMjYwOTE5NTFaMAoGCCqGSM49BAMCA0gAMEUCIHEaaHZ+eJMQGxGS
UjIq4yIV5hJKIJq6b8hr/ZoL2YYxAiEAlT8GZf2Z5AnAjHB2UDxspVY1E3K4lr2W
CB1LDxD8VpY=
-----END X509 CRL-----
`;

/** Clients may show a certificate of these, with the chain to it; who signed it is judged later, so none is refused here. */
export const askForCertificates = (authorities: readonly string[]): TlsOptions =>
  authorities.length > 0
    ? {
        requestCert: true,
        rejectUnauthorized: false,
        ca: [...authorities],
        crl: listOfNobody,
        // A session that goes on later would know the certificate, but not its chain.
        secureOptions: constants.SSL_OP_NO_TICKET,
      }
    : {};
