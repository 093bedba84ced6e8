import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../base/kube-object.ts';
import { atOnce } from '../../base/turns/work.ts';
import { compileObjectValidator } from './validation.ts';

describe('rules of a type', () => {
  const validate = compileObjectValidator(
    {
      type: 'object',
      properties: { n: { type: 'integer' }, s: { type: 'string', maxLength: 3 }, l: { type: 'integer', minimum: 0 } },
      'x-kubernetes-validations': [{ rule: '!has(self.n) || self.n > 1' }],
    },
    undefined,
  );
  const found = (fields: object, metadata: object = {}) =>
    atOnce(
      validate(
        { kind: 'A', apiVersion: 'a/v1', metadata: { name: 'a', ...metadata }, ...fields } as KubeObject,
        undefined,
      ),
    );
  const causes = (fields: object, metadata?: object) =>
    found(fields, metadata).map(({ field, reason }) => `${field} ${reason.slice('FieldValue'.length)}`);
  const long = { annotations: { a: 'x'.repeat(262_144) } };

  it.each<[string, object, object, string[]]>([
    ['hold', { n: 2 }, {}, []],
    ['do not', { n: 1 }, {}, ['<nil> Invalid']],
    ['beside a value that is not allowed', { n: 1, l: -1 }, {}, ['l Invalid', '<nil> Invalid']],
    ['are not looked at beside a text that is too long', { n: 2, s: 'four' }, {}, ['s TooLong', '<nil> Invalid']],
    ['nor beside annotations that are too long', { n: 2 }, long, ['<nil> Invalid']],
    ['but beside a bad label', { n: 2 }, { labels: { a: 'b c' } }, []],
  ])('%s', (_, fields, metadata, expected) => {
    expect(causes(fields, metadata)).toEqual(expected);
  });

  it('that were not looked at are told of', () => {
    expect(found({ n: 2 }, long)[0]?.text).toContain('some validation rules were not checked');
  });
});
