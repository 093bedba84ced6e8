import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { KeyPair } from './serve.ts';

export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** @throws Error a file cannot be read, holds something else, or the two do not belong together */
export function readKeyPair({ certFile, keyFile }: CertificateFiles): KeyPair {
  const keyPair = { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
  const certificate = found(certFile, 'certificate', () => new X509Certificate(keyPair.cert));
  const key = found(keyFile, 'key', () => createPrivateKey(keyPair.key));
  if (!certificate.checkPrivateKey(key)) throw new Error(`${keyFile} is not the key of ${certFile}`);
  return keyPair;
}

function found<T>(file: string, what: string, read: () => T): T {
  try {
    return read();
  } catch {
    throw new Error(`${file}: no ${what} found`);
  }
}

/**
 * Looks at certificate files again and again, since whoever renews them tells nobody. Only a pair that was taken over
 * without an error counts as seen: half a renewal is tried again.
 */
export class CertificateReload {
  readonly #files: CertificateFiles;
  readonly #take: (keyPair: KeyPair) => void;
  readonly #report: (error: unknown) => void;
  #seen: KeyPair;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    files: CertificateFiles,
    seen: KeyPair,
    take: (keyPair: KeyPair) => void,
    report: (error: unknown) => void,
  ) {
    this.#files = files;
    this.#seen = seen;
    this.#take = take;
    this.#report = report;
  }

  start(everyMs = 10_000): void {
    this.#timer = setInterval(() => this.look(), everyMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  look(): void {
    try {
      const found = readKeyPair(this.#files);
      if (found.cert === this.#seen.cert && found.key === this.#seen.key) return;
      this.#take(found);
      this.#seen = found;
    } catch (error) {
      this.#report(error);
    }
  }
}
