import { afterAll, beforeAll, describe, test } from 'vitest';
import { entryOf } from './catalogue/catalogue.ts';
import { type ConformanceOptions, checkOptions } from './conformance-options.ts';
import { resultText } from './report/console.ts';
import type { RuleResult } from './result.ts';
import { runConformance } from './run-conformance.ts';
import { surveySections } from './runner/survey.ts';
import { selectedIds } from './selection/selection.ts';

export interface RuleTestsOptions extends Omit<ConformanceOptions, 'signal'> {
  /** Milliseconds that the whole run may take; half an hour unless given. */
  readonly limit?: number;
}

/**
 * Makes a test of each chosen rule, in the file that awaits this: one that is broken fails with what was seen, one that
 * cannot be judged is skipped with the reason. All are judged by one run, which begins with the first test.
 */
export async function ruleTests({ limit = 1_800_000, ...options }: RuleTestsOptions = {}): Promise<void> {
  checkOptions(options);
  const profiles = [options.profile ?? []].flat();
  const ids = selectedIds(await surveySections(), { ...options, profiles });
  const told: Told = new Map(ids.map((id) => [id, Promise.withResolvers()]));
  const ended = new AbortController();
  let run: Promise<void> | undefined;
  beforeAll(() => {
    run = playInto(told, { ...options, signal: ended.signal });
  });
  afterAll(async () => {
    ended.abort();
    await run;
  }, limit);
  for (const [chapter, own] of Map.groupBy(ids, (id) => entryOf(id).chapter))
    describe(chapter, () => {
      for (const id of own)
        test(`${id}: ${entryOf(id).statement}`, { timeout: limit }, async ({ skip }) => {
          const result = (await told.get(id)?.promise) as RuleResult;
          if (result.verdict === 'skipped') skip(result.reason);
          if (result.verdict === 'fail' || result.verdict === 'error') throw new Error(resultText(result));
        });
    });
}

/** What each test waits for, by the id of its rule. */
type Told = ReadonlyMap<string, PromiseWithResolvers<RuleResult>>;

/** Judges, and tells each test of its rule; all of them where nothing could be judged. */
async function playInto(told: Told, options: ConformanceOptions): Promise<void> {
  const tell = (result: RuleResult): void => told.get(result.id)?.resolve(result);
  const onResult = (result: RuleResult): void => {
    options.onResult?.(result);
    tell(result);
  };
  try {
    const { results } = await runConformance({ ...options, onResult });
    for (const result of results) tell(result);
  } catch (error) {
    for (const { promise, reject } of told.values()) {
      promise.catch(() => undefined);
      reject(error);
    }
  }
}
