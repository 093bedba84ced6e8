import type { Agent } from 'undici';
import { afterAll, beforeAll } from 'vitest';
import { type Reference, startReference } from '../target/reference.ts';
import { connect } from '../verbs/wire/connections.ts';

/** Two reference servers for the tests of a file, and connections to the first. */
export interface TwoReferences {
  readonly judged: Reference;
  readonly other: Reference;
  readonly agent: Agent;
}

/** They are there once the tests run. */
export function twoReferences(): TwoReferences {
  const both = {} as { -readonly [K in keyof TwoReferences]: TwoReferences[K] };
  beforeAll(async () => {
    [both.judged, both.other] = await Promise.all([startReference(), startReference()]);
    both.agent = connect(both.judged.target);
  });
  afterAll(async () => {
    await both.agent.destroy();
    await Promise.all([both.judged.stop(), both.other.stop()]);
  });
  return both;
}
