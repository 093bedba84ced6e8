/** What can be said of a value. A failed one throws an error named `AssertionError`, with what was expected and found. */
export interface Assertion {
  /** The opposite. */
  readonly not: Assertion;
  /** Of what a promise resolves with. */
  readonly resolves: AsyncAssertion;
  /** Of what a promise is rejected with. */
  readonly rejects: AsyncAssertion;
  /** The very same, as `Object.is` sees it. */
  toBe(expected: unknown): void;
  /** The same content; members that are undefined do not count. */
  toEqual(expected: unknown): void;
  toStrictEqual(expected: unknown): void;
  /** Has at least these members, all the way down. */
  toMatchObject(expected: object): void;
  toHaveProperty(path: string | string[], value?: unknown): void;
  /** Of a list: this very item. Of a text: this part. */
  toContain(item: unknown): void;
  toContainEqual(item: unknown): void;
  toHaveLength(length: number): void;
  toMatch(expected: string | RegExp): void;
  toBeTypeOf(type: 'bigint' | 'boolean' | 'function' | 'number' | 'object' | 'string' | 'symbol' | 'undefined'): void;
  // biome-ignore lint/suspicious/noExplicitAny: of whatever class
  toBeInstanceOf(type: abstract new (...args: any[]) => unknown): void;
  toBeDefined(): void;
  toBeUndefined(): void;
  toBeNull(): void;
  toBeTruthy(): void;
  toBeFalsy(): void;
  toBeGreaterThan(limit: number | bigint): void;
  toBeGreaterThanOrEqual(limit: number | bigint): void;
  toBeLessThan(limit: number | bigint): void;
  toBeLessThanOrEqual(limit: number | bigint): void;
  toBeCloseTo(expected: number, digits?: number): void;
  /** Of a function: what it throws has this message, or matches it. */
  toThrow(expected?: string | RegExp | Error): void;
}

export type AsyncAssertion = {
  readonly [Name in keyof Assertion]: Assertion[Name] extends (...args: infer Args) => void
    ? (...args: Args) => Promise<void>
    : AsyncAssertion;
};

/** Stands in an expected value for all that it describes. */
export interface Matchers {
  anything(): unknown;
  any(type: unknown): unknown;
  arrayContaining(items: readonly unknown[]): unknown;
  objectContaining(members: object): unknown;
  stringContaining(part: string): unknown;
  stringMatching(expected: string | RegExp): unknown;
}

/** The assertions of rules, by the names that vitest and jest have for them. */
export interface Expect extends Matchers {
  /** @param message stands before what is said of a failure */
  (value: unknown, message?: string): Assertion;
  readonly not: Omit<Matchers, 'anything' | 'any'>;
}
