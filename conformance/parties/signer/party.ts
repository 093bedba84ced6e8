import { startSpecimen } from '../../../fixtures/signer/specimen.ts';
import { UsageError } from '../../../mistyped.ts';
import { startReference } from '../../target/reference.ts';
import { apiserverClient, nodeClient, nodeServing, type WellKnownSigner } from '../../verbs/signers.ts';
import { clusterFlags, clusterOf, inspectCluster, rehearseOn, usualPatience } from '../cluster.ts';
import type { FlagValues, Party } from '../party.ts';
import { type Form, openSigner, requestFor, type SignerCandidate, type SignerContext } from './context.ts';
import { signerRules } from './rules.ts';

export const signerParty: Party<SignerCandidate, SignerContext> = {
  name: 'signer',
  about: 'Judges a signer of certificates: asks it, approves or denies, and looks at what it signs.',
  examples: [
    '--kubeconfig ~/.kube/config --signer-name kubernetes.io/kube-apiserver-client',
    "--kubeconfig ~/.kube/config --signer-name example.com/workload --subject 'CN={}.default.svc' --host '{}.default.svc' --usage 'server auth'",
  ],
  flags: [
    ...clusterFlags('the cluster whose requests it signs'),
    { name: 'signer-name', value: 'NAME', help: 'what requests are addressed to' },
    {
      name: 'subject',
      value: 'TEXT',
      help: 'a subject that it signs for; {} is a name that is new each time (default CN={})',
    },
    { name: 'host', value: 'TEXT', many: true, help: 'a DNS name or address to ask for; {} as in the subject' },
    { name: 'usage', value: 'TEXT', many: true, help: 'a usage to ask for (default those of clients)' },
  ],
  rules: signerRules,
  candidate: candidateOf,
  called: ({ signerName }) => signerName,
  inspect,
  open: openSigner,
  isShared: true,
  async specimen(fault) {
    const { target, stop: end } = await startReference();
    const signerName = 'example.com/specimen';
    const { stop } = await startSpecimen(target, signerName, fault);
    const form = {
      subject: 'CN={}.default.svc',
      hosts: ['{}.default.svc'],
      usages: ['digital signature', 'server auth'],
    };
    return {
      candidate: { target, signerName, form, patience: fault === undefined ? 10_000 : 2_000, finalize: true },
      async stop() {
        await stop();
        await end();
      },
    };
  },
  dead: ['idle', 'signs-garbage'],
};

const wellKnown = new Map<string, WellKnownSigner>(
  [apiserverClient, nodeClient, nodeServing].map((signer) => [signer.signerName, signer]),
);

const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

/** Some signers cannot be asked at all, such as those of earlier versions. */
async function inspect(candidate: SignerCandidate): Promise<void> {
  await inspectCluster(candidate, requests);
  const { body } = await requestFor(candidate, 'touchstone-rehearsal');
  const named = { apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest', ...body };
  await rehearseOn(candidate, requests, named);
}

function candidateOf(values: FlagValues): SignerCandidate {
  const { 'signer-name': signerName } = values;
  if (typeof signerName !== 'string') throw new UsageError('--signer-name says whom requests are addressed to');
  return { target: clusterOf(values), signerName, form: formOf(values, signerName), patience: usualPatience };
}

/** What the flags say, then what is known of the signer. */
function formOf({ subject, host, usage }: FlagValues, signerName: string): Form {
  const known = wellKnown.get(signerName) ?? { subject: 'CN={}', usages: apiserverClient.usages, hosts: [] };
  return {
    subject: typeof subject === 'string' ? subject : known.subject,
    hosts: (host as readonly string[] | undefined) ?? known.hosts ?? [],
    usages: (usage as readonly string[] | undefined) ?? known.usages,
  };
}
