import { heldFrom } from '../../holds-for.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { customType } from '../../verbs/custom-types.ts';
import type { Json } from '../../verbs/json.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';
import { free } from '../custom/schema-parts.ts';

const letters = (...values: readonly Json[]): Json => ({ foo: values });
const abc = letters('a', 'b', 'c');
const move = (from: string, path: string): Json => ({ op: 'move', from, path });
const copy = (from: string, path: string): Json => ({ op: 'copy', from, path });
const add = (path: string, value: Json): Json => ({ op: 'add', path, value });
const test = (path: string, value: Json): Json => ({ op: 'test', path, value });
const replace = (path: string, value: Json): Json => ({ op: 'replace', path, value });
const remove = (path: string): Json => ({ op: 'remove', path });

/** What is there, what is done to it, and what there is then. */
type Example = readonly [before: Json, patch: Json, after: Json];

const nested = { foo: { bar: 'baz', waldo: 'fred' }, qux: { corge: 'grault' } };
const odd = { '/': 9, '~1': 10 };

/** Operations of JSON patches (RFC 6902, most of them from its appendix). */
const operations: readonly Example[] = [
  [{ foo: 'bar' }, [add('/baz', 'qux')], { baz: 'qux', foo: 'bar' }],
  [{ foo: 'bar' }, [add('/child', { grandchild: {} })], { foo: 'bar', child: { grandchild: {} } }],
  [{ foo: 'bar' }, [add('/foo', 0)], { foo: 0 }],
  [abc, [add('/foo/1', 'x')], letters('a', 'x', 'b', 'c')],
  [abc, [add('/foo/3', 'x')], letters('a', 'b', 'c', 'x')],
  [letters('a'), [add('/foo/-', ['b', 'c'])], letters('a', ['b', 'c'])],
  [abc, [remove('/foo/1')], letters('a', 'c')],
  [{ baz: 'qux', foo: 'bar' }, [remove('/baz')], { foo: 'bar' }],
  [{ baz: 'qux', foo: 'bar' }, [replace('/baz', { boo: [] })], { baz: { boo: [] }, foo: 'bar' }],
  [abc, [replace('/foo/1', { x: 'y' })], letters('a', { x: 'y' }, 'c')],
  [nested, [move('/foo/waldo', '/qux/thud')], { foo: { bar: 'baz' }, qux: { corge: 'grault', thud: 'fred' } }],
  [nested, [move('/foo', '/qux/foo')], { qux: { corge: 'grault', foo: nested.foo } }],
  [abc, [move('/foo/0', '/foo/2')], letters('b', 'c', 'a')],
  [abc, [move('/foo/0', '/foo/1')], letters('b', 'a', 'c')],
  [abc, [move('/foo/0', '/foo/-')], letters('b', 'c', 'a')],
  [abc, [move('/foo/2', '/foo/0')], letters('c', 'a', 'b')],
  [abc, [move('/foo/1', '/foo/1')], abc],
  [{ ...abc, bar: 'x' }, [move('/bar', '/foo/1')], letters('a', 'x', 'b', 'c')],
  [abc, [move('/foo/1', '/bar')], { foo: ['a', 'c'], bar: 'b' }],
  [{ ...abc, bar: ['x', 'y'] }, [move('/foo/0', '/bar/1')], { foo: ['b', 'c'], bar: ['x', 'a', 'y'] }],
  [abc, [copy('/foo/0', '/foo/2')], letters('a', 'b', 'a', 'c')],
  [abc, [copy('/foo/2', '/foo/0')], letters('c', 'a', 'b', 'c')],
  [abc, [copy('/foo/0', '/foo/-')], letters('a', 'b', 'c', 'a')],
  [
    nested,
    [copy('/foo', '/qux/foo'), remove('/foo/bar')],
    { foo: { waldo: 'fred' }, qux: { ...nested.qux, foo: nested.foo } },
  ],
  [abc, [test('/foo', ['a', 'b', 'c']), test('/foo/1', 'b')], abc],
  [nested, [test('/foo', { waldo: 'fred', bar: 'baz' })], nested],
  [odd, [test('/~01', 10), replace('/~1', 8)], { '/': 8, '~1': 10 }],
  // Beyond the standard: what is not there is null, and is made by what would replace it.
  [{ foo: 'bar' }, [test('/none', null), replace('/baz', 'qux')], { foo: 'bar', baz: 'qux' }],
  [{ foo: null }, [test('/foo', null), copy('/foo', '/baz')], { foo: null, baz: null }],
];

/** Patches of which nothing is done. */
const impossible: readonly (readonly [before: Json, patch: Json])[] = [
  [{ baz: 'qux' }, [test('/baz', 'bar')]],
  [abc, [test('/foo', ['c', 'b', 'a'])]],
  [abc, [test('/foo', ['a', 'b'])]],
  [nested, [test('/foo', { bar: 'baz' })]],
  [odd, [test('/~01', '10')]],
  [{ foo: 'bar' }, [add('/baz/bat', 'qux')]],
  [abc, [add('/foo/4', 'x')]],
  [abc, [add('/foo/x', 'x')]],
  [abc, [remove('/foo/3')]],
  [abc, [replace('/foo/3', 'x')]],
  [abc, [replace('/foo/-', 'x')]],
  [{ foo: 'bar' }, [test('/foo', null)]],
  [{ foo: 'bar' }, [test('/none', 'bar')]],
  [{ foo: 'bar' }, [remove('/none')]],
  [abc, [move('/foo/3', '/foo/0')]],
  [abc, [move('/foo/0', '/foo/3')]],
  [nested, [move('/none', '/qux/foo')]],
  [nested, [move('/foo', '/foo/bar')]],
];

/** Merge patches (RFC 7386, most of them from its appendix). */
const merges: readonly Example[] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [{ a: ['b', 'c'] }, { a: ['c'] }, { a: ['c'] }],
  [{ a: ['b'] }, { a: [] }, { a: [] }],
  [{}, { a: {} }, { a: {} }],
  [{ b: 'c' }, { a: { bb: {} } }, { a: { bb: {} }, b: 'c' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  [{ a: 'b' }, { a: { c: null, d: 'e' } }, { a: { d: 'e' } }],
  [{ a: 'b' }, { a: {} }, { a: {} }],
  [{ a: ['b'] }, { a: {} }, { a: {} }],
  [{ a: { b: 'c' } }, { a: {} }, { a: { b: 'c' } }],
  [{ a: { b: 'c' } }, { a: [] }, { a: [] }],
  [{ a: { b: 'c' } }, { a: 'd' }, { a: 'd' }],
  [{ a: { b: { c: 'd' } } }, { a: { b: null } }, { a: {} }],
  [
    { a: 'b', c: 1, d: true },
    { a: '', c: 0, d: false },
    { a: '', c: 0, d: false },
  ],
];

const dry = { dryRun: 'All' };
const inSpec = (operation: Json): Json => ({
  ...operation,
  path: `/spec${operation.path}`,
  ...(operation.from === undefined ? {} : { from: `/spec${operation.from}` }),
});

/** What JSON patches make of a custom object whose spec may be anything. */
async function patchesByOperations(context: RuleContext): Promise<void> {
  const { expect } = context;
  const things = await customType(context, { spec: { ...free, type: 'object' } });
  const name = nameOf(await things.create());
  const send = (before: Json, patch: Json) =>
    things.patch(name, [add('/spec', before), ...patch.map(inSpec)], { type: 'json', query: dry });
  for (const [before, patch, after] of operations) {
    const answer = await send(before, patch);
    const what = `${JSON.stringify(patch)} on ${JSON.stringify(before)}`;
    expect(answer.status, `${what}: ${said(answer)}`).toBe(200);
    expect(answer.body.spec, what).toEqual(after);
  }
  for (const [before, patch] of impossible) {
    const { status } = await send(before, patch);
    const what = `${JSON.stringify(patch)} on ${JSON.stringify(before)}`;
    expect(status, what).toBeGreaterThanOrEqual(400);
    expect(status, what).toBeLessThan(500);
  }
  await patchesWholes(context, things);
}

/** An empty pointer names the whole object, which keeps its name whatever takes its place. */
async function patchesWholes({ version, expect }: RuleContext, things: Collection): Promise<void> {
  const object = await things.create({ spec: { a: 'b' } });
  const send = (...patch: readonly Json[]) => things.patch(nameOf(object), patch, { type: 'json', query: dry });
  const other = await send(test('', { ...object, spec: { a: 'c' } }));
  expect(other.status, 'a test of the whole, which is another').toBeGreaterThanOrEqual(400);
  // Before there was nothing to replace.
  if (heldFrom({ from: 25 }, version)) return;
  const answered = await send(replace('', { ...object, spec: { a: 'd' } }));
  expect(answered.status, `another whole: ${said(answered)}`).toBe(200);
  expect(answered.body, 'another whole').toMatchObject({ metadata: { uid: object.metadata.uid }, spec: { a: 'd' } });
}

/** What merge patches make of one. */
async function patchesByMerges(context: RuleContext): Promise<void> {
  const { expect } = context;
  const things = await customType(context, { spec: { ...free, type: 'object' } });
  for (const [before, patch, after] of merges) {
    const name = nameOf(await things.create({ spec: before }));
    const answer = await things.patch(name, { spec: patch }, { query: dry });
    const what = `${JSON.stringify(patch)} on ${JSON.stringify(before)}`;
    expect(answer.status, `${what}: ${said(answer)}`).toBe(200);
    expect(answer.body.spec, what).toEqual(after);
  }
}

/** By the name of the write. */
export const patchExamples: Readonly<Record<string, (context: RuleContext) => Promise<void>>> = {
  'JSON patch': patchesByOperations,
  'merge patch': patchesByMerges,
};
