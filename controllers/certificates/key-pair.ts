import { KeyObject, type webcrypto } from 'node:crypto';

/** How new keys are made, and what signs with them. */
export const keyAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

export const newKeys = (): Promise<webcrypto.CryptoKeyPair> =>
  crypto.subtle.generateKey(keyAlgorithm, true, ['sign', 'verify']);

/** PEM of a private key. */
export const pemOfKey = (key: webcrypto.CryptoKey): string =>
  KeyObject.from(key).export({ format: 'pem', type: 'pkcs8' }).toString();
