import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { said } from '../../verbs/said.ts';

type Expect = RuleContext['expect'];

const [one, two, three, four] = ['one', 'two', 'three', 'four'].map((word) => `example.com/${word}`);
const fewer = '$deleteFromPrimitiveList/finalizers';
const order = '$setElementOrder/finalizers';

/** What is merged into the finalizers of an object, one after the other, and what is left of them each time. */
const steps: readonly (readonly [what: string, metadata: Json, left: readonly Json[]])[] = [
  ['no list', { finalizers: null }, []],
  ['one less of a list that there is not', { [fewer]: [one] }, []],
  ['a list that there was not', { finalizers: [one] }, [one]],
  ['a text that is new, in front', { finalizers: [two] }, [two, one]],
  ['a text that is there already', { finalizers: [one] }, [two, one]],
  ['a text that is new, said twice', { finalizers: [four, four] }, [four, two, one]],
  ['one less, said twice', { [fewer]: [four, four] }, [two, one]],
  ['one more, and an order', { finalizers: [three], [order]: [three, one, two] }, [three, one, two]],
  ['an order alone', { [order]: [two, three, one] }, [two, three, one]],
  ['one less, and one that is not there', { [fewer]: [three, four] }, [two, one]],
  ['both less', { [fewer]: [two, one] }, []],
  ['both anew, in an order', { finalizers: [two, one], [order]: [two, one] }, [two, one]],
  ['no list any more', { finalizers: null }, []],
];

/** Texts of a list that is merged are there once; what is new comes first, unless an order is asked for. */
export async function strategicTextsMean(objects: Collection, expect: Expect, name: string): Promise<void> {
  const send = async (metadata: Json): Promise<Json> => {
    const answer = await objects.patch(name, { metadata }, { type: 'strategic' });
    expect(answer.status, `${JSON.stringify(metadata)}: ${said(answer)}`).toBe(200);
    return answer.body.metadata;
  };
  const { finalizers: before = [] } = (await objects.read(name)).metadata;
  for (const [what, metadata, left] of steps) expect((await send(metadata)).finalizers ?? [], what).toEqual(left);
  await send({ finalizers: before, annotations: { 'example.com/some': 'a' } });
  const { annotations = {} } = await send({ annotations: { $patch: 'delete' } });
  expect(annotations, 'a map that is deleted').not.toHaveProperty(['example.com/some']);
}
