import type { Agent } from 'undici';
import { afterAll, expect, inject, TestRunner, test } from 'vitest';
import { judge, type RuleResult } from '../judge.ts';
import { type Launcher, makeLauncher } from '../lab/launcher.ts';
import type { Rule } from '../rule.ts';
import { checkTeeth, type TeethResult } from '../sabotage/self-check.ts';
import { withoutCertificate } from '../target/target.ts';
import { connect } from '../verbs/client.ts';
import type { Plan } from './plan.ts';

declare module 'vitest' {
  interface TaskMeta {
    result?: RuleResult;
    teeth?: TeethResult;
  }
}

/** Makes a test of each rule that a file exports, so that files of rules stay plain data. */
export default class RuleRunner extends TestRunner {
  override async importFile(file: string, source: 'collect' | 'setup'): Promise<unknown> {
    const module = (await super.importFile(file, source)) as { default: readonly Rule[] };
    const plan = inject('plan');
    for (const rule of module.default.filter(({ id }) => plan.ids.includes(id))) defineTest(rule, plan);
    afterAll(() => launcherFor(plan)?.stopAll());
    return module;
  }
}

function defineTest(rule: Rule, plan: Plan): void {
  const launcher = launcherFor(plan);
  const options = { ...plan, expect, agents: agentsFor(plan), ...(launcher ? { launcher } : {}) };
  test(rule.id, { concurrent: true, timeout: 0 }, async ({ task }) => {
    if (plan.deadServers) {
      const teeth = await checkTeeth(rule, plan.target, plan.deadServers, options);
      task.meta.teeth = teeth;
      if (teeth.problems.length > 0) throw new Error(teeth.problems.join('; '));
      return;
    }
    const result = await judge(rule, plan.target, options);
    task.meta.result = result;
    if (result.verdict === 'fail' || result.verdict === 'error')
      throw new Error(result.finding?.message ?? result.verdict);
  });
}

interface Agents {
  readonly own: Agent;
  readonly anonymous: Agent;
}

let shared: Agents | undefined;

/** One set of connections a worker: files of one run have the same target. */
function agentsFor({ target }: Plan): Agents {
  shared ??= { own: connect(target), anonymous: connect(withoutCertificate(target)) };
  return shared;
}

let launcher: Launcher | undefined;

/** One a worker; what a file's rules have started is stopped when they are done. */
function launcherFor({ target }: Plan): Launcher | undefined {
  if (target.launcher) launcher ??= makeLauncher(target.launcher);
  return launcher;
}
