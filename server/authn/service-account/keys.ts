import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A key that tokens are checked with. */
export interface VerificationKey {
  readonly key: KeyObject;
  /** Names the key in tokens: a digest of its public part. */
  readonly id: string;
  /** JWS algorithms that suit the key; never one with a shared secret, so no public key can be taken for one. */
  readonly algorithms: readonly string[];
}

export interface SigningKey {
  readonly key: KeyObject;
  readonly id: string;
  readonly algorithm: string;
}

const curves: Readonly<Record<string, string>> = { prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512' };

function algorithmsOf(key: KeyObject): readonly string[] {
  if (key.asymmetricKeyType === 'rsa') return ['RS256', 'RS384', 'RS512'];
  const curve = key.asymmetricKeyDetails?.namedCurve ?? '';
  const algorithm = key.asymmetricKeyType === 'ec' && Object.hasOwn(curves, curve) ? curves[curve] : undefined;
  if (!algorithm) throw new Error('only RSA keys and ECDSA keys on P-256, P-384 or P-521 can be used');
  return [algorithm];
}

const idOf = (key: KeyObject) =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url');

function verificationKey(key: KeyObject): VerificationKey {
  return { key, id: idOf(key), algorithms: algorithmsOf(key) };
}

const blockPattern = /-----BEGIN ([A-Z ]+)-----[^-]+-----END \1-----/g;
const keyLabels = /^(?:(?:RSA |EC )?(?:PRIVATE|PUBLIC) KEY|CERTIFICATE)$/;

/**
 * The public keys of all blocks of a PEM text that hold one: private keys, public keys, certificates. Parameters between
 * them are left out.
 * @throws Error when there is none or one is malformed or of a kind that cannot be used
 */
export function readVerificationKeys(pem: string): VerificationKey[] {
  const blocks = [...pem.matchAll(blockPattern)].filter(([, label]) => keyLabels.test(label ?? ''));
  if (!blocks.length) throw new Error('no key found');
  return blocks.map(([block]) => verificationKey(createPublicKey(block)));
}

/** @throws Error when the text holds no private key that can be used */
export function readSigningKey(pem: string): SigningKey {
  if (!pem.includes('PRIVATE KEY-----')) throw new Error('no private key found');
  const key = createPrivateKey(pem);
  const [algorithm = ''] = algorithmsOf(key);
  return { key, id: idOf(createPublicKey(key)), algorithm };
}

/** A key for who has none to give; what it signs is valid as long as the process runs. */
function makeSigningKey(): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { key: privateKey, id: idOf(publicKey), algorithm: 'ES256' };
}

export const verifies = ({ key }: SigningKey): VerificationKey => verificationKey(createPublicKey(key));

const inFile = <T>(file: string, read: (pem: string) => T): T => {
  try {
    return read(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`);
  }
};

export interface ServiceAccountKeys {
  readonly signing: SigningKey;
  /** Each once, in the order given. */
  readonly verifying: readonly VerificationKey[];
}

/**
 * The keys of service account tokens. `keyFiles` verify; `signingFile` signs and verifies as well. Without a signing
 * file the first key file that holds a private key signs; without any file `own` does both, PEM of a private key.
 */
export function loadServiceAccountKeys(
  keyFiles: readonly string[],
  signingFile: string | undefined,
  own?: string,
): ServiceAccountKeys {
  const given = keyFiles.flatMap((file) => inFile(file, readVerificationKeys));
  const signing = signingFile
    ? inFile(signingFile, readSigningKey)
    : (firstPrivate(keyFiles) ?? (own ? readSigningKey(own) : makeSigningKey()));
  const keys = new Map([...given, verifies(signing)].map((each) => [each.id, each]));
  return { signing, verifying: [...keys.values()] };
}

function firstPrivate(files: readonly string[]): SigningKey | undefined {
  for (const file of files) {
    const pem = readFileSync(file, 'utf8');
    if (pem.includes('PRIVATE KEY-----')) return inFile(file, readSigningKey);
  }
  return undefined;
}

/** The public keys as a JSON Web Key Set (RFC 7517). */
export const keySet = (keys: readonly VerificationKey[]): { readonly keys: readonly JsonWebKey[] } => ({
  keys: keys.map(({ key, id, algorithms }) => ({
    use: 'sig',
    ...key.export({ format: 'jwk' }),
    kid: id,
    alg: algorithms[0] ?? '',
  })),
});
