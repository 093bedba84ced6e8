import { slip } from '../fault.ts';

const printerColumns = 'custom-resources/printer-columns.ts';

/** The printer columns of custom types. */
export default [
  slip(
    'all columns of a custom type are as important as its name',
    ['content'],
    printerColumns,
    'priority: priority ?? 0,',
    'priority: 0,',
  ),
  slip(
    'false is nothing in the table of a custom type',
    ['content'],
    printerColumns,
    "return typeof value === 'boolean' ? value : null;",
    "return typeof value === 'boolean' ? value || null : null;",
  ),
  slip(
    'dates in the columns of custom types are shown as they are',
    ['content'],
    printerColumns,
    "return typeof value === 'string' ? ageAt(value, now) : null;",
    "return typeof value === 'string' ? value : null;",
  ),
  slip(
    'a column of a custom type shows nothing where there is something',
    ['content'],
    printerColumns,
    'found.done',
    '!(found.done)',
  ),
  slip(
    'the table of a custom type without columns has no age',
    ['content'],
    printerColumns,
    ", jsonPath: '.metadata.creationTimestamp'",
    '',
  ),
  slip('a column cannot be of a password', ['component', 'content'], printerColumns, ", 'password'", ''),
  slip(
    'a column of a custom type sees nothing within a list',
    ['content'],
    'custom-resources/json-path.ts',
    'Array.isArray(value) ? value : []',
    '([])',
  ),
  slip(
    'a printed column cannot name a field at any depth',
    ['content'],
    'custom-resources/json-path.ts',
    "reader.take('[') ? [bracket(reader)] : [named(reader)]",
    '([bracket(reader)])',
  ),
  slip(
    'a custom type keeps the columns that it had first',
    ['content', 'component', 'service'],
    'custom-resources/life-cycle.ts',
    '  deepEqual(one.spec, other.spec) &&',
    '  deepEqual(one.spec.versions.map(({ additionalPrinterColumns: _, ...rest }) => rest), other.spec.versions.map(({ additionalPrinterColumns: _, ...rest }) => rest)) &&',
  ),
  slip(
    'a column of a custom type whose number is zero shows nothing',
    ['content'],
    'custom-resources/printer-columns.ts',
    'found.done ? null : cellOf(found.value, type, now)',
    'found.done ? null : cellOf(found.value, type, now) || null',
  ),
  slip(
    'a column of a custom type shows truth as a text',
    ['content', 'component'],
    'custom-resources/printer-columns.ts',
    "return typeof value === 'boolean' ? value : null;",
    "return typeof value === 'boolean' ? String(value) : null;",
  ),
];
