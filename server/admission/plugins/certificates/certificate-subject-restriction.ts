import type { KubeObject } from '../../../base/kube-object.ts';
import { mastersGroup } from '../../../base/user.ts';
import { readCertificateRequest } from '../../../x509/certificate-request.ts';
import type { AdmissionPlugin } from '../../admission.ts';
import { writes } from '../../concern.ts';
import { refusal } from '../../refusal.ts';
import { certificatesGroup } from './certificate-signers.ts';

/** Its certificates log in at this server, with the organizations as groups. */
const signer = 'kubernetes.io/kube-apiserver-client';

interface SigningRequest extends KubeObject {
  spec?: { signerName?: string; request?: string };
}

/** Nobody asks for a certificate that would make its holder all-powerful. */
export const certificateSubjectRestriction: AdmissionPlugin = {
  name: 'CertificateSubjectRestriction',
  cares: [writes(certificatesGroup, 'certificatesigningrequests', 'CREATE')],
  validate(attributes) {
    const { spec = {} } = attributes.object as SigningRequest;
    if (spec.signerName !== signer) return;
    const outcome = readCertificateRequest(Buffer.from(spec.request ?? '', 'base64'));
    if ('problem' in outcome) throw refusal(attributes, `could not parse CSR: ${outcome.problem}`);
    if (!outcome.request.organizations.includes(mastersGroup)) return;
    throw refusal(attributes, `use of ${signer} signer with ${mastersGroup} group is not allowed`);
  },
};
