import { X509Certificate } from 'node:crypto';
import { powersOf } from '../../lab/certificates.ts';
import type { RuleContext } from '../../verbs/context.ts';
import {
  apiserverClient,
  apply,
  approvedAndIssued,
  decide,
  nodeClient,
  nodeServing,
  type WellKnownSigner,
} from '../../verbs/signers.ts';

type Requests = Readonly<Record<string, Partial<WellKnownSigner>>>;

const own = { apiserverClient, nodeClient, nodeServing } as const;
export type SignerName = keyof typeof own;

/** Node agents are called as such and belong to their group alone. */
const ofNodeAgents: Requests = {
  'another organization': { subject: 'O=touchstone, CN=system:node:touchstone-node' },
  'another organization beside': { subject: 'O=system:nodes, O=touchstone, CN=system:node:touchstone-node' },
  'no organization': { subject: 'CN=system:node:touchstone-node' },
  'another name': { subject: 'O=system:nodes, CN=touchstone-node' },
};

/** What no certificate of the signer is for. */
const foreign: Readonly<Record<SignerName, Requests>> = {
  apiserverClient: {
    'servers as well': { usages: [...apiserverClient.usages, 'server auth'] },
    'servers alone': { usages: nodeServing.usages },
    'no clients': { usages: ['digital signature', 'key encipherment'] },
  },
  nodeClient: {
    ...ofNodeAgents,
    'servers as well': { usages: [...nodeClient.usages, 'server auth'] },
    'servers alone': { usages: nodeServing.usages },
    'a host': { hosts: ['touchstone-node'] },
    'an address': { hosts: ['10.1.2.3'] },
  },
  nodeServing: {
    ...ofNodeAgents,
    'clients as well': { usages: [...nodeServing.usages, 'client auth'] },
    'clients alone': { usages: nodeClient.usages },
    'no host': { hosts: [] },
    'a mail address': { hosts: ['touchstone-node', 'one@touchstone.example'] },
    'a URL': { hosts: ['touchstone-node', 'https://touchstone.example/one'] },
  },
};

/** What is not what a signer is for gets no certificate of it, whoever approves that, and nobody becomes an authority. */
export async function signsNothingElse(context: RuleContext, name: SignerName): Promise<void> {
  const { signingRequests, expect } = context;
  const signer = own[name];
  const asked = Object.entries({ ...foreign[name], 'an authority': { authority: true } }).map(async ([what, parts]) => {
    const application = await apply(context, { ...signer, ...parts });
    await decide(context, application, 'Approved');
    return [what, application] as const;
  });
  const approved = await Promise.all(asked);
  // By the time that a later one is issued, so would these have been.
  await approvedAndIssued(context, signer);
  for (const [what, application] of approved) {
    const { certificate = '' } = (await signingRequests.read(application.name)).status;
    if (what !== 'an authority') expect(certificate, `a certificate for ${what}`).toBe('');
    else if (certificate)
      expect(powersOf(new X509Certificate(Buffer.from(certificate, 'base64'))), what).toMatchObject({
        isAuthority: false,
      });
  }
}
