import type { KubeObject } from '../../../base/kube-object.ts';
import { badRequest, forbidden, notFound, statusAnswer, tooManyRequests } from '../../../base/status-error.ts';
import { formatTime } from '../../../base/time/clock.ts';
import { selectorMatches } from '../../label-selector-field.ts';
import type { DisruptionBudget } from '../../policy/disruption-budget-shape.ts';
import type { Operation, OperationInput } from '../../strategy.ts';
import type { Pod } from './shape.ts';
import { statusSuccess } from './status-success.ts';

interface Eviction extends KubeObject {
  deleteOptions?: { [key: string]: unknown; dryRun?: string[] };
}

/** Evictions that were allowed but not yet seen by whoever keeps the budget's counts. */
const mostUnconfirmed = 2000;

const refusal = "Cannot evict pod as it would violate the pod's disruption budget.";
const waitSeconds = 10;

/** Losing it costs the budget nothing: it does not run, or is on its way out. */
const costsNothing = ({ status, metadata }: Pod) =>
  ['Succeeded', 'Failed', 'Pending'].includes(status?.phase ?? '') || metadata.deletionTimestamp !== undefined;

const isReady = ({ status }: Pod) =>
  status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') === true;

/** A pod that is not healthy may go as long as enough others are. */
const goesUncounted = (pod: Pod, { status = {} }: DisruptionBudget) =>
  !isReady(pod) && (status.desiredHealthy ?? 0) > 0 && (status.currentHealthy ?? 0) >= (status.desiredHealthy ?? 0);

/** The budget with one disruption less. @throws 429 when there is none left, 403 when it is out of order */
function spend(budget: DisruptionBudget, pod: string, now: number): DisruptionBudget {
  const { metadata, status = {} } = budget;
  const name = metadata.name ?? '';
  const cause = (message: string) => [{ reason: 'DisruptionBudget', message }];
  const refuse = (why: string) => forbidden({ group: 'policy', resource: 'poddisruptionbudget' }, name, why);
  const allowed = status.disruptionsAllowed ?? 0;
  if ((status.observedGeneration ?? 0) < (metadata.generation ?? 0))
    throw tooManyRequests(
      refusal,
      waitSeconds,
      cause(`The disruption budget ${name} is still being processed by the server.`),
    );
  if (allowed < 0) throw refuse('pdb disruptions allowed is negative');
  if (Object.keys(status.disruptedPods ?? {}).length > mostUnconfirmed)
    throw refuse('DisruptedPods map too big - too many evictions not confirmed by PDB controller');
  if (allowed === 0)
    throw tooManyRequests(
      refusal,
      0,
      cause(
        `The disruption budget ${name} needs ${status.desiredHealthy ?? 0} healthy pods and has ${status.currentHealthy ?? 0} currently`,
      ),
    );
  const conditions = allowed === 1 ? exhausted(budget, now) : status.conditions;
  budget.status = {
    ...status,
    ...(conditions && { conditions }),
    disruptionsAllowed: allowed - 1,
    disruptedPods: { ...status.disruptedPods, [pod]: formatTime(now) },
  };
  return budget;
}

function exhausted({ metadata, status }: DisruptionBudget, now: number) {
  const others = status?.conditions?.filter(({ type }) => type !== 'DisruptionAllowed') ?? [];
  const condition = {
    type: 'DisruptionAllowed',
    status: 'False',
    reason: 'InsufficientPods',
    message: '',
    lastTransitionTime: formatTime(now),
    ...(metadata.generation !== undefined && { observedGeneration: metadata.generation }),
  };
  return [...others, condition];
}

async function askBudgets(pod: Pod, dryRun: boolean, input: OperationInput): Promise<void> {
  const { namespace, name, context, updateOther } = input;
  const all = (await context.lookup.list('policy', 'poddisruptionbudgets', namespace)) as readonly DisruptionBudget[];
  const budgets = all.filter(({ spec }) => selectorMatches(spec?.selector, pod.metadata.labels));
  const [budget] = budgets;
  if (!budget) return;
  if (budgets.length > 1)
    throw statusAnswer(
      500,
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  if (goesUncounted(pod, budget)) return;
  const now = context.clock.now();
  if (dryRun) spend(structuredClone(budget), name, now);
  else
    await updateOther<DisruptionBudget>(
      { group: 'policy', resource: 'poddisruptionbudgets', namespace, name: budget.metadata.name ?? '' },
      (current) => spend(current, name, now),
    );
}

/** POST to `/eviction` of a pod: a delete that asks the disruption budgets first. */
export const evictPod: Operation = async (input) => {
  const { namespace, name, context, remove } = input;
  const eviction = input.body as Eviction | undefined;
  if (eviction?.metadata.name !== name) throw badRequest('name in URL does not match name in Eviction object');
  if ((eviction.metadata.namespace ?? namespace) !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  const pod = (await context.lookup.get('', 'pods', namespace, name)) as Pod | undefined;
  if (!pod) throw notFound({ group: '', resource: 'pods' }, name);
  const options = eviction.deleteOptions ?? {};
  if (context.dryRun && options.dryRun?.some((each) => each !== 'All'))
    throw badRequest(`the request is a dry run, but deleteOptions.dryRun is ${JSON.stringify(options.dryRun)}`);
  const dryRun = context.dryRun || options.dryRun?.includes('All') === true;
  if (!costsNothing(pod)) await askBudgets(pod, dryRun, input);
  await remove(dryRun ? { ...options, dryRun: ['All'] } : { ...options });
  return statusSuccess(201);
};
