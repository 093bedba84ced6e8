import { deepEqual } from '../../../base/deep-equal.ts';
import type { KubeObject } from '../../../base/kube-object.ts';
import type { AdmissionPlugin } from '../../admission.ts';
import { writes } from '../../concern.ts';
import type { PluginServices } from '../../plugin-services.ts';
import { refusal } from '../../refusal.ts';
import { certificatesGroup, mayForSigner } from './certificate-signers.ts';

interface SigningRequest extends KubeObject {
  spec?: { signerName?: string };
  status?: { certificate?: string; conditions?: { type?: string }[] };
}

/** What only a signer decides: the certificate, or that there will be none. */
const verdict = ({ status = {} }: SigningRequest) => [
  status.certificate ?? '',
  (status.conditions ?? []).filter(({ type }) => type === 'Failed'),
];

/** Whoever issues a certificate, or says that it failed, needs the verb `sign` on the signer. */
export const certificateSigning = ({ authorizer }: Pick<PluginServices, 'authorizer'>): AdmissionPlugin => ({
  name: 'CertificateSigning',
  cares: [{ ...writes(certificatesGroup, 'certificatesigningrequests', 'UPDATE'), subresources: ['status'] }],
  async validate(attributes) {
    const previous = attributes.oldObject as SigningRequest;
    if (deepEqual(verdict(attributes.object as SigningRequest), verdict(previous))) return;
    const signer = previous.spec?.signerName ?? '';
    if (await mayForSigner(authorizer, attributes.user, 'sign', signer)) return;
    throw refusal(attributes, `user not permitted to sign requests with signerName ${JSON.stringify(signer)}`);
  },
});
