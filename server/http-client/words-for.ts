import { hostInUrl } from '../../host-in-url.ts';
import { CallTimeoutError } from './http-call.ts';

const unknownAuthority: readonly string[] = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_SIGNATURE_FAILURE',
];

/** What went wrong with a connection, as people who know v1.25 servers search for it; of another error its message. */
export function wordsFor(error: unknown, host: string): string {
  const [cause] = error instanceof AggregateError ? error.errors : [error];
  if (cause instanceof CallTimeoutError) return 'context deadline exceeded';
  const {
    code = '',
    message,
    address = '',
    port,
  } = cause as NodeJS.ErrnoException & { address?: string; port?: number };
  const at = `${hostInUrl(address)}:${port}`;
  if (code === 'ECONNREFUSED') return `dial tcp ${at}: connect: connection refused`;
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return `dial tcp ${at}: connect: no route to host`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `dial tcp: lookup ${host}: no such host`;
  if (code === 'ECONNRESET') return 'connection reset by peer';
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return 'x509: certificate has expired or is not yet valid';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `x509: certificate is not valid for ${host}`;
  return unknownAuthority.includes(code) ? 'x509: certificate signed by unknown authority' : message;
}
