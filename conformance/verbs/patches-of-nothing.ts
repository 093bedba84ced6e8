import type { Collection, PatchType } from './collection.ts';
import type { RuleContext } from './context.ts';
import type { Json } from './json.ts';

/** Patches that ask for nothing, by the writes that send them. */
const nothings: Readonly<Record<string, readonly [type: PatchType, body: Json]>> = {
  'JSON patch': ['json', []],
  'merge patch': ['merge', {}],
  'strategic merge patch': ['strategic', {}],
};

/** A patch that asks for nothing is answered with what is there. */
export async function changesNothing(
  objects: Collection,
  expect: RuleContext['expect'],
  name: string,
  write: string,
): Promise<void> {
  const [type, nothing] = nothings[write] ?? [];
  if (!type) return;
  const { uid } = (await objects.read(name)).metadata;
  const { status, body } = await objects.patch(name, nothing, { type });
  expect(status, `a patch of nothing: ${body?.message ?? ''}`).toBe(200);
  expect(body.metadata.uid, 'of a patch of nothing').toBe(uid);
}
