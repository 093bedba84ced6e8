import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { followFiles } from '../base/files/follow-file.ts';
import type { Clock } from '../base/time/clock.ts';
import type { CertificateDetails } from '../x509/certificate-details.ts';
import { judgeChain, type Verdict } from './certificate-chain.ts';

export const bundlePattern = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The certificates of a PEM bundle. @throws Error when there is none or one is malformed */
export function readBundle(pem: string): readonly X509Certificate[] {
  const blocks = pem.match(bundlePattern) ?? [];
  if (!blocks.length) throw new Error('no certificate found');
  return blocks.map((block) => new X509Certificate(block));
}

interface Judged extends Verdict {
  readonly roots: readonly X509Certificate[];
}

/**
 * Trusted certificate authorities and the judgement of client certificates by them: signed through at most some
 * intermediate certificates by one of them, valid now, and meant for client authentication.
 */
export class CertificateAuthority {
  #roots: readonly X509Certificate[];
  readonly #clock: Clock;
  /** A connection shows the same certificate with each request. */
  readonly #verdicts = new WeakMap<X509Certificate, Judged>();
  constructor(roots: readonly X509Certificate[], clock: Clock) {
    this.#roots = roots;
    this.#clock = clock;
  }

  get roots(): readonly X509Certificate[] {
    return this.#roots;
  }

  /** Trusts these from now on, instead of those before. */
  replace(roots: readonly X509Certificate[]): void {
    this.#roots = roots;
  }

  /**
   * The subject of the first certificate, which the others lead to a trusted one.
   * @throws Error with the reason why it is not trusted
   */
  verify(presented: readonly X509Certificate[]): CertificateDetails {
    const [leaf, ...others] = presented;
    if (!leaf) throw new Error('no certificate was presented');
    const now = this.#clock.now();
    let verdict = this.#verdicts.get(leaf);
    if (verdict?.roots !== this.#roots) {
      verdict = { roots: this.#roots, ...judgeChain(leaf, others, this.#roots, now) };
      this.#verdicts.set(leaf, verdict);
    }
    if (now < verdict.from) throw new Error('the certificate is not valid yet');
    if (now > verdict.until) throw new Error('the certificate has expired');
    return verdict.details;
  }
}

export interface FollowedFile {
  readonly authority: CertificateAuthority;
  /** Calls back after each reload. */
  onReload(listener: () => void): void;
  stop(): void;
}

/**
 * The authorities of a file, read again when it changes; while what it holds is malformed, the last good ones stay.
 * @throws Error when it cannot be read at first
 */
export function followAuthorityFile(file: string, clock: Clock): FollowedFile {
  const read = () => {
    try {
      return readBundle(readFileSync(file, 'utf8'));
    } catch (error) {
      throw new Error(`${file}: ${(error as Error).message}`);
    }
  };
  const authority = new CertificateAuthority(read(), clock);
  const listeners: (() => void)[] = [];
  const stop = followFiles([file], () => {
    try {
      authority.replace(read());
    } catch {
      return;
    }
    for (const listener of listeners) listener();
  });
  return { authority, onReload: (listener) => listeners.push(listener), stop };
}
