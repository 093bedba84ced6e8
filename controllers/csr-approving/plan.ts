import type { CertificateRequest } from '../certificates/certificate-request.ts';
import { nodeClient } from '../csr-signing/signers.ts';
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
