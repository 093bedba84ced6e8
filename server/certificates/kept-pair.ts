import type { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeOpenFile, writeSecretFile } from '../base/files/write-file.ts';
import type { KeyPair } from '../x509/self-signed.ts';

const filesOf = (folder: string, name: string) => ({
  certificate: join(folder, `${name}.crt`),
  key: join(folder, `${name}.key`),
});

/** What a folder keeps under a name, as it is there; undefined when one of its two files is not. */
export function readPair(folder: string, name: string): KeyPair | undefined {
  const { certificate, key } = filesOf(folder, name);
  if (!existsSync(certificate) || !existsSync(key)) return undefined;
  return { certificate: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') };
}

/** Keeps a pair as `name.crt` and `name.key`, the key readable by the owner alone. */
export function writePair(folder: string, name: string, { certificate, key }: KeyPair): void {
  const files = filesOf(folder, name);
  writeSecretFile(files.key, key);
  writeOpenFile(files.certificate, certificate);
}

const day = 86_400_000;

/** Whether it counts now and for a day to come: a clock that was ahead leaves one that nobody takes yet. */
export const lasts = ({ validFrom, validTo }: X509Certificate, now: number): boolean =>
  Date.parse(validFrom) <= now && Date.parse(validTo) > now + day;
