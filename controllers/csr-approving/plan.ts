import type { CertificateRequest } from '../certificates/certificate-request.ts';
import { nodeClient } from '../csr-signing/signers.ts';
import { millisecondsOf } from '../runtime/kube-object.ts';
import type { CertificateSigningRequest } from '../runtime/resources.ts';

/** What the requester must be allowed to create before the request is approved without a person. */
export interface Permission {
  readonly subresource: 'nodeclient' | 'selfnodeclient';
  readonly message: string;
}

/**
 * Only client certificates of node agents are ever approved here: for whom may ask for such certificates at all, and for
 * a node agent that renews its own. Empty: it is for people to decide.
 */
export function permissionsToApprove(
  csr: CertificateSigningRequest,
  request: CertificateRequest,
): readonly Permission[] {
  const { signerName, usages = [], username } = csr.spec ?? {};
  const { required, permitted } = nodeClient.usages;
  if (signerName !== nodeClient.name || request.wantsAuthority || nodeClient.objection(request)) return [];
  if (!required.every((usage) => usages.includes(usage)) || !usages.every((usage) => permitted.includes(usage)))
    return [];
  const own = username === request.commonName;
  return [
    ...(own
      ? [
          {
            subresource: 'selfnodeclient',
            message: 'Approved a node agent that renews its client certificate',
          } as const,
        ]
      : []),
    { subresource: 'nodeclient', message: 'Approved the client certificate of a node agent' },
  ];
}

/** Milliseconds between two questions whether a requester may have what it asks for. */
const patience = { first: 5_000, most: 300_000 };

/**
 * Milliseconds until authorization that said no is asked again. Rights may come later, and no change of the request tells of
 * it; but many requests may wait for a day, so the older one is, the longer it waits.
 */
export function waitBeforeAsking({ metadata }: CertificateSigningRequest, now: number): number {
  const age = now - (millisecondsOf(metadata?.creationTimestamp) ?? now);
  return Math.min(patience.most, Math.max(patience.first, age / 4));
}
