import type { Answer } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';
import { type Configured, configure, requestsOf } from '../../verbs/webhooks.ts';

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

/** The options of the last review that has come since there were so many. */
const lastOf = (hooks: Configured['hooks'], since: number): Json =>
  hooks.flatMap(requestsOf).slice(since).at(-1)?.options;

/** A create or an update of any sort, one after the other, with the kind of its options. */
function writesOf(secrets: Collection, sample: Json): readonly (readonly [string, string, () => Promise<Answer>])[] {
  const name = nameOf(sample);
  const { fieldManager } = given;
  const other = secrets.sample();
  return [
    ['create', 'CreateOptions', () => secrets.post(sample, given)],
    ['patch', 'UpdateOptions', () => secrets.patch(name, { data: { a: 'bbbb' } }, { query: given })],
    ['update', 'UpdateOptions', async () => secrets.put({ ...(await secrets.read(name)), data: { a: 'cccc' } }, given)],
    ['apply', 'UpdateOptions', () => secrets.tryApply(name, { data: { b: 'bbbb' } }, fieldManager, given)],
    ['apply that makes it', 'CreateOptions', () => secrets.tryApply(nameOf(other), other, fieldManager, given)],
  ];
}

/** Webhooks are told the options that a write is sent with. */
async function tellsOfWrites({ secrets, expect }: RuleContext, hooks: Configured['hooks']): Promise<Json> {
  const sample = secrets.sample();
  for (const [what, kind, send] of writesOf(secrets, sample)) {
    const since = hooks.flatMap(requestsOf).length;
    const answer = await send();
    expect(answer.status, `${what}: ${said(answer)}`).toBeLessThan(300);
    expect(lastOf(hooks, since), `of the ${what}`).toMatchObject({ kind, ...given });
  }
  return secrets.read(nameOf(sample));
}

/** The options are those that the request was sent with, in its body or in its query. */
export async function tellsOptions(context: RuleContext): Promise<void> {
  const { secrets, expect } = context;
  const { hooks } = await configure(context, 'validating', [{ over: { rules } }]);
  const { metadata } = await tellsOfWrites(context, hooks);
  const tells = async (name: string | undefined, parts: Json, options: Json): Promise<void> => {
    const since = hooks.flatMap(requestsOf).length;
    const what = `a delete ${name ? '' : 'of all '}with ${JSON.stringify(parts)}`;
    const { status } = await (name ? secrets.delete(name, parts) : secrets.deleteAll(parts));
    expect(status, what).toBeLessThan(300);
    expect(lastOf(hooks, since), `of ${what}`).toMatchObject(options);
  };
  const inBody = (options: Json): Json => ({ body: { apiVersion: 'v1', kind: 'DeleteOptions', ...options } });
  for (const more of deletes(metadata)) await tells(metadata.name, inBody({ ...dry, ...more }), { ...dry, ...more });
  const gone = { propagationPolicy: 'Background', preconditions: { uid: metadata.uid } };
  await tells(metadata.name, inBody(gone), gone);
  const query = { propagationPolicy: 'Background', gracePeriodSeconds: 7 };
  await tells(nameOf(await secrets.create()), { query }, query);
  await secrets.createMany(2);
  await tells(undefined, inBody(query), query);
}
