import type { RuleContext } from './context.ts';
import { customType } from './custom-types.ts';
import type { Json } from './json.ts';
import { merged } from './merged.ts';

const schema = (type: string): Json => ({ type: 'object', properties: { size: { type } } });

/** Of a custom type that has nothing below its objects, a status is a field as any, and each change a new generation. */
export async function keepsPlainCustom(context: RuleContext): Promise<void> {
  const { expect } = context;
  const things = await customType(context, { spec: schema('integer'), status: schema('string') });
  const parts = (size: number) => ({ spec: { size }, status: { size: `${size}` } });
  const made = await things.create(parts(1));
  expect(made, 'a new object').toMatchObject({ ...parts(1), metadata: { generation: 1 } });
  const { name } = made.metadata;
  const writes = {
    'merge patch': () => things.merge(name, parts(2)),
    update: async () => things.replace(merged(await things.read(name), parts(3))),
    'JSON patch': () => things.change(name, [{ op: 'replace', path: '/status', value: parts(4).status }], 'json'),
    apply: () => things.apply(name, parts(5), 'applier', { force: 'true' }),
  };
  for (const [index, [write, send]] of Object.entries(writes).entries()) {
    const { status } = parts(index + 2);
    expect(await send(), write).toMatchObject({ status, metadata: { generation: index + 2 } });
    expect(await things.read(name), `what is stored by ${write}`).toMatchObject({ status });
  }
  const labelled = await things.merge(name, { metadata: { labels: { a: 'b' } } });
  expect(labelled.metadata.generation, 'after a label').toBe(Object.keys(writes).length + 1);
  expect((await things.patch(name, parts(9), { sub: 'status' })).status, 'what is below it').toBe(404);
}
