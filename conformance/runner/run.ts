import { extname, join, relative } from 'node:path';
import type { Reporter, TestCase } from 'vitest/node';
import { startVitest } from 'vitest/node';
import type { RuleResult } from '../judge.ts';
import type { TeethResult } from '../sabotage/self-check.ts';
import type { Plan } from './plan.ts';
import type { Section } from './sections.ts';

export interface RunOptions {
  readonly sections: readonly Section[];
  readonly plan: Plan;
  readonly workers: number;
  readonly failFast: boolean;
  readonly onResult?: (result: RuleResult) => void;
  readonly onTeeth?: (teeth: TeethResult) => void;
}

/** What stopped a file of rules as a whole, such as an error while it was loaded. */
export interface RunOutcome {
  readonly errors: readonly string[];
}

const home = join(import.meta.dirname, '..', '..');

/** Rules of one file that run at the same time: they wait much and compute little. */
const concurrency = 12;

/** Runs the planned rules by vitest, with a configuration of our own wherever we were started. */
export async function runPlan({
  sections,
  plan,
  workers,
  failFast,
  onResult,
  onTeeth,
}: RunOptions): Promise<RunOutcome> {
  const chosen = sections.filter(({ rules }) => rules.some(({ id }) => plan.ids.includes(id)));
  if (chosen.length === 0) return { errors: [] };
  const errors: string[] = [];
  const exitCode = process.exitCode;
  const vitest = await startVitest('test', [], {
    root: home,
    config: false,
    watch: false,
    include: chosen.map(({ file }) => relative(home, file)),
    exclude: [],
    runner: join(import.meta.dirname, `rule-runner${extname(import.meta.filename)}`),
    provide: { plan },
    pool: 'threads',
    isolate: false,
    maxWorkers: workers,
    maxConcurrency: concurrency,
    passWithNoTests: true,
    teardownTimeout: 2_000,
    bail: failFast ? 1 : 0,
    experimental: { viteModuleRunner: false },
    reporters: [listener(errors, onResult, onTeeth)],
  });
  await vitest.close();
  // A rule that fails is a result, not a fault of this process.
  process.exitCode = exitCode;
  return { errors };
}

function listener(errors: string[], onResult: RunOptions['onResult'], onTeeth: RunOptions['onTeeth']): Reporter {
  return {
    onTestCaseResult(test: TestCase) {
      const { result, teeth } = test.meta();
      if (result) onResult?.(result);
      if (teeth) onTeeth?.(teeth);
    },
    onTestModuleEnd(module) {
      for (const error of module.errors()) errors.push(`${module.relativeModuleId}: ${error.message}`);
    },
    onTestRunEnd(_, unhandled) {
      for (const error of unhandled) errors.push(error.message);
    },
  };
}
