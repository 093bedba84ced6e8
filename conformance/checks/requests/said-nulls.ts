import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { merged } from '../../verbs/merged.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';
import type { Subject } from '../../verbs/subjects.ts';

/** What metadata says of nothing, as clients of some languages write it. */
const nothing: Json = {
  ...{ annotations: null, finalizers: null, generateName: null, labels: null, managedFields: null },
  ...{ creationTimestamp: null, deletionGracePeriodSeconds: null, deletionTimestamp: null, generation: null },
  ...{ ownerReferences: null, resourceVersion: null, selfLink: null, uid: null },
};

const container = (args: Json): Json => ({ name: 'main', image: 'registry.example/pause:1', args });
const inTemplate = (args: Json): Json => ({ spec: { template: { spec: { containers: [container(args)] } } } });
const inRules = (resourceNames: Json): Json => ({
  rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'], resourceNames }],
});

/** Lists of texts, by the kinds that have one. */
const texts: Readonly<Record<string, (list: Json) => Json>> = {
  pods: (args) => ({ spec: { containers: [container(args)] } }),
  deployments: inTemplate,
  jobs: inTemplate,
  roles: inRules,
  clusterroles: inRules,
};

const membersOf = ({ metadata }: Json): string[] => Object.keys(metadata).sort();

/** A member that is null says as much as one that is left out. */
async function takesMembers(
  objects: Collection,
  { custom, status }: Subject,
  expect: RuleContext['expect'],
): Promise<void> {
  const plain = await objects.create();
  const draft = await objects.draft();
  const metadata = { ...nothing, ...draft.metadata };
  const created = await objects.post({ ...draft, metadata, ...(status && !custom && { status: null }) });
  expect(created.status, `of nothing but nulls beside: ${said(created)}`).toBe(201);
  expect(membersOf(created.body), 'nulls beside').toEqual(membersOf(plain));
}

/** Among texts null is an empty one. */
async function takesTexts(objects: Collection, kind: Subject, expect: RuleContext['expect']): Promise<void> {
  const list = texts[kind.name];
  const sent = await objects.draft(list?.(['one', 'two']));
  const text = JSON.stringify(merged(sent, { metadata: { annotations: { 'example.com/none': 'none' } } }));
  const body = JSON.parse(text.replace('"none"}', 'null}').replace('"two"', 'null'));
  const answer = await objects.post(body);
  expect(answer.status, `nulls among texts: ${said(answer)}`).toBe(201);
  const told = merged(list?.(['one', '']) ?? {}, { metadata: { annotations: { 'example.com/none': '' } } });
  expect(answer.body, 'nulls among texts').toMatchObject(told);
  expect(await objects.read(nameOf(answer.body)), 'nulls among texts, stored').toMatchObject(told);
}

/** Nulls in what is sent mean nothing; in custom types their schemas say more of them. */
export async function takesNulls(objects: Collection, kind: Subject, expect: RuleContext['expect']): Promise<void> {
  await takesMembers(objects, kind, expect);
  if (!kind.custom) await takesTexts(objects, kind, expect);
}
