import { createPrivateKey, X509Certificate } from 'node:crypto';
import { type KeyPair, makeAuthority } from '../x509/self-signed.ts';
import { lasts, readPair, writePair } from './kept-pair.ts';
import type { KeyOptions } from './options.ts';

const day = 86_400_000;
const lifetime = 10 * 365 * day;

/** Whether the controllers that run beside the server sign certificates. */
const runsSigner = ({ controllers }: KeyOptions): boolean =>
  !controllers.includes('-csrsigning') && ['*', 'csrsigning', '+csrsigning'].some((name) => controllers.includes(name));

/**
 * The server's own authority for signing certificates, which it trusts when clients show them: kept in `certDir`, or as
 * long as the process. None where the user named one, or said whose certificates are to be trusted.
 */
export function signingAuthority(options: KeyOptions, now: number): KeyPair | undefined {
  const { clusterSigningCertFile, clusterSigningKeyFile, clientCaFile, certDir, log } = options;
  if (!runsSigner(options) || clusterSigningCertFile || clusterSigningKeyFile) return undefined;
  if (clientCaFile) {
    log?.info(
      'csrsigning signs nothing: the server trusts the clients of --client-ca-file alone, and was not given its key' +
        ' (--cluster-signing-cert-file, --cluster-signing-key-file)',
    );
    return undefined;
  }
  return certDir ? kept(certDir, now) : made(now);
}

const made = (now: number): KeyPair =>
  makeAuthority('touchstone-signer', new Date(now - day), new Date(now + lifetime));

const fileName = 'signing-ca';

function kept(folder: string, now: number): KeyPair {
  const found = readPair(folder, fileName);
  if (found && stillGood(found, now)) return found;
  const pair = made(now);
  writePair(folder, fileName, pair);
  return pair;
}

/** Whether the two files belong together (another server may have written one of them) and last. */
function stillGood({ certificate: pem, key }: KeyPair, now: number): boolean {
  try {
    const certificate = new X509Certificate(pem);
    return lasts(certificate, now) && certificate.checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}
