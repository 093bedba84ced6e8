import type { RuleContext } from '../../verbs/context.ts';
import { customType } from '../../verbs/custom-types.ts';
import type { Json } from '../../verbs/json.ts';

const text = { type: 'string' };
const entry = { type: 'object', properties: { type: text, status: text, rank: { type: 'integer' }, note: text } };

const spec = {
  type: 'object',
  properties: {
    ...{
      a: text,
      n: { type: 'integer' },
      m: { type: 'integer' },
      l: { type: 'array', items: text },
      c: { type: 'array', items: entry },
    },
    o: { type: 'object', properties: { b: { type: 'boolean' }, x: { type: 'number' }, d: text } },
  },
};

/** More than all integers up to it are doubles; it is one itself. */
const beyondDoubles = 2 ** 53 + 2;

const object: Json = {
  metadata: { annotations: { 'a.b/c': 'd' } },
  spec: {
    ...{ a: 'x', n: 1, m: beyondDoubles, l: ['p', 'q', 'r', 's'], o: { b: true, x: 1.5, d: '2020-01-01T00:00:00Z' } },
    c: [
      { type: 'Ready', status: 'True', rank: 1 },
      { type: 'Other', status: 'False', rank: 2, note: 'n' },
    ],
  },
};

/** Ways to what a cell shows: by name, by place, by a condition, at any depth; as what it is shown, and what that is. */
const columns: readonly (readonly [jsonPath: string, type: string, cell: unknown])[] = [
  ['.spec.a', 'string', 'x'],
  ['.spec.n', 'integer', 1],
  ['.spec.n', 'number', 1],
  ['.spec.m', 'integer', beyondDoubles],
  ['.spec.n', 'string', '1'],
  ['.spec.n', 'boolean', null],
  ['.spec.l', 'string', '["p","q","r","s"]'],
  ['.spec.l[0]', 'string', 'p'],
  ['.spec.l[2]', 'string', 'r'],
  ['.spec.l[-1]', 'string', 's'],
  ['.spec.l[*]', 'string', 'p'],
  ['.spec.l[0:1]', 'string', 'p'],
  ['.spec.l[1:3]', 'string', 'q'],
  ['.spec.l[2:]', 'string', 'r'],
  ['.spec.l[-2:]', 'string', 'r'],
  ['.spec.l[1::2]', 'string', 'q'],
  ['.spec.l[3,0]', 'string', 's'],
  ['.spec.l[1,3]', 'string', 'q'],
  [".spec['a']", 'string', 'x'],
  ['.spec.l[7]', 'string', null],
  ['.spec.l[0:9]', 'string', null],
  ['.spec.c[?(@.type=="Other")].status', 'string', 'False'],
  ['.spec.c[?(@.type=="None")].status', 'string', null],
  ['.spec.c[?(@.type!="Ready")].status', 'string', 'False'],
  ['.spec.c[?(@.rank==2)].type', 'string', 'Other'],
  ['.spec.c[?(@.rank>1)].type', 'string', 'Other'],
  ['.spec.c[?(@.rank>=2)].type', 'string', 'Other'],
  ['.spec.c[?(@.rank<1)].type', 'string', null],
  ['.spec.c[?(@.rank<=1)].type', 'string', 'Ready'],
  ['.spec.c[?(@.note)].type', 'string', 'Other'],
  ['.spec.c[?(@.note=="n")].type', 'string', 'Other'],
  ['.spec.o.x', 'integer', 1],
  ['.spec.o.b', 'string', 'true'],
  ['.spec.o.b', 'boolean', true],
  ['..status', 'string', 'True'],
  ['.metadata.annotations.a\\.b/c', 'string', 'd'],
  ['.spec.none', 'string', null],
];

const ages: readonly (readonly [value: string, cell: RegExp])[] = [
  ['2020-01-01T00:00:00Z', /^\d+y(\d+d)?$/],
  ['2020-01-01T01:00:00+01:00', /^\d+y(\d+d)?$/],
  ['2999-01-01T00:00:00Z', /^<invalid>$/],
  ['yesterday', /^<invalid>$/],
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

/** A date is shown as the time since then; what is to come and what is no date as invalid. */
async function showsAges(context: RuleContext, headers: Readonly<Record<string, string>>): Promise<void> {
  const additionalPrinterColumns = [{ name: 'Since', type: 'date', jsonPath: '.spec.o.d' }];
  const things = await customType(context, { spec, version: { additionalPrinterColumns } });
  for (const [d, cell] of ages) {
    const { metadata } = await things.create({ spec: { o: { d } } });
    const { body } = await things.get(metadata.name, '', { headers });
    context.expect(body.rows[0].cells[1], `the age of ${d}`).toMatch(cell);
  }
}

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
  await showsAges(context, headers);
  const plain = await customType(context, {});
  const { metadata: other } = await plain.create();
  const { columnDefinitions, rows } = (await plain.get(other.name, '', { headers })).body;
  expect(
    columnDefinitions.map(({ name }: Json) => name),
    'columns where none are declared',
  ).toEqual(['Name', 'Age']);
  expect(rows[0].cells[1], 'the age where no columns are declared').toMatch(/^\d+[smh]/);
}
