import { cronJob } from './batch/cron-job.ts';
import { job } from './batch/job.ts';
import { certificateSigningRequest } from './certificates/certificate-signing-request.ts';
import { lease } from './coordination/lease.ts';
import { endpointSlice } from './discovery/endpoint-slice.ts';
import { event } from './events/event.ts';
import { namespace } from './namespace/namespace.ts';
import { ingress } from './networking/ingress.ts';
import { ingressClass } from './networking/ingress-class.ts';
import { networkPolicy } from './networking/network-policy.ts';
import { clusterRole } from './rbac/cluster-role.ts';
import { clusterRoleBinding } from './rbac/cluster-role-binding.ts';
import { role } from './rbac/role.ts';
import { roleBinding } from './rbac/role-binding.ts';
import type { KindRules } from './strategy.ts';

/** Every kind with rules of its own. Kinds that are not here follow the common rules alone. */
export const kinds: readonly KindRules[] = [
  // core
  namespace,
  event,
  // batch
  job,
  cronJob,
  // certificates.k8s.io
  certificateSigningRequest,
  // coordination.k8s.io
  lease,
  // discovery.k8s.io
  endpointSlice,
  // networking.k8s.io
  ingress,
  ingressClass,
  networkPolicy,
  // rbac.authorization.k8s.io
  role,
  clusterRole,
  roleBinding,
  clusterRoleBinding,
];
