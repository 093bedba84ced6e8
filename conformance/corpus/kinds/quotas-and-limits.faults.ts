import { slip } from '../fault.ts';

/** What quotas and ranges of limits may say. */
export default [
  slip(
    'a choice of a quota needs no word between a scope and its values',
    ['component'],
    'kinds/core/resource-quota.ts',
    'return [...found, ...operatorFits({ ...(operator && { operator }), values }, at)];',
    'return [...found, ...(operator ? operatorFits({ operator, values }, at) : [])];',
  ),
  slip(
    'choices of a quota may leave nothing',
    ['component'],
    'kinds/core/resource-quota.ts',
    "if (clashes((list ?? []).map(({ scopeName = '' }) => scopeName)))",
    'if (clashes([]))',
  ),
  slip(
    'a quota may choose what has no scope',
    ['component'],
    'kinds/core/resource-quota.ts',
    'else found.push(...scopeFits(scopeName, spec.hard ?? {}, at, [scopeName]));',
    '',
  ),
  slip(
    'a choice of a quota knows no word for none of them',
    ['component'],
    'kinds/core/resource-quota.ts',
    "if (operator === 'Exists' || operator === 'DoesNotExist')",
    "if (operator === 'Exists')",
  ),
  slip(
    'a quota may be of anything',
    ['component'],
    'kinds/core/resource-names.ts',
    "invalidValue(at, name, 'must be a standard resource for quota')",
    '...[]',
  ),
  slip(
    'half a port of the nodes may be allowed',
    ['component'],
    'kinds/core/resource-names.ts',
    "  'services.nodeports',\n",
    '',
  ),
  slip(
    'half an object may be used',
    ['component'],
    'kinds/core/resource-quota.ts',
    "      ...resourceAmounts(status.used, quotaResourceName, FieldPath.of('status', 'used')),\n",
    '',
  ),
  slip(
    'a default may be below the least',
    ['component'],
    'kinds/core/limit-range.ts',
    "  { low: 'min', high: 'default', at: 'default', words: ['min', 'default'] },\n",
    '',
  ),
  slip(
    'limits may be of anything',
    ['component'],
    'kinds/core/limit-range.ts',
    "return [...typeForm(item.type, at.child('type')), ...twice, ...validateItem(item, at)];",
    'return [...twice, ...validateItem(item, at)];',
  ),
  slip(
    'pods get defaults from limits as containers do',
    ['component'],
    'kinds/core/limit-range.ts',
    "if (item.type !== 'Container') return;",
    '',
  ),
];
