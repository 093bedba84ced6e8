import { createSecureContext, type SecureContext, type TlsOptions, type Server as TlsServer } from 'node:tls';

/** PEM each. */
export interface Pair {
  readonly certificate: string;
  readonly key: string;
}

/** By names in lower case; `*` stands for one label. */
export type NamedPairs = ReadonlyMap<string, Pair>;

/** What a TLS server shows to its clients: one certificate to all, or others to those who ask by name. */
export class ShownCertificates {
  #tls: TlsOptions;
  #named: NamedPairs;
  #contexts: ReadonlyMap<string, SecureContext>;

  /** @throws Error when a certificate cannot be read, or a key is not its own; so do the other methods, and change nothing then */
  constructor(tls: TlsOptions, named: NamedPairs = new Map()) {
    this.#tls = tls;
    this.#named = named;
    this.#contexts = contextsOf(named, tls);
  }

  /** For the server to be made with. */
  get options(): TlsOptions {
    const SNICallback: TlsOptions['SNICallback'] = (name, done) => done(null, this.#find(name.toLowerCase()));
    return this.#named.size > 0 ? { ...this.#tls, SNICallback } : this.#tls;
  }

  /** Changes what holds for all, whatever they ask for. */
  change(server: TlsServer, changed: TlsOptions): void {
    const tls = { ...this.#tls, ...changed };
    const contexts = contextsOf(this.#named, tls);
    server.setSecureContext(tls);
    this.#tls = tls;
    this.#contexts = contexts;
  }

  setNamed(named: NamedPairs): void {
    this.#contexts = contextsOf(named, this.#tls);
    this.#named = named;
  }

  #find(name: string): SecureContext | undefined {
    return this.#contexts.get(name) ?? this.#contexts.get(name.replace(/^[^.]*/, '*'));
  }
}

const contextsOf = (named: NamedPairs, tls: TlsOptions): ReadonlyMap<string, SecureContext> =>
  new Map(
    Array.from(named, ([name, { certificate: cert, key }]) => [name, createSecureContext({ ...tls, cert, key })]),
  );
