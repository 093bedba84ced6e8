import { describe, expect, test } from 'vitest';
import { FieldPath } from '../base/field-path.ts';
import { type LabelSelectorField, selectorMatches, selectsAll, validateLabelSelector } from './label-selector-field.ts';

const expression = (operator: string, values?: string[], key = 'a'): LabelSelectorField => ({
  matchExpressions: [{ key, operator, ...(values && { values }) }],
});

describe('a selector in a field', () => {
  test.each<[string, LabelSelectorField | undefined, readonly string[]]>([
    ['none', undefined, []],
    ['an empty one', {}, []],
    ['labels', { matchLabels: { 'example.com/a': 'b' } }, []],
    ['a bad key', { matchLabels: { 'a b': 'c' } }, ['s.matchLabels']],
    ['a bad value', { matchLabels: { a: 'not a label' } }, ['s.matchLabels']],
    ['one of several', expression('In', ['b']), []],
    ['one of none', expression('NotIn'), ['s.matchExpressions[0].values']],
    ['there, with a value', expression('Exists', ['b']), ['s.matchExpressions[0].values']],
    ['near', expression('Near', ['b']), ['s.matchExpressions[0].operator']],
    ['no key', expression('Exists', undefined, ''), ['s.matchExpressions[0].key', 's.matchExpressions[0].key']],
    ['a value that no label can have', expression('In', ['a b']), []],
  ])('%s', (_title, selector, fields) => {
    expect(validateLabelSelector(selector, FieldPath.of('s')).map(({ field }) => field)).toEqual(fields);
  });

  test.each<[string, LabelSelectorField | undefined, object, boolean]>([
    ['none takes nothing', undefined, { a: 'b' }, false],
    ['an empty one takes all', {}, {}, true],
    ['equal', { matchLabels: { a: 'b' } }, { a: 'b', c: 'd' }, true],
    ['not equal', { matchLabels: { a: 'b' } }, { a: 'c' }, false],
    ['in', expression('In', ['b', 'c']), { a: 'c' }, true],
    ['not in, and not there', expression('NotIn', ['b']), {}, true],
    ['there', expression('Exists'), { a: '' }, true],
    ['not there', expression('DoesNotExist'), { a: '' }, false],
    ['a name that objects have anyway', expression('Exists', undefined, 'constructor'), {}, false],
    ['nonsense', expression('Near', ['b']), { a: 'b' }, false],
  ])('%s', (_title, selector, labels, matches) => {
    expect(selectorMatches(selector, labels as Record<string, string>)).toBe(matches);
  });

  test('one that asks for nothing selects all', () => {
    expect([selectsAll({}), selectsAll({ matchLabels: {} }), selectsAll(expression('Exists'))]).toEqual([
      true,
      true,
      false,
    ]);
  });
});
