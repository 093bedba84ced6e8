import { type FieldError, invalidValue, required } from '../base/field-error.ts';
import type { FieldPath } from '../base/field-path.ts';
import { canonicalJson } from '../base/json-value.ts';
import type { Json, KubeObject } from '../base/kube-object.ts';
import type { Column, KindTable } from '../kinds/kind-table.ts';
import { nameColumn, shortDuration } from '../kinds/table-cells.ts';
import type { PrinterColumn } from './definition-shape.ts';
import { compileJsonPath, type JsonPath } from './json-path.ts';

const types = ['boolean', 'date', 'integer', 'number', 'string'];
const formats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

/** The rules for `additionalPrinterColumns`. */
export const validateColumns = (columns: readonly PrinterColumn[], path: FieldPath): FieldError[] =>
  columns.flatMap((column, i) => columnErrors(column, path.index(i)));

function columnErrors({ name, type, format, jsonPath }: PrinterColumn, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (!name) errors.push(required(path.child('name')));
  if (!type) errors.push(required(path.child('type'), `must be one of ${types.join(',')}`));
  else if (!types.includes(type))
    errors.push(invalidValue(path.child('type'), type, `must be one of ${types.join(',')}`));
  if (format && !formats.includes(format)) {
    errors.push(invalidValue(path.child('format'), format, `must be one of ${formats.join(',')}`));
  }
  if (!jsonPath) errors.push(required(path.child('JSONPath')));
  else if (!jsonPath.startsWith('.')) {
    errors.push(invalidValue(path.child('JSONPath'), jsonPath, 'must be a simple json path starting with .'));
  }
  return errors;
}

const ageOfObject: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

const ageDescription = 'How long ago the object was created.';

/**
 * The table of a version: the name, then the columns that it declares, or the age when it declares none. A column whose
 * path cannot be read ends the table.
 */
export function tableOf(declared: readonly PrinterColumn[] | undefined): KindTable {
  const columns: PrinterColumn[] = [];
  const cells: Cell[] = [];
  for (const column of declared?.length ? declared : [ageOfObject]) {
    const cell = compileCell(column);
    if (!cell) break;
    columns.push(column);
    cells.push(cell);
  }
  return {
    columns: [nameColumn, ...columns.map(columnOf)],
    cells: (object, now) => [object.metadata.name, ...cells.map((cell) => cell(object, now))],
  };
}

function columnOf(column: PrinterColumn): Column {
  const { name = '', type, format, description, priority, jsonPath } = column;
  const described =
    column === ageOfObject ? ageDescription : `Custom resource definition column (in JSONPath format): ${jsonPath}`;
  return {
    name,
    type: types.includes(type ?? '') ? (type as Column['type']) : 'string',
    format: format ?? '',
    description: description || described,
    priority: priority ?? 0,
  };
}

type Cell = (object: KubeObject, now: number) => unknown;

function compileCell({ jsonPath = '', type = 'string' }: PrinterColumn): Cell | undefined {
  let path: JsonPath;
  try {
    path = compileJsonPath(jsonPath);
  } catch {
    return undefined;
  }
  return (object, now) => {
    const found = path(object as unknown as Json).next();
    return found.done ? null : cellOf(found.value, type, now);
  };
}

/** A value as its column shows it; null when it cannot be shown there. */
function cellOf(value: Json, type: string, now: number): unknown {
  switch (type) {
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : typeof value === 'bigint' ? value : null;
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? ageAt(value, now) : null;
    default:
      return value === null ? '<no value>' : typeof value === 'string' ? value : canonicalJson(value);
  }
}

function ageAt(time: string, now: number): string {
  if (time === '') return '<unknown>';
  const then = /^\d{4}-\d\d-\d\d[Tt]/.test(time) ? Date.parse(time) : Number.NaN;
  return Number.isNaN(then) ? '<invalid>' : shortDuration(now - then);
}
