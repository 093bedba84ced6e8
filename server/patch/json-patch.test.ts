import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../base/kube-object.ts';
import { atOnce } from '../base/turns/work.ts';
import { applyJsonPatch, parseJsonPatch } from './json-patch.ts';
import { BadPathError, ExcessivePatchError, FailedTestError, MalformedPatchError, PatchError } from './patch-error.ts';

const patched = (document: Json, patch: Json) => atOnce(applyJsonPatch(document, parseJsonPatch(patch).operations));

function failureOf(action: () => unknown): PatchError | undefined {
  try {
    action();
  } catch (error) {
    if (error instanceof PatchError) return error;
    throw error;
  }
  return undefined;
}

const failsToApply = (error: unknown) => error instanceof BadPathError || error instanceof FailedTestError;

describe('RFC 6902, appendix A', () => {
  const cases: readonly (readonly [name: string, document: Json, patch: Json, result: Json])[] = [
    [
      'A.1 adding an object member',
      { foo: 'bar' },
      [{ op: 'add', path: '/baz', value: 'qux' }],
      { baz: 'qux', foo: 'bar' },
    ],
    [
      'A.2 adding a list element',
      { foo: ['bar', 'baz'] },
      [{ op: 'add', path: '/foo/1', value: 'qux' }],
      { foo: ['bar', 'qux', 'baz'] },
    ],
    ['A.3 removing an object member', { baz: 'qux', foo: 'bar' }, [{ op: 'remove', path: '/baz' }], { foo: 'bar' }],
    ['A.4 removing a list element', { foo: ['a', 'b', 'c'] }, [{ op: 'remove', path: '/foo/1' }], { foo: ['a', 'c'] }],
    [
      'A.5 replacing a value',
      { baz: 'qux', foo: 'bar' },
      [{ op: 'replace', path: '/baz', value: 'boo' }],
      { baz: 'boo', foo: 'bar' },
    ],
    [
      'A.6 moving a value',
      { foo: { bar: 'baz', waldo: 'fred' }, qux: { corge: 'grault' } },
      [{ op: 'move', from: '/foo/waldo', path: '/qux/thud' }],
      { foo: { bar: 'baz' }, qux: { corge: 'grault', thud: 'fred' } },
    ],
    [
      'A.7 moving a list element',
      { foo: ['all', 'grass', 'cows', 'eat'] },
      [{ op: 'move', from: '/foo/1', path: '/foo/3' }],
      { foo: ['all', 'cows', 'eat', 'grass'] },
    ],
    [
      'A.8 testing a value',
      { baz: 'qux', foo: ['a', 2, 'c'] },
      [
        { op: 'test', path: '/baz', value: 'qux' },
        { op: 'test', path: '/foo/1', value: 2 },
      ],
      { baz: 'qux', foo: ['a', 2, 'c'] },
    ],
    [
      'A.10 adding a nested member',
      { foo: 'bar' },
      [{ op: 'add', path: '/child', value: { grandchild: {} } }],
      { foo: 'bar', child: { grandchild: {} } },
    ],
    [
      'A.11 ignoring unrecognized members',
      { foo: 'bar' },
      [{ op: 'add', path: '/baz', value: 'qux', xyz: 123 }],
      { foo: 'bar', baz: 'qux' },
    ],
    ['A.14 escapes', { '/': 9, '~1': 10 }, [{ op: 'test', path: '/~01', value: 10 }], { '/': 9, '~1': 10 }],
    [
      'A.16 adding a list value',
      { foo: ['bar'] },
      [{ op: 'add', path: '/foo/-', value: ['abc', 'def'] }],
      { foo: ['bar', ['abc', 'def']] },
    ],
  ];
  test.each(cases)('%s', (_name, document, patch, result) => {
    expect(patched(document, patch)).toEqual(result);
  });

  test.each<readonly [string, Json, Json]>([
    ['A.9 a test that fails', { baz: 'qux' }, [{ op: 'test', path: '/baz', value: 'bar' }]],
    ['A.12 adding below what is not there', { foo: 'bar' }, [{ op: 'add', path: '/baz/bat', value: 'qux' }]],
    ['A.15 text is no number', { '/': 9, '~1': 10 }, [{ op: 'test', path: '/~01', value: '10' }]],
  ])('%s', (_name, document, patch) => {
    expect(failureOf(() => patched(document, patch))).toSatisfy(failsToApply);
  });
});

describe('beyond the standard', () => {
  const document = { data: { a: '1', b: '2' }, list: ['x', 'y', 'z'] };
  test.each<readonly [string, Json, Json]>([
    [
      'replace of a missing key adds it',
      { op: 'replace', path: '/data/c', value: '3' },
      { ...document, data: { a: '1', b: '2', c: '3' } },
    ],
    ['a missing key equals null', { op: 'test', path: '/data/missing', value: null }, document],
    ['a missing key equals no value at all', { op: 'test', path: '/data/missing' }, document],
    [
      'a missing key is copied as null',
      { op: 'copy', from: '/data/missing', path: '/data/c' },
      { ...document, data: { a: '1', b: '2', c: null } },
    ],
    [
      'add without a value sets null',
      { op: 'add', path: '/data/c' },
      { ...document, data: { a: '1', b: '2', c: null } },
    ],
    [
      '-1 appends when adding',
      { op: 'add', path: '/list/-1', value: 'n' },
      { ...document, list: ['x', 'y', 'z', 'n'] },
    ],
    ['-1 is the last element otherwise', { op: 'remove', path: '/list/-1' }, { ...document, list: ['x', 'y'] }],
    ['leading zeros are fine', { op: 'replace', path: '/list/01', value: 'n' }, { ...document, list: ['x', 'n', 'z'] }],
    [
      'the length as index appends',
      { op: 'add', path: '/list/3', value: 'n' },
      { ...document, list: ['x', 'y', 'z', 'n'] },
    ],
    ['what stands before the first slash is skipped', { op: 'add', path: 'data/x', value: 1 }, { ...document, x: 1 }],
    ['the whole document may be replaced', { op: 'replace', path: '', value: { n: 1 } }, { n: 1 }],
    [
      'the whole document may be tested',
      { op: 'test', path: '', value: { list: ['x', 'y', 'z'], data: { b: '2', a: '1' } } },
      document,
    ],
    ['objects are equal in any order of keys', { op: 'test', path: '/data', value: { b: '2', a: '1' } }, document],
    [
      '__proto__ is a key like any other',
      { op: 'add', path: '/data/__proto__', value: 'p' },
      JSON.parse('{"data":{"a":"1","b":"2","__proto__":"p"},"list":["x","y","z"]}'),
    ],
  ])('%s', (_name, operation, result) => {
    expect(patched(document, [operation])).toEqual(result);
  });

  test.each<readonly [string, Json]>([
    ['remove of a missing key', { op: 'remove', path: '/data/c' }],
    ['remove of an inherited key', { op: 'remove', path: '/data/constructor' }],
    ['a path through an inherited key', { op: 'add', path: '/constructor/prototype/x', value: 1 }],
    ['index out of range', { op: 'add', path: '/list/4', value: 'n' }],
    ['index before the beginning', { op: 'remove', path: '/list/-4' }],
    ['index that is no number', { op: 'replace', path: '/list/x', value: 'n' }],
    ['index with a fraction', { op: 'replace', path: '/list/1.0', value: 'n' }],
    ['- is no element', { op: 'replace', path: '/list/-', value: 'n' }],
    ['test of an element that is not there', { op: 'test', path: '/list/9', value: null }],
    ['a test without a value of something there', { op: 'test', path: '/data/a' }],
    ['removing the whole document', { op: 'remove', path: '' }],
    ['replacing the whole document by text', { op: 'replace', path: '', value: 'x' }],
    ['a path without any slash', { op: 'add', path: 'x', value: 1 }],
    ['below text', { op: 'add', path: '/data/a/x', value: 1 }],
    ['moving a value into itself', { op: 'move', from: '/data', path: '/data/x' }],
    ['moving what is not there', { op: 'move', from: '/data/c', path: '/data/d' }],
    ['move without from', { op: 'move', path: '/data/d' }],
    ['copy without from', { op: 'copy', path: '/data/d' }],
    ['copy of the whole document', { op: 'copy', from: '', path: '/data/d' }],
    ['no op', { path: '/data/d', value: 1 }],
    ['an unknown op', { op: 'bogus', path: '/data/d' }],
    ['no path', { op: 'add', value: 1 }],
    ['null as an operation', null],
  ])('%s fails with 422', (_name, operation) => {
    expect(failureOf(() => patched(document, [operation]))).toSatisfy(failsToApply);
  });
});

describe('reading a patch', () => {
  test('null is an empty patch', () => {
    expect(parseJsonPatch(null)).toEqual({ operations: [], faults: [] });
  });
  test.each<readonly [string, Json]>([
    ['an object', { op: 'add' }],
    ['text', 'x'],
    ['a list of numbers', [1]],
    ['a list of lists', [[]]],
    ['an op that is no text', [{ op: 1, path: '/x' }]],
    ['a path that is no text', [{ op: 'add', path: ['x'] }]],
    ['a from that is no text', [{ op: 'move', from: {}, path: '/x' }]],
  ])('%s is refused with 400', (_name, patch) => {
    expect(failureOf(() => parseJsonPatch(patch))).toBeInstanceOf(MalformedPatchError);
  });
  test('more than 10000 operations are refused with 413', () => {
    const patch = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/a' }));
    expect(failureOf(() => parseJsonPatch(patch))).toBeInstanceOf(ExcessivePatchError);
    expect(parseJsonPatch(patch.slice(1)).operations).toHaveLength(10_000);
  });
  test('unknown members are faults', () => {
    const { faults } = parseJsonPatch([
      { op: 'add', path: '/x', foo: 1 },
      { op: 'add', path: '/x', 'a"b': 1 },
    ]);
    expect(faults).toEqual(['json patch unknown field "[0].foo"', 'json patch unknown field "[1].a\\"b"']);
  });
});

describe('limits', () => {
  const copies = (count: number, from: string, path: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => ({ op: 'copy', from, path: path(index) }));
  test('copies may add 3 MiB and no more', () => {
    const patch = copies(200, '/data/a', (index) => `/data/c${index}`);
    expect(failureOf(() => patched({ data: { a: 'x'.repeat(1_000_000) } }, patch))).toBeInstanceOf(ExcessivePatchError);
  });
  test('a document that doubles with each operation stays small', () => {
    const patch = copies(100, '/data', () => '/data/-');
    expect(failureOf(() => patched({ data: ['x'.repeat(10)] }, patch))).toBeInstanceOf(ExcessivePatchError);
  });
  test('nesting beyond all reason is refused', () => {
    const patch = Array.from({ length: 3000 }, (_, index) => ({ op: 'add', path: '/a'.repeat(index + 1), value: {} }));
    expect(failureOf(() => patched({}, patch))).toBeInstanceOf(ExcessivePatchError);
  });
  test('a long list takes many insertions and removals, and not much time', () => {
    const long = Array.from({ length: 100_000 }, (_, n) => n);
    const times = <T>(make: (n: number) => T) => Array.from({ length: 5000 }, (_, n) => make(n));
    const inserted = patched(
      { list: long },
      times((n) => ({ op: 'add', path: '/list/0', value: 4999 - n })),
    ) as { list: number[] };
    expect(inserted.list).toEqual([...times((n) => n), ...long]);
    const removed = patched(
      { list: long },
      times(() => ({ op: 'remove', path: '/list/10' })),
    ) as { list: number[] };
    expect(removed.list).toEqual([...long.slice(0, 10), ...long.slice(5010)]);
    const turned = patched(
      { list: long },
      times(() => ({ op: 'move', from: '/list/0', path: '/list/-' })),
    ) as { list: number[] };
    expect(turned.list).toEqual([...long.slice(5000), ...long.slice(0, 5000)]);
  });
  test('what is done to a long list is what is done to a short one', () => {
    const position = fc.oneof(fc.integer({ min: 0, max: 2100 }).map(String), fc.constantFrom('-', '-1', '0', '1999'));
    const at = position.map((each) => `/list/${each}`);
    const operation = fc.oneof(
      fc.record({ op: fc.constantFrom('add', 'replace'), path: at, value: fc.integer() }),
      fc.record({ op: fc.constant('remove'), path: at }),
      fc.record({ op: fc.constantFrom('move', 'copy'), from: at, path: at }),
    );
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 30 }), (operations) => {
        const start = Array.from({ length: 2000 }, (_, n) => n);
        const list = [...start];
        const index = (text: string, length: number) => {
          const number = text === '-' ? length : Number(text) < 0 ? length - 1 : Number(text);
          return number;
        };
        const done: typeof operations = [];
        for (const each of operations) {
          const to = index(each.path.slice(6), list.length);
          const from = 'from' in each ? index(each.from.slice(6), list.length) : 0;
          const most = each.op === 'add' || each.op === 'copy' ? list.length : list.length - 1;
          // Only what can be carried out.
          if (
            to > most ||
            each.path.endsWith('-1') ||
            ('from' in each && (from >= list.length || each.from.endsWith('-1')))
          )
            continue;
          if (each.op !== 'add' && each.op !== 'copy' && each.op !== 'move' && each.path.endsWith('-')) continue;
          if ('from' in each && each.from.endsWith('-')) continue;
          done.push(each);
          if (each.op === 'replace' && 'value' in each) list[to] = each.value;
          else if (each.op === 'remove') list.splice(to, 1);
          else {
            const value = 'value' in each ? each.value : (list[from] as number);
            if (each.op === 'move') list.splice(from, 1);
            list.splice(each.path.endsWith('-') ? list.length : to, 0, value);
          }
        }
        expect(patched({ list: start }, done)).toEqual({ list });
      }),
      { numRuns: 200 },
    );
  });
});

const pointer = fc
  .array(fc.constantFrom('a', 'b', '0', '1', '-', '~0', '~1', '__proto__'), { maxLength: 4 })
  .map((segments) => segments.map((segment) => `/${segment}`).join(''));
const anyOperation = fc.record(
  {
    op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test', 'bogus'),
    path: pointer,
    from: pointer,
    value: fc.jsonValue(),
  },
  { requiredKeys: [] },
);

describe('properties', () => {
  test('the document is never changed, and only a PatchError is ever thrown', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('a', 'b', '0'), fc.jsonValue()),
        fc.array(anyOperation),
        (document, patch) => {
          const before = JSON.stringify(document);
          const failure = failureOf(() => patched(document as Json, patch as Json));
          expect(JSON.stringify(document)).toBe(before);
          if (failure) expect(failure instanceof ExcessivePatchError || failsToApply(failure)).toBe(true);
        },
      ),
    );
  });
  test('whatever the body is, it is read or refused as none', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        const failure = failureOf(() => parseJsonPatch(body as Json));
        if (failure) expect(failure).toBeInstanceOf(MalformedPatchError);
      }),
    );
  });
  test('the result shares nothing with the document or the patch', () => {
    const document = { a: { b: ['x'] } };
    const value = { deep: ['y'] };
    const result = patched(document, [{ op: 'add', path: '/v', value }]) as {
      a: { b: string[] };
      v: { deep: string[] };
    };
    result.a.b.push('z');
    result.v.deep.push('z');
    expect(document).toEqual({ a: { b: ['x'] } });
    expect(value).toEqual({ deep: ['y'] });
  });
});
