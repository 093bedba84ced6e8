import { type Authority, endOf, makeAuthority } from '../certificates/authority.ts';
import type { CertificateRequest } from '../certificates/certificate-request.ts';
import { isAlreadyExists, unlessNotFound } from '../runtime/api-error.ts';
import { itself, type Loop, type Request } from '../runtime/controller.ts';
import { certificateSigningRequests, configMaps, secrets } from '../runtime/resources.ts';
import { signRequest, waitsForSigner } from './reconcile.ts';
import type { Signer } from './signers.ts';

/**
 * A signer of one's own, in full. What it says of itself, in the order in which the documents ask:
 *
 * - Trust distribution: the authority's certificate is in ConfigMap `kube-public/example-signer`, key `ca.crt`; nothing
 *   else trusts it, the API server least of all.
 * - Permitted subjects: common name `<workload>.<namespace>.svc`, no organization, nothing else.
 * - Permitted extensions: one DNS name, the same as the common name. Other names are refused, other extensions ignored.
 * - Key usages: server auth and client auth, both allowed, one needed; with digital signature and key encipherment.
 * - Lifetime: as asked for, at most one day.
 * - Certificates of authorities: refused.
 */
export const exampleSigner: Signer = {
  name: 'example.com/workload',
  usages: {
    required: ['digital signature'],
    // A certificate that names no purpose would be good for any.
    oneOf: ['server auth', 'client auth'],
    permitted: ['digital signature', 'key encipherment', 'server auth', 'client auth'],
  },
  alternativeNames: true,
  objection: ({
    commonName,
    organizations,
    otherSubjectParts,
    dnsNames,
    ipAddresses,
    uris,
    emails,
  }: CertificateRequest) => {
    if (
      !/^[a-z0-9]([a-z0-9-]*[a-z0-9])?\.[a-z0-9]([a-z0-9-]*[a-z0-9])?\.svc$/.test(commonName) ||
      commonName.length > 64
    ) {
      return 'the common name must be <workload>.<namespace>.svc';
    }
    if (organizations.length + otherSubjectParts.length > 0) return 'the subject must be a common name alone';
    if (ipAddresses.length + uris.length + emails.length > 0) return 'only a DNS name is signed';
    return dnsNames.some((name) => name !== commonName) ? 'the DNS name must be the common name' : undefined;
  },
};

const day = 86_400_000;
const authorityLifetime = 365 * day;
const place = { namespace: 'kube-system', name: 'example-signer' };
const trust = { namespace: 'kube-public', name: 'example-signer' };

const decode = (data: string | undefined): string => Buffer.from(data ?? '', 'base64').toString();
const encode = (text: string): string => Buffer.from(text).toString('base64');

/** The authority kept in a Secret; the first process to need one makes it. */
async function keptAuthority({ client, clock }: Request): Promise<Authority> {
  const kept = await unlessNotFound(client.get(secrets, place));
  if (kept) return { certificate: decode(kept.data?.['tls.crt']), key: decode(kept.data?.['tls.key']) };
  const made = await makeAuthority('example.com/workload', clock.now(), authorityLifetime);
  const data = { 'tls.crt': encode(made.certificate), 'tls.key': encode(made.key) };
  try {
    await client.create(
      secrets,
      { apiVersion: 'v1', kind: 'Secret', metadata: { ...place }, type: 'kubernetes.io/tls', data },
      { namespace: place.namespace },
    );
    return made;
  } catch (error) {
    if (isAlreadyExists(error)) return keptAuthority({ client, clock } as Request);
    throw error;
  }
}

/** Tells the world which certificate to trust. */
async function publish({ client }: Request, { certificate }: Authority): Promise<void> {
  const data = { 'ca.crt': certificate };
  try {
    const { namespace, name } = trust;
    await client.create(
      configMaps,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name }, data },
      { namespace },
    );
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    await client.patch(configMaps, trust, { data });
  }
}

export function exampleSignerLoops(): readonly Loop[] {
  let ready: Promise<Authority> | undefined;
  return [
    {
      name: 'example-signer',
      watches: [itself(certificateSigningRequests, (csr) => waitsForSigner(csr, exampleSigner))],
      reconcile: async (request) => {
        const csr = request.read(certificateSigningRequests).find(request.key);
        if (!csr || !waitsForSigner(csr, exampleSigner)) return undefined;
        ready ??= keptAuthority(request).then(async (made) => {
          await publish(request, made);
          return made;
        });
        const authority = await ready.catch((error: unknown) => {
          ready = undefined;
          throw error;
        });
        const lifetimes = { most: day, authorityEnds: endOf(authority) };
        return signRequest(request, csr, { signer: exampleSigner, authority, lifetimes });
      },
    },
  ];
}
