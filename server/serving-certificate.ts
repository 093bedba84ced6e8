import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { writeOpenFile, writeSecretFile } from './base/write-file.ts';
import { type KeyPair, makeSelfSigned } from './x509/self-signed.ts';

export type { KeyPair };

const day = 86_400_000;
const lifetime = 365 * day;

const made = new Map<string, KeyPair>();

/** A self-signed certificate for these names and addresses; one a process, because clients may keep it. */
export function selfSigned(hosts: readonly string[]): KeyPair {
  const id = hosts.join(',');
  const known = made.get(id);
  if (known && stillGood(known, hosts)) return known;
  const now = Date.now();
  const pair = makeSelfSigned(hosts, new Date(now - day), new Date(now + lifetime));
  made.set(id, pair);
  return pair;
}

/** The pair kept in a folder; made and kept there (key readable by the owner alone) when it is missing or will not do. */
export function keptKeyPair(folder: string, hosts: readonly string[]): KeyPair {
  const certificateFile = join(folder, 'apiserver.crt');
  const keyFile = join(folder, 'apiserver.key');
  if (existsSync(certificateFile) && existsSync(keyFile)) {
    const kept = { certificate: readFileSync(certificateFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
    if (stillGood(kept, hosts)) return kept;
  }
  const pair = selfSigned(hosts);
  writeSecretFile(keyFile, pair.key);
  writeOpenFile(certificateFile, pair.certificate);
  return pair;
}

/** Whether the two files belong together (another server may have written one of them), fit the hosts and last. */
function stillGood({ certificate: pem, key }: KeyPair, hosts: readonly string[]): boolean {
  try {
    const certificate = new X509Certificate(pem);
    const covers = hosts.every((host) => (isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)));
    const lasts = Date.parse(certificate.validTo) > Date.now() + day;
    return covers && lasts && certificate.checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}
