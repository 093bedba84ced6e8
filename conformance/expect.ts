import {
  ASYMMETRIC_MATCHERS_OBJECT,
  chai,
  type ExpectStatic,
  getState,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  setState,
} from '@vitest/expect';
import type { Expect } from './assertions.ts';

// In somebody's vitest they are there: added twice, one assertion would do the work of another.
const isThere = 'toBe' in chai.Assertion.prototype;
if (!isThere) for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin);

const asymmetric = (globalThis as unknown as Record<symbol, object>)[ASYMMETRIC_MATCHERS_OBJECT];

const assertThat = (value: unknown, message?: string) => chai.expect(value, message);

const vitests = Object.assign(assertThat, chai.expect, asymmetric, {
  getState: () => getState(vitests),
  setState: (state: object) => setState(state, vitests),
}) as unknown as ExpectStatic;

setState({ assertionCalls: 0 }, vitests);

/** The assertions of rules: those of vitest, without vitest. A failed one throws an error named `AssertionError`. */
export const expect: Expect = vitests;
