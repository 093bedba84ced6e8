import type { RuleContext } from '../../verbs/context.ts';
import { customType } from '../../verbs/custom-types.ts';
import type { Json } from '../../verbs/json.ts';

const text = { type: 'string' };
const entry = { type: 'object', properties: { type: text, status: text } };

const spec = {
  type: 'object',
  properties: {
    ...{ a: text, n: { type: 'integer' }, l: { type: 'array', items: text }, c: { type: 'array', items: entry } },
    o: { type: 'object', properties: { b: { type: 'boolean' }, x: { type: 'number' }, d: text } },
  },
};

const object: Json = {
  metadata: { annotations: { 'a.b/c': 'd' } },
  spec: {
    ...{ a: 'x', n: 1, l: ['p', 'q'], o: { b: true, x: 1.5, d: '2020-01-01T00:00:00Z' } },
    c: [
      { type: 'Ready', status: 'True' },
      { type: 'Other', status: 'False' },
    ],
  },
};

/** Ways to what a cell shows: by name, by place, by a condition, at any depth; as what it is shown, and what that is. */
const columns: readonly (readonly [jsonPath: string, type: string, cell: unknown])[] = [
  ['.spec.a', 'string', 'x'],
  ['.spec.n', 'integer', 1],
  ['.spec.n', 'number', 1],
  ['.spec.n', 'string', '1'],
  ['.spec.n', 'boolean', null],
  ['.spec.l', 'string', '["p","q"]'],
  ['.spec.l[0]', 'string', 'p'],
  ['.spec.l[*]', 'string', 'p'],
  ['.spec.l[0:1]', 'string', 'p'],
  ['.spec.l[7]', 'string', null],
  ['.spec.c[?(@.type=="Other")].status', 'string', 'False'],
  ['.spec.c[?(@.type=="None")].status', 'string', null],
  ['.spec.o.x', 'integer', 1],
  ['.spec.o.b', 'string', 'true'],
  ['.spec.o.b', 'boolean', true],
  ['..status', 'string', 'True'],
  ['.metadata.annotations.a\\.b/c', 'string', 'd'],
  ['.spec.none', 'string', null],
];

/** What is shown of values that a careless reader takes for none. */
const edges: Json = { spec: { a: '', n: 0, o: { b: false, x: 0 } } };
const ofEdges: Json = {
  '.spec.a as string': '',
  '.spec.n as integer': 0,
  '.spec.n as number': 0,
  '.spec.n as string': '0',
  '.spec.o.x as integer': 0,
  '.spec.o.b as string': 'false',
  '.spec.o.b as boolean': false,
};

/** A column shows what its path leads to, in its own type, and nothing where there is nothing. */
export async function followsPaths(context: RuleContext, headers: Readonly<Record<string, string>>): Promise<void> {
  const { expect } = context;
  const additionalPrinterColumns = columns.map(([jsonPath, type], at) => ({ name: `C ${at}`, type, jsonPath }));
  const things = await customType(context, { spec, version: { additionalPrinterColumns } });
  const { metadata } = await things.create(object);
  const bare = await things.create();
  const told = async (name: string): Promise<Json> => {
    const { body } = await things.get(name, '', { headers });
    const [, ...cells] = body.rows[0].cells;
    return Object.fromEntries(columns.map(([jsonPath, type], at) => [`${jsonPath} as ${type}`, cells[at]]));
  };
  const shown = (of: (cell: unknown) => unknown): Json =>
    Object.fromEntries(columns.map(([jsonPath, type, cell]) => [`${jsonPath} as ${type}`, of(cell)]));
  expect(await told(metadata.name), 'cells of an object').toEqual(shown((cell) => cell));
  expect(await told((await things.create(edges)).metadata.name), 'cells of edges').toMatchObject(ofEdges);
  expect(await told(bare.metadata.name), 'cells of an object without a spec').toEqual(shown(() => null));
  const plain = await customType(context, {});
  const { metadata: other } = await plain.create();
  const { columnDefinitions, rows } = (await plain.get(other.name, '', { headers })).body;
  expect(
    columnDefinitions.map(({ name }: Json) => name),
    'columns where none are declared',
  ).toEqual(['Name', 'Age']);
  expect(rows[0].cells[1], 'the age where no columns are declared').toMatch(/^\d+[smh]/);
}
