import { heldFrom } from '../../holds-for.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { sharedGroup } from '../../verbs/custom-types.ts';
import type { Json } from '../../verbs/json.ts';
import { type KindPath, kindPaths } from '../../verbs/kinds.ts';
import { merged } from '../../verbs/merged.ts';
import { said } from '../../verbs/said.ts';
import { nameOf, versionOf } from '../../verbs/states.ts';

const { limitRanges, roleBindings, clusterRoleBindings, resourceQuotas } = kindPaths;
const { podDisruptionBudgets, runtimeClasses, csiDrivers } = kindPaths;
const core = { group: '', version: 'v1', namespaced: true } as const;

/** Kinds that a PUT makes, beside those that general rules speak of, and what their samples lack. */
const made: readonly (readonly [KindPath, Json?])[] = [
  [limitRanges, { spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '9Ti' } }] } }],
  [roleBindings],
  [clusterRoleBindings],
  [{ ...core, resource: 'endpoints', kind: 'Endpoints' }, { subsets: [{ addresses: [{ ip: '10.1.2.3' }] }] }],
];

/** What an event says in the newer way alone. */
const newer = ['regarding', 'eventTime', 'reportingController', 'reportingInstance', 'action', 'note'];
const unsaid = Object.fromEntries(newer.map((field) => [field, undefined]));

/** The older kind of event, of which a PUT makes one as well. */
async function oldEvents({ kind, namespace }: RuleContext): Promise<Collection> {
  const involvedObject = { kind: 'Pod', namespace: await namespace(), name: 'front' };
  const base = { ...unsaid, involvedObject, reason: 'Judged', message: 'judged', type: 'Normal' };
  return kind({ ...core, resource: 'events', kind: 'Event' }).with({ base });
}

/** A PUT of what is missing makes an object of these kinds, too, and none of a kind that it does not make. */
export async function putsOthers(context: RuleContext): Promise<void> {
  const { kind, version, expect } = context;
  for (const objects of [...made.map(([at, base = {}]) => kind(at).with({ base })), await oldEvents(context)]) {
    const body = objects.sample();
    const { status, body: answer } = await objects.put(body);
    expect(status, `PUT of ${objects.at.resource} that are missing: ${answer?.message ?? ''}`).toBe(201);
    const stored = await objects.read(nameOf(body));
    expect(stored.metadata.uid, `${objects.at.resource}, as stored`).toBe(answer.metadata.uid);
    expect((await objects.put(stored)).status, `PUT of ${objects.at.resource} that are there`).toBe(200);
  }
  const quotas = kind(resourceQuotas);
  const body = quotas.sample();
  expect((await quotas.put(body)).status, 'PUT of resourcequotas that are missing').toBe(404);
  expect((await quotas.get(nameOf(body))).status, 'resourcequotas, as stored').toBe(404);
  // Budgets have a stable version since v1.21.
  const budgets = heldFrom({ from: 21 }, version) ? [] : [podDisruptionBudgets];
  for (const at of [runtimeClasses, csiDrivers, ...budgets])
    await putsUnseen(kind(at), expect, nameOf(await kind(at).create()));
}

/** Kinds of which it is known that an update need not say what it has seen. */
const unguarded = ['secrets', 'configmaps', 'pods', 'namespaces', 'jobs', 'roles', 'ingresses'];

/** Those of which it is known that it must; of custom types as well. */
const guarded = ['leases', 'poddisruptionbudgets', 'runtimeclasses', 'csidrivers'];

/**
 * Who says of no version that he has seen it, which 0 and nothing are, puts his object in place of any, or of none, as is
 * the way of the kind.
 */
export async function putsUnseen(objects: Collection, expect: RuleContext['expect'], name: string): Promise<void> {
  const isGuarded = objects.at.group === sharedGroup || guarded.includes(objects.at.resource);
  if (!isGuarded && !unguarded.includes(objects.at.resource)) return;
  for (const [round, resourceVersion] of [undefined, '', '0'].entries()) {
    const seen = await objects.read(name);
    const annotations = { 'example.com/unseen': String(round) };
    const answered = await objects.put(merged(seen, { metadata: { resourceVersion, annotations } }));
    const what = `an update that says ${resourceVersion === undefined ? 'no version' : `the version "${resourceVersion}"`}`;
    expect(answered.status, `${what}: ${said(answered)}`).toBe(isGuarded ? 422 : 200);
    const stored = (await objects.read(name)).metadata.annotations ?? {};
    expect(stored['example.com/unseen'], what).toBe(isGuarded ? undefined : String(round));
    if (!isGuarded) expect(versionOf(answered.body), what).not.toBe(versionOf(seen));
  }
}
