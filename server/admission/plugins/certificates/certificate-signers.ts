import type { Authorizer } from '../../../authz/authorizer.ts';
import type { User } from '../../../base/user.ts';

export const certificatesGroup = 'certificates.k8s.io';

/** Whether a user may `approve` or `sign` for a signer: by its name, or for all signers of its domain (`domain/*`). */
export async function mayForSigner(
  authorizer: Authorizer,
  user: User,
  verb: 'approve' | 'sign',
  signer: string,
): Promise<boolean> {
  for (const name of [signer, `${signer.split('/', 1)[0]}/*`]) {
    const { decision } = await authorizer.authorize(user, {
      type: 'resource',
      verb,
      group: certificatesGroup,
      version: '*',
      resource: 'signers',
      subresource: '',
      namespace: '',
      name,
    });
    if (decision === 'allow') return true;
  }
  return false;
}
