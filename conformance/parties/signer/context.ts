import { X509Certificate } from 'node:crypto';
import type { Expect } from '../../assertions.ts';
import { expect } from '../../expect.ts';
import { makeSigningRequest } from '../../lab/signing-request.ts';
import type { Json } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { type Application, publicKeyOf } from '../../verbs/signers.ts';
import { condition } from '../../verbs/signing-requests.ts';
import { mustSucceed } from '../../verbs/workspace.ts';
import { type ClusterCandidate, openCluster } from '../cluster.ts';
import type { PartyRun } from '../party.ts';

/** What the signer takes. In its texts `{}` stands for a name that is new each time. */
export interface Form {
  /** Such as `O=devs, CN={}`. */
  readonly subject: string;
  readonly hosts: readonly string[];
  readonly usages: readonly string[];
}

export interface SignerCandidate extends ClusterCandidate {
  readonly signerName: string;
  readonly form: Form;
}

/** A request of the judge's. */
export interface Asked extends Application {
  readonly subject: string;
  readonly hosts: readonly string[];
}

/** What a request has beside the usual. */
export interface Wish {
  readonly signerName?: string;
  readonly expirationSeconds?: number;
  /** Asks for the certificate of an authority. */
  readonly authority?: boolean;
}

/** What a check works with: requests to the signer, decisions on them, and what it makes of them. */
export interface SignerContext {
  readonly expect: Expect;
  readonly candidate: SignerCandidate;
  readonly unique: RuleContext['unique'];
  readonly skip: RuleContext['skip'];
  readonly ask: (wish?: Wish) => Promise<Asked>;
  /** Adds a condition. */
  readonly decide: (asked: Asked, type: Decision) => Promise<void>;
  readonly read: (asked: Asked) => Promise<Json>;
  /** Waits for the certificate of a request; gives its blocks. */
  readonly issued: (asked: Asked) => Promise<readonly X509Certificate[]>;
  /** Waits until the signer has had time for everything asked for so far: it has signed something newer. */
  readonly later: () => Promise<void>;
}

/** A request for the signer, under this name, and what it asks for. */
export async function requestFor(
  { signerName: ownName, form }: Pick<SignerCandidate, 'signerName' | 'form'>,
  name: string,
  { signerName = ownName, authority = false, expirationSeconds }: Wish = {},
): Promise<{ readonly body: Json; readonly asked: Asked }> {
  const filled = (text: string): string => text.replaceAll('{}', name);
  const [subject, hosts] = [filled(form.subject), form.hosts.map(filled)];
  const made = await makeSigningRequest(subject, hosts, { authority });
  const request = Buffer.from(made.pem).toString('base64');
  const spec = { request, signerName, usages: form.usages, ...(expirationSeconds ? { expirationSeconds } : {}) };
  return { body: { metadata: { name }, spec }, asked: { ...made, name, subject, hosts } };
}

export async function openSigner(candidate: SignerCandidate, run: PartyRun): Promise<SignerContext> {
  const context = openCluster(candidate, run);
  const { signingRequests, unique, skip } = context;
  const ask: SignerContext['ask'] = async (wish) => {
    const { body, asked } = await requestFor(candidate, unique('judged'), wish);
    await signingRequests.create(body);
    return asked;
  };
  const decide: SignerContext['decide'] = ({ name }, type) => decideOn(context, name, type);
  const issued: SignerContext['issued'] = async ({ name }) => {
    const { status } = await context.waitUntil(
      `the signer issues the certificate of ${name}`,
      () => signingRequests.read(name),
      (seen) => Boolean(seen.status?.certificate),
      { limit: candidate.patience },
    );
    return blocksOf(status.certificate);
  };
  const later = async (): Promise<void> => {
    const asked = await ask();
    await decide(asked, 'Approved');
    const [leaf] = await issued(asked);
    expect(leaf && publicKeyOf(leaf), `the key of the certificate of ${asked.name}`).toBe(asked.publicKey);
  };
  const read: SignerContext['read'] = ({ name }) => signingRequests.read(name);
  return { expect, candidate, unique, skip, ask, decide, issued, later, read };
}

type Decision = 'Approved' | 'Denied' | 'Failed';

/** Adds a condition, unless an approver of the cluster's own has been quicker. */
async function decideOn({ signingRequests, skip }: RuleContext, name: string, type: Decision): Promise<void> {
  for (let tries = 0; ; tries++) {
    const conditions: readonly Json[] = (await signingRequests.read(name)).status?.conditions ?? [];
    const types = conditions.map((one) => one.type);
    if (types.includes(type)) return;
    if (type === 'Denied' && types.includes('Approved')) skip('the cluster approves requests to this signer by itself');
    const next = { status: { conditions: [...conditions, condition(type)] } };
    const answer = await signingRequests.patch(name, next, { sub: type === 'Failed' ? 'status' : 'approval' });
    if (answer.status < 300) return;
    if (tries === 3) mustSucceed(answer, `add ${type} to ${name}`);
  }
}

function blocksOf(certificate: string): readonly X509Certificate[] {
  const text = Buffer.from(certificate, 'base64').toString();
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];
  expect(blocks.length, 'PEM blocks of the certificate').toBeGreaterThan(0);
  return blocks.map((block) => new X509Certificate(block));
}
