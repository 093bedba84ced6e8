import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { Clock } from '../base/time/clock.ts';
import { fieldsOf } from '../base/untyped.ts';

/** A key of the issuer. */
export interface IssuerKey {
  readonly id: string | undefined;
  readonly key: KeyObject;
}

export type Fetch = (url: URL) => Promise<unknown>;

/** No more than one question to the issuer in this time, however many tokens ask for it. */
const pauseMs = 1000;

function readKey(value: unknown): IssuerKey | undefined {
  const jwk = fieldsOf(value);
  if (jwk.use !== undefined && jwk.use !== 'sig') return undefined;
  if (jwk.kty === 'oct') return undefined;
  try {
    const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
    return { id: typeof jwk.kid === 'string' ? jwk.kid : undefined, key };
  } catch {
    return undefined;
  }
}

/**
 * The keys of an OpenID Connect issuer, found by its discovery document. They are fetched when first needed and again
 * when a token names a key that is not among them, so keys may rotate and the issuer may be down for a while: at
 * start, and later as long as the known keys do.
 */
export class IssuerKeys {
  readonly #issuer: string;
  readonly #fetch: Fetch;
  readonly #clock: Clock;
  #keys: readonly IssuerKey[] = [];
  #fetching: Promise<void> | undefined;
  #lastTry = Number.NEGATIVE_INFINITY;
  constructor(issuer: string, fetch: Fetch, clock: Clock) {
    this.#issuer = issuer;
    this.#fetch = fetch;
    this.#clock = clock;
  }

  /** The keys that a token which names `id` may be signed with; without a name all of them. */
  known(id: string | undefined): readonly IssuerKey[] {
    return id === undefined ? this.#keys : this.#keys.filter((key) => key.id === id);
  }

  /** Fetches the keys anew unless that was tried just now. @throws Error when the issuer cannot be asked */
  async refresh(): Promise<void> {
    if (!this.#fetching) {
      if (this.#clock.now() < this.#lastTry + pauseMs) return;
      this.#lastTry = this.#clock.now();
      this.#fetching = this.#load().finally(() => {
        this.#fetching = undefined;
      });
    }
    await this.#fetching;
  }

  async #load(): Promise<void> {
    const base = this.#issuer.replace(/\/$/, '');
    const document = fieldsOf(await this.#fetch(new URL(`${base}/.well-known/openid-configuration`)));
    if (document.issuer !== this.#issuer) throw new Error('the discovery document is of another issuer');
    const location = document.jwks_uri;
    if (typeof location !== 'string' || !location.startsWith('https:') || !URL.canParse(location)) {
      throw new Error('the discovery document names no key set');
    }
    const { keys } = fieldsOf(await this.#fetch(new URL(location)));
    if (!Array.isArray(keys)) throw new Error('the key set has no keys');
    this.#keys = keys.map(readKey).filter((key) => key !== undefined);
  }
}
