import { describe, expect, it } from 'vitest';
import { FieldPath } from '../../base/field-path.ts';
import { atOnce } from '../../base/turns/work.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { validateRules } from '../schemas/expressions.ts';
import { validateKeywords } from '../schemas/keywords.ts';
import { compileRules } from './expression-rules.ts';
import { object, problems, withRule } from './ruled-schema.fixture.ts';

describe('rules that are refused in a definition', () => {
  const rule = 'x-kubernetes-validations[0].rule';
  it.each([
    ['self >', `FieldValueInvalid ${rule}`],
    ['self.nope == 1', `FieldValueInvalid ${rule}`],
    ['self.i', `FieldValueInvalid ${rule}`],
    ['self.ios', `FieldValueInvalid ${rule}`],
    ['self.i == "x"', `FieldValueInvalid ${rule}`],
    ['self.i + 1.0 == 2.0', `FieldValueInvalid ${rule}`],
    ['self.i > 1.5', `FieldValueInvalid ${rule}`],
    ['self.s.nope()', `FieldValueInvalid ${rule}`],
    ['nope(self)', `FieldValueInvalid ${rule}`],
    ['unknown == 1', `FieldValueInvalid ${rule}`],
    ['self.list.all(x, x == "a")', `FieldValueInvalid ${rule}`],
    ['self.i.all(x, true)', `FieldValueInvalid ${rule}`],
    ['[1, "a"].size() == 2', `FieldValueInvalid ${rule}`],
    ['self.list.exists(x, x)', `FieldValueInvalid ${rule}`],
    ['self.map.all(k, k == 1)', `FieldValueInvalid ${rule}`],
    ['self.a-b == "x"', `FieldValueInvalid ${rule}`],
    ['has(self)', `FieldValueInvalid ${rule}`],
    ['Widget{a: 1} == 1', `FieldValueInvalid ${rule}`],
    ['self.words.sum() == "ab"', `FieldValueInvalid ${rule}`],
    ['@result', `FieldValueInvalid ${rule}`],
    [`${'('.repeat(3000)}true${')'.repeat(3000)}`, `FieldValueInvalid ${rule}`],
    [`true${' && true'.repeat(5000)}`, `FieldValueInvalid ${rule}`],
  ])('%s', (text, problem) => {
    expect(problems(text)).toEqual([problem]);
  });

  it('oldSelf needs a value that can be told to follow from one before', () => {
    const list = (more: JsonSchema): JsonSchema =>
      object({
        l: {
          type: 'array',
          maxItems: 9,
          ...more,
          items: withRule(object({ k: { type: 'string' } }), 'self.k == oldSelf.k'),
        },
      });
    expect(atOnce(validateRules(list({}), FieldPath.root))).toHaveLength(1);
    const keyed = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] };
    expect(atOnce(validateRules(list(keyed), FieldPath.root))).toEqual([]);
  });

  it.each([
    ['no text', {}, ['FieldValueRequired rule']],
    ['blanks', { rule: ' \n ', message: '' }, ['FieldValueRequired rule']],
    ['a message of blanks', { rule: 'true', message: ' ' }, ['FieldValueInvalid message']],
    ['a message of two lines', { rule: 'true', message: 'a\nb' }, ['FieldValueInvalid message']],
    ['two lines without a message', { rule: 'true\n|| false' }, ['FieldValueRequired message']],
    ['two lines with a message', { rule: 'true\n|| false', message: 'm\n' }, []],
  ])('%s, at every depth', (_, rule, expected) => {
    const schema = { 'x-kubernetes-validations': [rule] };
    for (const [all, at] of [
      [schema, ''],
      [{ not: schema }, 'not.'],
      [object({ a: { anyOf: [schema] } }), 'properties[a].anyOf[0].'],
    ] as const)
      expect(validateKeywords(all, FieldPath.root).map(({ reason, field }) => `${reason} ${field}`)).toEqual(
        expected.map((each) => each.replace(' ', ` ${at}x-kubernetes-validations[0].`)),
      );
  });

  it('a kind may use its own metadata name', () => {
    const root = withRule(object({}), 'self.metadata.name.startsWith("a") && self.kind == "X"');
    expect(atOnce(validateRules(root, FieldPath.root))).toEqual([]);
    expect(compileRules(root)?.({ kind: 'X', metadata: { name: 'b' } }, undefined)).toHaveLength(1);
  });
});
