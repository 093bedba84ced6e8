import { addCondition, hasCondition } from '../certificates/conditions.ts';
import { readRequest } from '../certificates/request.ts';
import { nodeClient } from '../csr-signing/signers.ts';
import { itself, type Loop, type Reconciler, type Request } from '../runtime/controller.ts';
import type { KubeObject } from '../runtime/kube-object.ts';
import { type CertificateSigningRequest, certificateSigningRequests, type Resource } from '../runtime/resources.ts';
import { type Permission, permissionsToApprove, waitBeforeAsking } from './plan.ts';

interface AccessReview extends KubeObject {
  readonly status?: { readonly allowed?: boolean };
}

const accessReviews: Resource<AccessReview> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  plural: 'subjectaccessreviews',
  kind: 'SubjectAccessReview',
  namespaced: false,
};

/** Approves requests of node agents for client certificates, if authorization says that the requester may have them. */
const reconcile: Reconciler = async (request) => {
  const { key, read, write, clock } = request;
  const csr = read(certificateSigningRequests).find(key);
  if (!csr || !isUndecided(csr)) return undefined;
  const parsed = await readRequest(csr).catch(() => undefined);
  const permissions = parsed ? permissionsToApprove(csr, parsed) : [];
  for (const permission of permissions) {
    if (!(await mayCreate(request, csr, permission))) continue;
    const approved = { type: 'Approved', reason: 'AutoApproved', message: permission.message };
    const status = { ...csr.status, conditions: addCondition(csr, approved, clock.now()) };
    await write(certificateSigningRequests).replace(csr, { ...csr, status }, 'approval');
    return undefined;
  }
  return permissions.length > 0 ? waitBeforeAsking(csr, clock.now()) : undefined;
};

const isUndecided = (csr: CertificateSigningRequest): boolean =>
  csr.spec?.signerName === nodeClient.name &&
  !csr.status?.certificate &&
  !(['Approved', 'Denied', 'Failed'] as const).some((type) => hasCondition(csr, type));

async function mayCreate(
  { client }: Request,
  { spec }: CertificateSigningRequest,
  { subresource }: Permission,
): Promise<boolean> {
  const { username: user, uid, groups, extra } = spec ?? {};
  const resourceAttributes = {
    group: 'certificates.k8s.io',
    version: '*',
    resource: 'certificatesigningrequests',
    subresource,
    verb: 'create',
  };
  const review = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: { user, uid, groups, extra, resourceAttributes },
  };
  const answer = await client.create<AccessReview>(accessReviews, review, {});
  return answer.status?.allowed === true;
}

export const csrApprovingLoops: readonly Loop[] = [
  { name: 'csrapproving', watches: [itself(certificateSigningRequests, isUndecided)], reconcile },
];
