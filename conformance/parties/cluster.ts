import { UsageError } from '../../mistyped.ts';
import type { Flag } from '../commands/flag-table.ts';
import { asking, TargetFault } from '../target/inspect.ts';
import type { Target } from '../target/target.ts';
import { readTarget } from '../target/target-flags.ts';
import type { Answer, Json, Send } from '../verbs/client.ts';
import type { RuleContext } from '../verbs/context.ts';
import { makeRun } from '../verbs/rule-run.ts';
import { connect } from '../verbs/wire/connections.ts';
import type { FlagValues, PartyRun } from './party.ts';

/** A party that acts on a cluster, and the cluster that it is seen by. */
export interface ClusterCandidate {
  readonly target: Target;
  /** Milliseconds the party may take to follow a change. */
  readonly patience: number;
  /** Whether no controller empties namespaces that are deleted. */
  readonly finalize?: boolean;
}

/** The flags that say which cluster. */
export const clusterFlags = (help: string): readonly Flag[] => [
  { name: 'kubeconfig', value: 'FILE', help },
  { name: 'context', value: 'NAME', help: 'context of the kubeconfig, instead of its current one' },
];

/** Milliseconds that a party may take to follow a change, unless it says otherwise. */
export const usualPatience = 30_000;

/** The cluster that the flags name. @throws UsageError */
export function clusterOf(values: FlagValues): Target {
  const target = readTarget((name) => values[name] as string | undefined, false);
  if (!target) throw new UsageError('--kubeconfig names the cluster');
  return target;
}

const requestLimit = 30_000;

/** What a check may do on the cluster; all that it makes goes when the rule is done. */
export function openCluster({ target, patience, finalize = false }: ClusterCandidate, run: PartyRun): RuleContext {
  const own = connect(target);
  const { context, cleanUp, stop } = makeRun({
    ...{ ruleId: run.ruleId, target, agents: { own, anonymous: own }, keep: false, finalize },
    ...{ patience, requestLimit, webhookHost: '127.0.0.1', exchanges: run.exchanges },
  });
  run.release(() => own.destroy());
  run.release(async () => void run.left.push(...(await cleanUp())));
  run.release(stop);
  return context;
}

/** Looks whether the cluster shows what is at the path. @throws TargetFault */
export async function inspectCluster(candidate: Pick<ClusterCandidate, 'target'>, path: string): Promise<void> {
  const { status } = await askOnce(candidate, (send) => send('GET', path, { query: { limit: 1 } }));
  if (status !== 200) throw new TargetFault(`the cluster answers ${status} to GET ${path}.`);
}

/** Looks whether the cluster would take an object there. @throws TargetFault with its reason */
export async function rehearseOn(candidate: Pick<ClusterCandidate, 'target'>, path: string, body: Json): Promise<void> {
  const { status, body: said } = await askOnce(candidate, (send) =>
    send('POST', path, { query: { dryRun: 'All' }, body }),
  );
  if (status >= 300) throw new TargetFault(`the cluster does not take what would be sent: ${said?.message ?? status}.`);
}

const askOnce = ({ target }: Pick<ClusterCandidate, 'target'>, ask: (send: Send) => Promise<Answer>): Promise<Answer> =>
  asking(target, ask).catch((error: Error) => {
    throw new TargetFault(`${error.message}.`);
  });
