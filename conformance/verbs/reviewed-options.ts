import type { RuleContext } from './context.ts';
import type { Json } from './json.ts';
import { nameOf } from './states.ts';
import { type Configured, configure, requestsOf } from './webhooks.ts';

const rules = [
  { apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'], operations: ['CREATE', 'UPDATE', 'DELETE'] },
];
const given = { fieldManager: 'somebody', fieldValidation: 'Strict' };
const dry = { dryRun: ['All'] };

/** Each option that a delete may have. */
const deletes = ({ uid, resourceVersion }: Json): readonly Json[] => [
  { preconditions: { uid } },
  { preconditions: { resourceVersion } },
  { preconditions: { uid, resourceVersion }, propagationPolicy: 'Background' },
  { propagationPolicy: 'Orphan' },
  { propagationPolicy: 'Foreground' },
  { gracePeriodSeconds: 7 },
  { orphanDependents: true },
];

/** The last review, and none of one before. */
function lastOf(hooks: Configured['hooks'], count: number): Json {
  const all = hooks.flatMap(requestsOf);
  return all.length === count ? all.at(-1) : undefined;
}

/** Webhooks are told the options that a create or an update of any sort is sent with. */
async function tellsOfWrites(context: RuleContext, hooks: Configured['hooks']): Promise<Json> {
  const { secrets, expect } = context;
  const [sample, applied] = [secrets.sample(), secrets.sample()];
  const name = nameOf(sample);
  const writes = {
    create: () => secrets.post(sample, given),
    patch: () => secrets.patch(name, { data: { a: 'bbbb' } }, { query: given }),
    update: async () => secrets.put({ ...(await secrets.read(name)), data: { a: 'cccc' } }, given),
    apply: () => secrets.tryApply(name, { data: { b: 'bbbb' } }, given.fieldManager, given),
    'apply that makes it': () => secrets.tryApply(nameOf(applied), applied, given.fieldManager, given),
  };
  for (const [at, [what, send]] of Object.entries(writes).entries()) {
    const { status, body } = await send();
    expect(status, `${what}: ${body?.message ?? ''}`).toBeLessThan(300);
    expect(lastOf(hooks, at + 1)?.options, `of the ${what}`).toMatchObject(given);
  }
  return secrets.read(name);
}

/** The options are those that the request was sent with, in its body or in its query. */
export async function tellsOptions(context: RuleContext): Promise<void> {
  const { secrets, expect } = context;
  const { hooks } = await configure(context, 'validating', [{ over: { rules } }]);
  const { metadata } = await tellsOfWrites(context, hooks);
  let count = hooks.flatMap(requestsOf).length;
  const told = async (status: number, options: Json, what: string): Promise<void> => {
    expect(status, `a delete with ${what}`).toBeLessThan(300);
    count += 1;
    expect(lastOf(hooks, count)?.options, `of a delete with ${what}`).toMatchObject(options);
  };
  for (const more of deletes(metadata)) {
    const options = { ...dry, ...more };
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', ...options };
    await told((await secrets.delete(metadata.name, { body })).status, options, JSON.stringify(more));
  }
  const query = { propagationPolicy: 'Background', gracePeriodSeconds: 7 };
  await told((await secrets.delete(metadata.name, { query })).status, query, `${JSON.stringify(query)} in its query`);
}
