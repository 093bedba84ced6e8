import type { Json } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { preparePods } from '../../verbs/pods.ts';
import { configure, requestsOf } from '../../verbs/webhooks.ts';

/** What webhooks with these members are sent when somebody tries to run a command in a pod; whether it runs does not matter. */
export async function connectionRequests(context: RuleContext, ...overs: readonly Json[]): Promise<Json[][]> {
  const { pods, send } = context;
  const rules = [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods/exec'], operations: ['CONNECT'] }];
  const { hooks } = await configure(
    context,
    'validating',
    overs.map((over) => ({ over: { rules, ...over } })),
  );
  await preparePods(context);
  const { metadata } = await pods.create();
  await send('POST', await pods.path(metadata.name, 'exec'), { query: { command: 'true', stdout: true } });
  return hooks.map(requestsOf);
}
