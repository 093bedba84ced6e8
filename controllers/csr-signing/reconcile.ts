import { UsageError } from '../../mistyped.ts';
import { type Authority, endOf } from '../certificates/authority.ts';
import { addCondition, hasCondition } from '../certificates/conditions.ts';
import { type ReadRequest, readRequest } from '../certificates/request.ts';
import { sign } from '../certificates/sign.ts';
import type { ControllerOptions } from '../options.ts';
import { itself, type Loop, type Outcome, type Request } from '../runtime/controller.ts';
import { type CertificateSigningRequest, certificateSigningRequests } from '../runtime/resources.ts';
import { authorityOfFiles } from './authority-files.ts';
import { type Lifetimes, planSigning } from './plan.ts';
import { type Signer, wellKnownSigners } from './signers.ts';

/** Whether a request waits for this signer: approved, and neither signed nor given up. */
export const waitsForSigner = (csr: CertificateSigningRequest, { name }: Signer): boolean =>
  csr.spec?.signerName === name &&
  hasCondition(csr, 'Approved') &&
  !hasCondition(csr, 'Denied') &&
  !hasCondition(csr, 'Failed') &&
  !csr.status?.certificate;

/** Signs an approved request, or says in the condition Failed why it never will. */
export async function signRequest(
  { write, clock }: Request,
  csr: CertificateSigningRequest,
  {
    signer,
    authority,
    lifetimes,
  }: { readonly signer: Signer; readonly authority: Authority; readonly lifetimes: Lifetimes },
): Promise<Outcome> {
  const now = clock.now();
  const read = await readRequest(csr).catch((error: Error) => error);
  const plan = read instanceof Error ? refusal(read) : planSigning(csr, read, signer, lifetimes, now);
  if (plan.sign) {
    const terms = { ...plan, withAlternativeNames: signer.alternativeNames };
    const certificate = Buffer.from(await sign(authority, read as ReadRequest, terms)).toString('base64');
    await write(certificateSigningRequests).replace(csr, { ...csr, status: { ...csr.status, certificate } }, 'status');
    return undefined;
  }
  const failed = { type: 'Failed', reason: 'SignerValidationFailure', message: plan.message };
  const status = { ...csr.status, conditions: addCondition(csr, failed, now) };
  await write(certificateSigningRequests).replace(csr, { ...csr, status }, 'status');
  return undefined;
}

const refusal = ({ message }: Error) => ({ sign: false, message }) as const;

/** @throws Error when the files of the flags cannot be read or one is missing */
function authorityOf(options: ControllerOptions): (() => Authority) | undefined {
  const { signingAuthority, clusterSigningCertFile, clusterSigningKeyFile } = options;
  if (signingAuthority) return () => signingAuthority;
  if (Boolean(clusterSigningCertFile) !== Boolean(clusterSigningKeyFile)) {
    throw new UsageError('--cluster-signing-cert-file and --cluster-signing-key-file need each other');
  }
  if (!clusterSigningCertFile || !clusterSigningKeyFile) return undefined;
  return authorityOfFiles(clusterSigningCertFile, clusterSigningKeyFile);
}

/** The controller `csrsigning`: no loop without an authority to sign with. @throws Error when its files cannot be read */
export async function csrSigningLoops(options: ControllerOptions): Promise<readonly Loop[]> {
  const source = authorityOf(options);
  if (!source) {
    options.log.info('csrsigning signs nothing: it was given no authority (--cluster-signing-cert-file)');
    return [];
  }
  return [
    {
      name: 'csrsigning',
      watches: [itself(certificateSigningRequests)],
      reconcile: async (request) => {
        const csr = request.read(certificateSigningRequests).find(request.key);
        const signer = csr && wellKnownSigners.find((each) => waitsForSigner(csr, each));
        if (!csr || !signer) return undefined;
        const authority = source();
        const lifetimes = { most: options.clusterSigningDuration, authorityEnds: endOf(authority) };
        return signRequest(request, csr, { signer, authority, lifetimes });
      },
    },
  ];
}
