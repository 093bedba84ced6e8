import type { Answer } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { apiVersionOf } from '../../verbs/kinds.ts';
import { type Envelope, eventsOf, hasMagic, metadataOf, protobufType, readEnvelope } from '../../verbs/protobuf.ts';
import { nameOf, versionOf } from '../../verbs/states.ts';
import { marking } from '../../verbs/subjects.ts';

const accept = { headers: { accept: protobufType } };
const metadataAlone = { headers: { accept: `${protobufType};as=PartialObjectMetadata;g=meta.k8s.io;v=v1` } };

/** What the metadata of a serialized object tell of an object in JSON. */
export const told = ({ metadata: { name, uid, resourceVersion } }: Json): Json => ({ name, uid, resourceVersion });

/** The envelope of a good answer. */
export function envelopeOf({ expect }: RuleContext, what: string, answer: Answer): Envelope {
  expect(answer.status, what).toBe(200);
  expect(answer.headers['content-type'], what).toMatch(/^application\/vnd\.kubernetes\.protobuf/);
  expect(hasMagic(answer.bytes), what).toBe(true);
  return readEnvelope(answer.bytes);
}

/** Writes, and what a watch tells of them, come in protobuf as well. */
export async function answersWrites(
  context: RuleContext & { readonly objects: Collection },
  made: readonly Json[],
): Promise<void> {
  const { objects, expect } = context;
  const changed = await objects.merge(nameOf(made[0]), marking('new'));
  const putBack = await objects.put(changed, '', accept);
  expect(metadataOf(envelopeOf(context, 'update', putBack).raw), 'update').toEqual(told(changed));
  const patched = await objects.patch(nameOf(made[0]), marking('new'), accept);
  expect(metadataOf(envelopeOf(context, 'patch', patched).raw), 'patch').toEqual(told(changed));
  const deleted = await objects.delete(nameOf(made[1]), { query: { propagationPolicy: 'Background' }, ...accept });
  expect(envelopeOf(context, 'delete', deleted).kind, 'delete').toBe('Status');
  const query = { watch: 1, timeoutSeconds: 1, resourceVersion: versionOf(made[1]), allowWatchBookmarks: 'true' };
  const watched = (parts: typeof accept) => objects.viewed('labels').getAll(query, parts);
  const [whole, alone] = await Promise.all([watched(accept), watched(metadataAlone)]);
  await tellsMetadataAlone(context, changed, { whole, alone });
  const type = [apiVersionOf(objects.at), objects.at.kind];
  for (const { object } of eventsOf(whole.bytes)) expect([object.apiVersion, object.kind], 'in a watch').toEqual(type);
  const changes = changesIn(whole);
  const types = changes.map((change) => change.type);
  expect(types, 'in a watch').toEqual(['MODIFIED', 'DELETED']);
  expect(changes.map(({ object }) => metadataOf(object.raw).uid)).toEqual(made.map(({ metadata }) => metadata.uid));
  expect([...made, changed].map(versionOf), 'the version from which to go on').not.toContain(versionsIn(whole)[1]);
}

const changesIn = ({ bytes }: Answer) => eventsOf(bytes).filter(({ type }) => type !== 'BOOKMARK');
const versionsIn = (watched: Answer): string[] =>
  changesIn(watched).map(({ object }) => metadataOf(object.raw).resourceVersion);

/** Where metadata alone can be had in protobuf, writes and watches tell no more either. */
async function tellsMetadataAlone(
  context: RuleContext & { readonly objects: Collection },
  object: Json,
  { whole, alone }: Readonly<Record<'whole' | 'alone', Answer>>,
): Promise<void> {
  const { objects, expect } = context;
  const one = await objects.get(nameOf(object), '', metadataAlone);
  // The documents do not ask for it.
  if (one.status === 406) return;
  const answers = { get: one, patch: await objects.patch(nameOf(object), marking('new'), metadataAlone) };
  for (const [what, answer] of Object.entries(answers))
    expect(envelopeOf(context, what, answer).kind, `${what} of metadata alone`).toBe('PartialObjectMetadata');
  for (const { type, object: told } of changesIn(alone))
    expect(told.kind, `${type}, in a watch of metadata alone`).toBe('PartialObjectMetadata');
  expect(versionsIn(alone), 'in a watch of metadata alone').toEqual(versionsIn(whole));
}
