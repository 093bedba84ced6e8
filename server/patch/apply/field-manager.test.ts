import { describe, expect, test } from 'vitest';
import { checkFieldManager, checkManagedFields, checkPatchManager, defaultManager } from './field-manager.ts';

test.each<readonly [string | undefined, string]>([
  ['kubectl/v1.25.0 (linux/amd64) kubernetes/abc', 'kubectl'],
  ['curl with spaces', 'curl with spaces'],
  ['a\u0000b\tc/1', 'abc'],
  ['', 'unknown'],
  ['/1', 'unknown'],
  [undefined, 'unknown'],
  [`${'x'.repeat(200)}/1`, 'x'.repeat(128)],
  [`${'x'.repeat(127)}\u00e9\u00e9`, 'x'.repeat(127)],
])('user agent %j is manager %j', (userAgent, manager) => {
  expect(defaultManager(userAgent)).toBe(manager);
});

describe('the name of a manager', () => {
  test.each(['kubectl', 'with space \u00e9', 'm'.repeat(128), '\u65e5\u672c'])('%j is fine', (name) => {
    expect(checkFieldManager(name)).toEqual([]);
  });
  test('may have 128 bytes', () => {
    expect(checkFieldManager('m'.repeat(129))).toMatchObject([{ reason: 'FieldValueTooLong', field: 'fieldManager' }]);
    expect(checkFieldManager('\u00e9'.repeat(65))).toMatchObject([{ reason: 'FieldValueTooLong' }]);
  });
  test('may only have what can be printed', () => {
    expect(checkFieldManager('a\nb')).toEqual([
      {
        reason: 'FieldValueInvalid',
        field: 'fieldManager',
        text: 'Invalid value: "a\\nb": invalid character U+000A (at position 1)',
      },
    ]);
  });
});

describe('options of a patch', () => {
  test.each<readonly [apply: boolean, manager: string | undefined, force: boolean | undefined, reasons: string[]]>([
    [true, 'x', true, []],
    [true, undefined, undefined, ['FieldValueRequired']],
    [true, '', undefined, ['FieldValueRequired']],
    [false, undefined, undefined, []],
    [false, 'x', false, ['FieldValueForbidden']],
  ])('apply %j by %j with force %j: %j', (apply, manager, force, reasons) => {
    expect(checkPatchManager(apply, manager, force).map(({ reason }) => reason)).toEqual(reasons);
  });
});

test('entries that were sent are looked over', () => {
  const fine = { manager: 'm', operation: 'Apply', fieldsType: 'FieldsV1' };
  const entries = [
    fine,
    { ...fine, operation: 'X', fieldsType: 'Y', manager: 'm'.repeat(129), subresource: 's'.repeat(257) },
  ];
  expect(checkManagedFields(entries, 'metadata.managedFields').map(({ field }) => field)).toEqual([
    'metadata.managedFields[1].operation',
    'metadata.managedFields[1].fieldsType',
    'metadata.managedFields[1].manager',
    'metadata.managedFields[1].subresource',
  ]);
});
