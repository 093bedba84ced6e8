import { Agent, type Dispatcher } from 'undici';
import type { Finding, RuleResult } from '../result.ts';
import type { Rule, Verdict } from '../rule.ts';
import { type JudgeOptions, judge } from '../runner/judge.ts';
import type { KnownTarget, Target } from '../target/target.ts';
import { connect } from '../verbs/wire/connections.ts';
import { startProxy, type TargetProxy } from './proxy.ts';
import type { Sabotage } from './sabotage.ts';

/** How a rule did under one sabotage or dead server. */
export interface Trial {
  readonly under: string;
  readonly verdict: Verdict;
  readonly finding?: Finding;
}

/** Proof, or lack of proof, that a rule can fail. */
export interface TeethResult {
  readonly id: string;
  readonly chapter: string;
  /** The verdict without any sabotage. */
  readonly healthy: Verdict;
  readonly reason?: string;
  readonly trials: readonly Trial[];
  readonly dead: readonly Trial[];
  /** Empty when the rule passes when it should and fails when it should, for the right reason. */
  readonly problems: readonly string[];
}

type DeadServers = readonly { readonly name: string; readonly url: string }[];

/** Runs a rule on the target as it is, then under each of its sabotages, then on servers that keep no rule at all. */
export async function checkTeeth(
  rule: Rule,
  target: KnownTarget,
  deadServers: DeadServers,
  options: JudgeOptions,
): Promise<TeethResult> {
  const healthy = await judge(rule, target, options);
  const known = { id: rule.id, chapter: healthy.chapter, healthy: healthy.verdict };
  if (healthy.verdict === 'skipped')
    return { ...known, reason: healthy.reason ?? '', trials: [], dead: [], problems: [] };
  const trials: Trial[] = [];
  for (const sabotage of rule.sabotages) trials.push(await underSabotage(rule, target, sabotage, options));
  const dead: Trial[] = [];
  for (const server of deadServers) dead.push(await onDeadServer(rule, target, server, options));
  return { ...known, trials, dead, problems: problemsOf(healthy, trials, dead) };
}

async function underSabotage(
  rule: Rule,
  target: KnownTarget,
  sabotage: Sabotage,
  options: JudgeOptions,
): Promise<Trial> {
  const proxies: TargetProxy[] = [];
  const through = async (real: Target, agent: Dispatcher): Promise<Target> => {
    const proxy = await startProxy(real, agent, sabotage);
    proxies.push(proxy);
    return proxy.target;
  };
  try {
    const spoiled = { ...known(target), ...(await through(target, options.agents.own)) };
    const client = sabotage.client?.();
    const meddled = client ? { ...options, client } : options;
    return await trial(sabotage.name, rule, spoiled, meddled, (started) => through(started, connect(started)));
  } finally {
    await Promise.all(proxies.map((proxy) => proxy.stop()));
  }
}

const onDeadServer = (
  rule: Rule,
  target: KnownTarget,
  { name, url }: DeadServers[number],
  options: JudgeOptions,
): Promise<Trial> => trial(name, rule, { ...known(target), url }, { ...options, keep: true }, async () => ({ url }));

/** What is known of a target beside its address and credentials. */
const known = ({
  capabilities,
  version,
  labFolder,
  webhookHost,
  beside,
}: KnownTarget): Pick<KnownTarget, 'capabilities' | 'version' | 'labFolder' | 'webhookHost' | 'beside'> => ({
  capabilities,
  version,
  ...(beside ? { beside } : {}),
  ...(labFolder ? { labFolder } : {}),
  ...(webhookHost ? { webhookHost } : {}),
});

type Reach = (started: Target) => Promise<Target>;

async function trial(
  under: string,
  rule: Rule,
  target: KnownTarget,
  options: JudgeOptions,
  reach: Reach,
): Promise<Trial> {
  const agent = new Agent({ connections: 64 });
  const agents = { own: agent, anonymous: agent };
  try {
    const result = await judge(rule, target, {
      ...options,
      agents,
      reach: async (started) => ({ target: await reach(started), agents }),
    });
    const finding = result.finding ?? warningFinding(result);
    return { under, verdict: result.verdict, ...(finding ? { finding } : {}) };
  } finally {
    await agent.destroy();
  }
}

/** A warning about the rule itself counts as having noticed. */
const warningFinding = ({ warnings }: RuleResult): Finding | undefined =>
  warnings[0] === undefined ? undefined : { kind: 'assertion', message: warnings[0] };

function problemsOf(healthy: RuleResult, trials: readonly Trial[], dead: readonly Trial[]): string[] {
  const problems: string[] = [];
  if (healthy.verdict === 'fail' || healthy.verdict === 'error') {
    problems.push(`does not pass without sabotage: ${healthy.finding?.message ?? ''}`);
  }
  for (const { under, verdict, finding } of trials) {
    if (verdict === 'pass') problems.push(`still passes when the server ${under}`);
    else if (finding?.kind !== 'assertion')
      problems.push(`fails for another reason when the server ${under}: ${finding?.kind}: ${finding?.message}`);
  }
  for (const { under, verdict } of dead) {
    if (verdict === 'pass' && healthy.level === 'must') problems.push(`passes on a server that ${under}`);
  }
  return problems;
}
