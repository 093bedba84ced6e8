import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { auditFiles } from './audit.ts';
import { authorityOf, type KeyPair, makePair, type Wish } from './certificates.ts';
import { type ChainName, makeChained } from './chains.ts';
import { type Claims, signedToken } from './jwt.ts';
import {
  addIssuerKey,
  type CertificateName,
  type FurtherKey,
  issuerKeys,
  type KeyName,
  type LabUser,
  makeMaterials,
  readRecord,
} from './materials.ts';
import { hookToken, type ReviewAnswer, type SeenReview, seenReviews } from './token-webhook.ts';

/** Names that the flags of a lab give to things. */
export const labNames = {
  issuer: 'https://kubernetes.default.svc',
  oidcClient: 'touchstone',
  oidcGroupsPrefix: 'oidc:',
  requiredClaim: { name: 'tier', value: 'gold' },
  proxyUserHeader: 'X-Remote-User',
  proxyGroupHeader: 'X-Remote-Group',
  proxyTeamHeader: 'X-Remote-Team',
  proxyExtraPrefix: 'X-Remote-Extra-',
} as const;

/**
 * A folder of keys, certificates and tokens, the flags that make a server trust them, and what rules need to use them.
 * It holds no state but its files, so that each process may open it.
 */
export interface Lab {
  readonly folder: string;
  /** A server started with these trusts the lab; later flags may say otherwise. */
  readonly flags: readonly string[];
  /** Of the OpenID Connect issuer. */
  readonly issuerUrl: string;
  readonly token: (user: LabUser) => string;
  readonly certificate: (name: CertificateName) => KeyPair;
  /** A client certificate of an authority that counts, which runs out in so many seconds. */
  readonly briefCertificate: (name: string, seconds: number) => Promise<KeyPair>;
  /** Client certificates with those that lead from them to an authority that counts, by what is about the way. */
  readonly chainedCertificate: (chain: ChainName, name: string, usage?: Wish['usage']) => Promise<KeyPair>;
  readonly key: (name: KeyName) => KeyObject;
  /** An id token that the server accepts; claims replace its own, `undefined` leaves one out. */
  readonly idToken: (claims?: Claims, header?: Claims, key?: KeyObject) => string;
  /** The issuer comes to have one more key. */
  readonly addIssuerKey: () => FurtherKey;
  /** A token of a service account made outside of the server; claims as above. */
  readonly serviceAccountToken: (account: Account, claims?: Claims, key?: KeyName | KeyObject) => string;
  /** A token to which the token webhook gives this answer. */
  readonly hookToken: (answer: ReviewAnswer) => string;
  /** What the token webhook was asked about a token. */
  readonly reviewsOf: (token: string) => Promise<readonly SeenReview[]>;
}

export interface Account {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

const nowSeconds = (): number => Math.floor(Date.now() / 1000);

const ownClaims = (issuer: string): Claims => {
  const now = nowSeconds();
  return {
    iss: issuer,
    aud: labNames.oidcClient,
    sub: 'dora',
    groups: ['devs'],
    [labNames.requiredClaim.name]: labNames.requiredClaim.value,
    iat: now,
    nbf: now - 5,
    exp: now + 600,
  };
};

const accountClaims = ({ namespace, name, uid }: Account): Claims => {
  const now = nowSeconds();
  return {
    iss: labNames.issuer,
    aud: [labNames.issuer],
    sub: `system:serviceaccount:${namespace}:${name}`,
    iat: now,
    nbf: now - 5,
    exp: now + 600,
    'kubernetes.io': { namespace, serviceaccount: { name, uid } },
  };
};

function flagsOf(folder: string, issuerUrl: string): readonly string[] {
  const file = (name: string): string => join(folder, name);
  const { requiredClaim } = labNames;
  return [
    `--client-ca-file=${file('client-ca.crt')}`,
    `--token-auth-file=${file('tokens.csv')}`,
    '--enable-bootstrap-token-auth=true',
    `--service-account-issuer=${labNames.issuer}`,
    `--service-account-signing-key-file=${file('service-account.key')}`,
    `--service-account-key-file=${file('service-account.key')}`,
    `--service-account-key-file=${file('service-account-2.key')}`,
    `--service-account-key-file=${file('service-account-3.key')}`,
    '--service-account-lookup=true',
    `--oidc-issuer-url=${issuerUrl}`,
    `--oidc-client-id=${labNames.oidcClient}`,
    '--oidc-groups-claim=groups',
    `--oidc-groups-prefix=${labNames.oidcGroupsPrefix}`,
    `--oidc-required-claim=${requiredClaim.name}=${requiredClaim.value}`,
    `--oidc-ca-file=${file('ca.crt')}`,
    `--authentication-token-webhook-config-file=${file('token-webhook.kubeconfig')}`,
    '--authentication-token-webhook-version=v1',
    `--requestheader-client-ca-file=${file('proxy-ca.crt')}`,
    '--requestheader-allowed-names=lab-proxy',
    `--requestheader-username-headers=${labNames.proxyUserHeader}`,
    `--requestheader-group-headers=${labNames.proxyGroupHeader},${labNames.proxyTeamHeader}`,
    `--requestheader-extra-headers-prefix=${labNames.proxyExtraPrefix}`,
    '--anonymous-auth=true',
    '--authorization-mode=RBAC',
    `--audit-policy-file=${file(auditFiles.policy)}`,
    `--audit-log-path=${file(auditFiles.log)}`,
  ];
}

const issuerKeyFor = (algorithm: unknown): KeyName =>
  issuerKeys.find((name) => name === `issuer-${algorithm}`.toLowerCase()) ?? 'issuer';

/** Opens the lab in a folder. @throws Error when there is none */
export function openLab(place: string): Lab {
  const folder = resolve(place);
  const record = readRecord(folder);
  const issuerUrl = `https://127.0.0.1:${record.issuerPort}`;
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const key = (name: KeyName): KeyObject => createPrivateKey(read(`${name}.key`));
  const pair = (name: string): KeyPair => ({ certificate: read(`${name}.crt`), key: read(`${name}.key`) });
  return {
    folder,
    issuerUrl,
    flags: flagsOf(folder, issuerUrl),
    token: (user) => record.tokens[user],
    certificate: pair,
    briefCertificate: async (name, seconds) =>
      makePair({ name: `CN=${name}`, usage: 'client', untilDay: seconds / 86_400 }, await authorityOf(pair('ca'))),
    chainedCertificate: async (chain, name, usage) =>
      makeChained(chain, name, await authorityOf(pair('ca')), pair('alice'), usage),
    key,
    idToken: (claims, header, by = key(issuerKeyFor(header?.['alg']))) =>
      signedToken({ ...ownClaims(issuerUrl), ...claims }, by, header),
    addIssuerKey: () => addIssuerKey(folder),
    serviceAccountToken: (account, claims, by = 'service-account') =>
      signedToken({ ...accountClaims(account), ...claims }, typeof by === 'string' ? key(by) : by),
    hookToken,
    reviewsOf: (token) => seenReviews(record.tokenWebhookPort, read('ca.crt'), token),
  };
}

/** The lab in the folder, made if there is none. */
export async function makeLab(place: string): Promise<Lab> {
  await makeMaterials(resolve(place));
  return openLab(place);
}
