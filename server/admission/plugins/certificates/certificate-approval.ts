import type { KubeObject } from '../../../base/kube-object.ts';
import type { AdmissionPlugin } from '../../admission.ts';
import { writes } from '../../concern.ts';
import type { PluginServices } from '../../plugin-services.ts';
import { refusal } from '../../refusal.ts';
import { certificatesGroup, mayForSigner } from './certificate-signers.ts';

/** Whoever writes through `/approval`, whatever it is, needs the verb `approve` on the signer. */
export const certificateApproval = ({ authorizer }: Pick<PluginServices, 'authorizer'>): AdmissionPlugin => ({
  name: 'CertificateApproval',
  cares: [{ ...writes(certificatesGroup, 'certificatesigningrequests', 'UPDATE'), subresources: ['approval'] }],
  async validate(attributes) {
    const { spec } = attributes.oldObject as KubeObject & { spec?: { signerName?: string } };
    const signer = spec?.signerName ?? '';
    if (await mayForSigner(authorizer, attributes.user, 'approve', signer)) return;
    throw refusal(attributes, `user not permitted to approve requests with signerName ${JSON.stringify(signer)}`);
  },
});
