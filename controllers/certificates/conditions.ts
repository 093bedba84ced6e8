import { formatTime } from '../runtime/clock.ts';
import type { CertificateSigningRequest } from '../runtime/resources.ts';

type Condition = NonNullable<NonNullable<CertificateSigningRequest['status']>['conditions']>[number];

export const hasCondition = (csr: CertificateSigningRequest, type: 'Approved' | 'Denied' | 'Failed'): boolean =>
  csr.status?.conditions?.some((condition) => condition.type === type) ?? false;

/** The conditions with one more. */
export const addCondition = (
  csr: CertificateSigningRequest,
  { type, reason, message }: { readonly type: string; readonly reason: string; readonly message: string },
  now: number,
): Condition[] => {
  const time = formatTime(now);
  return [
    ...(csr.status?.conditions ?? []),
    { type, status: 'True', reason, message, lastUpdateTime: time, lastTransitionTime: time },
  ];
};
