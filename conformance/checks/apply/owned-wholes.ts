import { heldFrom } from '../../holds-for.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { customType } from '../../verbs/custom-types.ts';
import type { Json } from '../../verbs/json.ts';
import { merged } from '../../verbs/merged.ts';
import { untilStatus } from '../../verbs/until-status.ts';
import { keyed, mapOf, objectOf, setOf, text } from '../custom/schema-parts.ts';

interface Part {
  readonly schema: Json;
  /** What makes a whole of it. */
  readonly whole: Json;
  /** Of which each of two applies one. */
  readonly values: readonly [Json, Json];
}

const atomicMap = { 'x-kubernetes-map-type': 'atomic' };
const atomicList = { 'x-kubernetes-list-type': 'atomic' };
const members: Part['values'] = [{ a: '1' }, { b: '2' }];

/** What is merged until its type says that it is a whole. */
export const mergedMaps: Readonly<Record<string, Part>> = {
  map: { schema: mapOf(text), whole: atomicMap, values: members },
  struct: { schema: objectOf({ a: text, b: text }), whole: atomicMap, values: members },
};
export const mergedLists: Readonly<Record<string, Part>> = {
  set: { schema: setOf(text), whole: atomicList, values: [['a'], ['b']] },
  entries: {
    schema: keyed({ key: text }, ['key']),
    whole: { ...atomicList, 'x-kubernetes-list-map-keys': undefined },
    values: [[{ key: 'a' }], [{ key: 'b' }]],
  },
};

/** Who applied a part of what is a whole by now has all of it. */
export async function becomesWhole(context: RuleContext, parts: Readonly<Record<string, Part>>): Promise<void> {
  const { definitions, unique, version, expect } = context;
  if (heldFrom({ from: 21 }, version)) return;
  const specOf = (change: (part: Part) => Json): Json =>
    Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, change(part)]));
  const things = await customType(context, { spec: objectOf(specOf(({ schema }) => schema)) });
  const name = unique();
  const first = specOf(({ values }) => values[0]);
  await things.apply(name, { spec: first }, 'first');
  const another = (part: string) =>
    things.tryApply(name, { spec: { [part]: parts[part]?.values[1] } }, 'second', { dryRun: 'All' });
  for (const part of Object.keys(parts)) expect((await another(part)).status, `a ${part} that is merged`).toBe(200);
  const definition = `${things.at.resource}.${things.at.group}`;
  const schema = objectOf(specOf((part) => merged(part.schema, part.whole)));
  const path = '/spec/versions/0/schema/openAPIV3Schema/properties/spec';
  await definitions.change(definition, [{ op: 'replace', path, value: schema }], 'json');
  for (const part of Object.keys(parts))
    await untilStatus(context, `a ${part} is a whole of which somebody has all`, 409, () => another(part));
  expect((await things.read(name)).spec, 'what is stored').toEqual(first);
}
