import { Writer } from 'protobufjs/minimal.js';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { protobufType, writeEnvelope } from '../../verbs/protobuf.ts';
import { said } from '../../verbs/said.ts';

/** The body of a rehearsed delete of what has this uid, in the background. */
function deleteOptionsBytes(uid: string): Buffer {
  const preconditions = Writer.create().uint32(10).string(uid).finish();
  const raw = Writer.create().uint32(18).bytes(preconditions).uint32(34).string('Background').uint32(42).string('All');
  return writeEnvelope({ apiVersion: 'v1', kind: 'DeleteOptions', raw: Buffer.from(raw.finish()) });
}

/** A delete says in protobuf as well which object it means, and that it is a rehearsal. */
export async function readsDeleteOptions(
  objects: Collection,
  expect: RuleContext['expect'],
  object: Json,
): Promise<void> {
  const { name, uid } = object.metadata;
  const remove = (meant: string) =>
    objects.delete(name, { body: deleteOptionsBytes(meant), headers: { 'content-type': protobufType } });
  expect((await remove('00000000-0000-0000-0000-000000000000')).status, 'a delete of another uid').toBe(409);
  const tried = await remove(uid);
  expect(tried.status, `a rehearsed delete: ${said(tried)}`).toBe(200);
  const { metadata } = await objects.read(name);
  expect([metadata.uid, metadata.deletionTimestamp], 'after both').toEqual([uid, undefined]);
}
