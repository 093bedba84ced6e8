import { getCACertificates, type SecureContextOptions } from 'node:tls';

let roots: string[] | undefined;

/** Root certificates of the host (`SSL_CERT_FILE` and `SSL_CERT_DIR` tell where) and of Node, read at first use. */
const systemRoots = (): string[] => {
  roots ??= [...new Set([...getCACertificates('system'), ...getCACertificates('default')])];
  return roots;
};

/**
 * Whom a connection trusts, as the stock clients do: what a user names (PEM), be it the server's certificate itself
 * though another has signed it, and otherwise the roots of the host.
 */
export const trustOf = (authority: string | undefined): SecureContextOptions =>
  authority ? { ca: authority, allowPartialTrustChain: true } : { ca: systemRoots() };
