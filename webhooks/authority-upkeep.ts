export interface AuthorityUpkeepParts {
  /** PEM that vouches for the certificate by now. @throws Error it cannot be read */
  readonly read: () => string;
  /** Tells API servers of it. */
  readonly tell: (authority: string) => Promise<void>;
  readonly report: (error: unknown) => void;
}

/**
 * Tells API servers of what vouches for the certificate, and of another when there is one: with that of before they refuse
 * what the policies are asked about once they connect anew. Only what was told without an error counts: else it is told
 * again, later.
 */
export class AuthorityUpkeep {
  readonly #parts: AuthorityUpkeepParts;
  #told: string | undefined;
  /** The looks so far, in turn: what was read later is told later. */
  #turn: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: AuthorityUpkeepParts) {
    this.#parts = parts;
  }

  /** Resolves when they were told for the first time. @throws Error they cannot be */
  async start(everyMs = 10_000): Promise<void> {
    await this.#look();
    this.#timer = setInterval(() => void this.look(), everyMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Before the start nobody has to be told. */
  look(): Promise<void> {
    if (this.#told === undefined) return this.#turn;
    this.#turn = this.#turn.then(() => this.#look()).catch(this.#parts.report);
    return this.#turn;
  }

  async #look(): Promise<void> {
    const authority = this.#parts.read();
    if (authority === this.#told) return;
    await this.#parts.tell(authority);
    this.#told = authority;
  }
}
