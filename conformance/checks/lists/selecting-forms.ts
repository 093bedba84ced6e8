import type { Query } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { eventsOf, metadataOf, protobufType } from '../../verbs/protobuf.ts';
import { named, type Subject } from '../../verbs/subjects.ts';
import type { Write } from '../requests/writes.ts';
import { showsStatus } from './answered-forms.ts';
import { type ListForm, listForms } from './list-forms.ts';

/** Kinds that are asked for in every form: of both scopes, of several groups, and of custom types. */
export const inForms = named('secrets', 'ingresses', 'clusterroles', 'widgets', 'gadgets');

export const table = 'application/json;as=Table;g=meta.k8s.io;v=v1';
/** Where there is no metadata alone there are whole objects. */
export const metadataAlone = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1, application/json';

/** The documents do not ask for YAML either. */
const yaml = 'application/yaml, application/json;q=0.5';

/** Forms in which an answer can be had beside the plain one. */
export const otherForms = ({ capabilities }: RuleContext, { custom }: Subject): readonly string[] => [
  ...[table, metadataAlone, yaml],
  ...(custom || !capabilities.includes('protobuf') ? [] : [protobufType]),
];

/** Those of a list that is answered to something else than a list; its metadata alone goes by another name. */
export const otherListForms = (...of: Parameters<typeof otherForms>): readonly string[] =>
  otherForms(...of).filter((form) => form !== metadataAlone);

/** Those of the answer to a write: where a status is no table, it is metadata alone or a whole object. */
export function otherWriteForms(context: RuleContext, kind: Subject, { verb, sub }: Write): readonly string[] {
  if (verb === 'deletecollection') return otherListForms(context, kind);
  const tables = sub === '' || showsStatus(context.version);
  return otherForms(context, kind).filter((form) => tables || form !== table);
}

const fits =
  ({ capabilities }: RuleContext, { custom }: Subject) =>
  ({ needs }: ListForm): boolean =>
    needs.every((need) => capabilities.includes(need)) && !(custom && needs.length > 0);

/** What is asked of a list is heeded in whatever form it is asked for. */
export async function listsInForms(
  context: RuleContext,
  kind: Subject,
  objects: Collection,
  query: Exclude<Query, string>,
  names: readonly (string | undefined)[],
): Promise<void> {
  for (const form of listForms.filter(fits(context, kind))) {
    const answer = await objects.getAll({ ...query, ...form.query }, { headers: form.headers });
    if (form.optional && answer.status === 406) continue;
    const what = `${JSON.stringify(query)}, as ${form.name}`;
    context.expect(answer.status, what).toBe(200);
    context.expect(form.read(answer).names, what).toEqual(names);
  }
}

/** The names in a stream of events, by what was accepted. */
const streamed: Readonly<Record<string, (bytes: Buffer) => readonly string[]>> = {
  [table]: (bytes) => lines(bytes).map(({ object }) => object.rows[0].object.metadata.name),
  [metadataAlone]: (bytes) => lines(bytes).map(({ object }) => object.metadata.name),
  [protobufType]: (bytes) => eventsOf(bytes).map(({ object }) => metadataOf(object.raw)['name']),
};

const lines = (bytes: Buffer): Json[] =>
  bytes
    .toString('utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** What is asked of a watch is heeded in whatever form it is asked for; it lasts a second. */
async function watchesInForms(
  ...[context, kind, objects, query, names]: Parameters<typeof listsInForms>
): Promise<void> {
  const watched = async (accept: string): Promise<readonly string[]> => {
    const asked = { ...query, watch: 1, timeoutSeconds: 1 };
    const { bytes } = await objects.getAll(asked, { headers: { accept } });
    return [...(streamed[accept]?.(bytes) ?? [])].sort();
  };
  const forms = otherForms(context, kind).filter((form) => Object.hasOwn(streamed, form));
  const seen = await Promise.all(forms.map(watched));
  for (const [index, form] of forms.entries())
    context.expect(seen[index], `a watch by ${JSON.stringify(query)}, as ${form}`).toEqual(names);
}

/** What lists and watches are to select is selected in whatever form they are asked for. */
export async function selectsInForms(
  context: RuleContext & { readonly objects: Collection },
  kind: Subject,
  query: Exclude<Query, string>,
  names: readonly (string | undefined)[],
): Promise<void> {
  await listsInForms(context, kind, context.objects, query, names);
  await watchesInForms(context, kind, context.objects, query, names);
}
