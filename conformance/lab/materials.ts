import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../free-port.ts';
import { makeFolder } from '../../make-folder.ts';
import { auditFiles, auditPolicy } from './audit.ts';
import { type Authority, type KeyPair, makeAuthority, makePair, type Wish } from './certificates.ts';

/** What is written down of a lab beside its files. */
export interface LabRecord {
  readonly issuerPort: number;
  readonly tokenWebhookPort: number;
  /** Bearer tokens of the token file, by user name. */
  readonly tokens: Readonly<Record<LabUser, string>>;
}

/** Users of the token file: an administrator, one without groups, one in `devs` and `ops`. */
export type LabUser = 'lab-admin' | 'bob' | 'carol';

/** Client certificates, each a pair of files `<name>.crt` and `<name>.key`. */
export const certificates = {
  alice: { authority: 'ca', name: 'O=devs, O=ops, OU=unit, CN=alice', usage: 'client' },
  dave: { authority: 'second-ca', name: 'CN=dave', usage: 'client' },
  stranger: { authority: 'other-ca', name: 'O=system:masters, CN=stranger', usage: 'client' },
  expired: { authority: 'ca', name: 'CN=expired', usage: 'client', fromDay: -10, untilDay: -1 },
  early: { authority: 'ca', name: 'CN=early', usage: 'client', fromDay: 10 },
  nameless: { authority: 'ca', name: 'O=devs', usage: 'client' },
  'no-client': { authority: 'ca', name: 'CN=no-client', usage: 'server' },
  proxy: { authority: 'proxy-ca', name: 'CN=lab-proxy', usage: 'client' },
  'other-proxy': { authority: 'proxy-ca', name: 'CN=other-proxy', usage: 'client' },
  service: { authority: 'ca', name: 'CN=lab-service', usage: 'server' },
} as const satisfies Record<string, Wish & { readonly authority: AuthorityName }>;

export type CertificateName = keyof typeof certificates;

const authorityNames = ['ca', 'second-ca', 'other-ca', 'proxy-ca'] as const;
type AuthorityName = (typeof authorityNames)[number];

const recordFile = (folder: string): string => join(folder, 'lab.json');

/** Writes a file that only its owner may read. */
function put(folder: string, name: string, text: string): void {
  const file = join(folder, name);
  writeFileSync(file, text, { mode: 0o600 });
  chmodSync(file, 0o600);
}

function putPair(folder: string, name: string, { certificate, key }: KeyPair): void {
  put(folder, `${name}.crt`, certificate);
  put(folder, `${name}.key`, key);
}

const rsaKey = () =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' });
const ecKey = (namedCurve: string) =>
  // Genuine servers read an elliptic-curve key for tokens in this form only.
  generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type: 'sec1', format: 'pem' });

/** By which keys the OpenID Connect issuer signs: by the first, unless an algorithm needs another one. */
export const issuerKeys = ['issuer', 'issuer-es256', 'issuer-es384', 'issuer-es512'] as const;

/** Private keys: of the OpenID Connect issuer, and three that may sign tokens of service accounts. */
export type KeyName = (typeof issuerKeys)[number] | 'service-account' | 'service-account-2' | 'service-account-3';

const keys: Readonly<Record<KeyName, () => string | Buffer>> = {
  issuer: rsaKey,
  'issuer-es256': () => ecKey('P-256'),
  'issuer-es384': () => ecKey('P-384'),
  'issuer-es512': () => ecKey('P-521'),
  'service-account': rsaKey,
  'service-account-2': rsaKey,
  'service-account-3': () => ecKey('P-256'),
};

/** A folder of an earlier version may lack some. */
function putKeys(folder: string): void {
  for (const [name, make] of Object.entries(keys)) {
    const file = `${name}.key`;
    if (!existsSync(join(folder, file))) put(folder, file, make().toString());
  }
}

/** A further key of the OpenID Connect issuer, which has it until it is withdrawn. */
export interface FurtherKey {
  readonly key: KeyObject;
  readonly withdraw: () => void;
}

const furtherKey = 'issuer-further-';

/** Who reads the keys at this moment finds it whole or not at all. */
export function addIssuerKey(folder: string): FurtherKey {
  const name = `${furtherKey}${randomBytes(4).toString('hex')}.key`;
  const pem = rsaKey();
  put(folder, `new-${name}`, pem.toString());
  renameSync(join(folder, `new-${name}`), join(folder, name));
  return { key: createPrivateKey(pem), withdraw: () => rmSync(join(folder, name), { force: true }) };
}

/** All keys that the OpenID Connect issuer has now. */
export const issuerKeysIn = (folder: string): readonly KeyObject[] =>
  [
    ...issuerKeys.map((name) => `${name}.key`),
    ...readdirSync(folder).filter((name) => name.startsWith(furtherKey)),
  ].map((name) => createPrivateKey(readFileSync(join(folder, name))));

async function putCertificates(folder: string): Promise<void> {
  const made = new Map<AuthorityName, Authority>();
  for (const name of authorityNames) {
    const authority = await makeAuthority(`touchstone-${name}`);
    made.set(name, authority);
    putPair(folder, name, authority);
  }
  for (const [name, { authority, ...wish }] of Object.entries(certificates)) {
    const signer = made.get(authority);
    if (signer) putPair(folder, name, await makePair(wish, signer));
  }
  const bundle = [made.get('ca'), made.get('second-ca')].map((each) => each?.certificate).join('');
  put(folder, 'client-ca.crt', bundle);
}

function putTokens(folder: string): LabRecord['tokens'] {
  const token = () => randomBytes(16).toString('hex');
  const tokens = { 'lab-admin': token(), bob: token(), carol: token() };
  const lines = [
    `${tokens['lab-admin']},lab-admin,lab-admin-uid,"system:masters"`,
    `${tokens.bob},bob,bob-uid`,
    `${tokens.carol},carol,carol-uid,"devs,ops"`,
  ];
  put(folder, 'tokens.csv', `${lines.join('\n')}\n`);
  return tokens;
}

function putWebhookConfig(folder: string, port: number): void {
  const cluster = { server: `https://127.0.0.1:${port}/authenticate`, 'certificate-authority': join(folder, 'ca.crt') };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'lab',
    contexts: [{ name: 'lab', context: { cluster: 'token-webhook', user: 'server' } }],
    clusters: [{ name: 'token-webhook', cluster }],
    users: [{ name: 'server', user: { token: 'of-the-server' } }],
  };
  put(folder, 'token-webhook.kubeconfig', `${JSON.stringify(config, undefined, 2)}\n`);
}

/** What every release may have more of: a lab of an older one gets it, too. */
function putOurs(folder: string): void {
  putKeys(folder);
  put(folder, auditFiles.policy, `${JSON.stringify(auditPolicy, undefined, 2)}\n`);
}

/** Makes a lab in the folder, unless it holds one already: keys and certificates, a token file, and ports to serve on. */
export async function makeMaterials(folder: string): Promise<void> {
  if (existsSync(recordFile(folder))) return putOurs(folder);
  makeFolder(folder);
  await putCertificates(folder);
  putOurs(folder);
  const record: LabRecord = {
    issuerPort: await freePort(),
    tokenWebhookPort: await freePort(),
    tokens: putTokens(folder),
  };
  putWebhookConfig(folder, record.tokenWebhookPort);
  put(folder, auditFiles.log, '');
  // Last, so that a folder with a record holds everything.
  put(folder, 'lab.json', `${JSON.stringify(record, undefined, 2)}\n`);
}

/** @throws Error when the folder holds no lab */
export function readRecord(folder: string): LabRecord {
  try {
    return JSON.parse(readFileSync(recordFile(folder), 'utf8')) as LabRecord;
  } catch {
    throw new Error(`${folder} holds no lab: make one by touchstone lab --dir ${folder}`);
  }
}
