import { X509Certificate } from 'node:crypto';
import { millisecondsOf } from '../runtime/kube-object.ts';
import type { CertificateSigningRequest } from '../runtime/resources.ts';

const hour = 3_600_000;
/** How long a request stays after it was decided, and while it is not. */
const decided = hour;
const undecided = 24 * hour;
/** What decides a request; conditions of other types are remarks of others. */
const verdictTypes: readonly (string | undefined)[] = ['Approved', 'Denied', 'Failed'];

/** Milliseconds until the request is to be deleted; 0 when it is time. */
export function waitBeforeCleaning(csr: CertificateSigningRequest, now: number): number {
  const created = millisecondsOf(csr.metadata?.creationTimestamp) ?? now;
  const verdicts = (csr.status?.conditions ?? [])
    .filter(({ type }) => verdictTypes.includes(type))
    .map(({ lastUpdateTime }) => millisecondsOf(lastUpdateTime) ?? created);
  const due = verdicts.length > 0 ? Math.max(...verdicts) + decided : created + undecided;
  return Math.max(0, Math.min(due, endOfCertificate(csr) ?? due) - now);
}

/** When the issued certificate runs out, in milliseconds; undefined without one, or when it cannot be read. */
function endOfCertificate({ status }: CertificateSigningRequest): number | undefined {
  if (!status?.certificate) return undefined;
  try {
    return Date.parse(new X509Certificate(Buffer.from(status.certificate, 'base64')).validTo);
  } catch {
    return undefined;
  }
}
