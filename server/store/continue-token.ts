import { createHmac, createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';

/** Where a list goes on. */
export interface Position {
  /** The revision that all pages of the list show; missing: whatever is newest, for a client whose list expired. */
  readonly revision?: number | undefined;
  /** The last key that was shown, without the prefix of the list: any list can go on from there. */
  readonly after: string;
}

/** The text is no token of this server. */
export class InvalidTokenError extends Error {
  constructor() {
    super('the continue token is not valid');
  }
}

/** Form of the tokens, in case it ever changes. */
const version = 1;
const macLength = 32;
const longestToken = 16 * 1024;

/**
 * Opaque positions for paging clients, which carry a MAC under the server's own key: a client can neither make nor
 * alter one. Servers that share a store and shall take each other's tokens need the same key.
 */
export class ContinueTokens {
  /** To make one of the bytes for each page would cost more than all else about its token. */
  readonly #key: KeyObject;

  constructor(key: Buffer = randomBytes(32)) {
    this.#key = createSecretKey(key);
  }

  encode({ revision, after }: Position): string {
    const content = Buffer.from(JSON.stringify({ v: version, ...(revision !== undefined && { rv: revision }), after }));
    return Buffer.concat([this.#mac(content), content]).toString('base64url');
  }

  /** @throws InvalidTokenError */
  decode(token: string): Position {
    if (token.length > longestToken || !/^[-\w]+={0,2}$/.test(token)) throw new InvalidTokenError();
    const bytes = Buffer.from(token, 'base64url');
    // Decoding passes over stray bits; the text must be the very one that was given out.
    if (bytes.toString('base64url') !== token.replace(/=+$/, '')) throw new InvalidTokenError();
    const content = bytes.subarray(macLength);
    if (bytes.length <= macLength || !timingSafeEqual(bytes.subarray(0, macLength), this.#mac(content))) {
      throw new InvalidTokenError();
    }
    const { v, rv, after } = JSON.parse(content.toString());
    if (v !== version) throw new InvalidTokenError();
    return rv === undefined ? { after } : { revision: rv, after };
  }

  #mac(content: Buffer): Buffer {
    return createHmac('sha256', this.#key).update(content).digest();
  }
}
