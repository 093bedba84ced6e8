import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { PatchType } from '../../verbs/patch-types.ts';

const list = '[{"metadata":{"labels":{"shapeless":"a"}}}]';
const map = '{"metadata":{"labels":{"shapeless":"a"}}}';
const cut = '{"metadata":{"labels":{"shapeless":"a"}';

/** Bodies that are not of the form that a patch of the type has, by the writes that send them. */
const shapeless: Readonly<Record<string, readonly [type: PatchType, ...bodies: string[]]>> = {
  'JSON patch': ['json', map, '7', 'true', '"replace"', '[7]', cut],
  'merge patch': ['merge', list, '7', 'true', '"metadata"', 'null', cut],
  'strategic merge patch': ['strategic', list, '7', '"metadata"', cut],
  apply: ['apply', list, '7', 'true', 'null', cut],
};

/** What is no patch of its type is refused as such, and nothing is done. */
export async function refusesShapeless(
  objects: Collection,
  expect: RuleContext['expect'],
  { name, write }: { readonly name: string; readonly write: string },
): Promise<void> {
  const [type, ...bodies] = shapeless[write] ?? [];
  if (!type) return;
  const query = type === 'apply' ? { fieldManager: 'touchstone-shapeless' } : {};
  for (const body of bodies) {
    const refused = await objects.patch(name, body, { type, query });
    expect(refused.status, `${body} as a ${write}`).toBe(400);
    expect(refused.body, `${body} as a ${write}`).toMatchObject({ kind: 'Status', reason: 'BadRequest' });
  }
  const { labels = {} } = (await objects.read(name)).metadata;
  expect(labels, 'after all of them').not.toHaveProperty('shapeless');
}
