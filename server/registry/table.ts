import type { KubeObject } from '../base/kube-object.ts';
import { badRequest } from '../base/status-error.ts';
import { ownMetadata } from '../kinds/carried-annotations.ts';
import { defaultTable } from '../kinds/default-table.ts';
import type { Column, KindTable, RowCondition } from '../kinds/kind-table.ts';
import type { Resource } from './resource.ts';
import { toStorage } from './resource.ts';

export type IncludeObject = 'Metadata' | 'Object' | 'None';

/** @throws 400 for a value that is none of the three */
export function includeObjectOf(value: string | undefined): IncludeObject {
  if (!value) return 'Metadata';
  if (value === 'Metadata' || value === 'Object' || value === 'None') return value;
  throw badRequest(`unrecognized includeObject value: ${JSON.stringify(value)}`);
}

export interface TableRow {
  readonly cells: readonly unknown[];
  readonly conditions?: readonly RowCondition[];
  readonly object: unknown;
}

type ColumnDefinition = Required<Column>;

const definitions = new WeakMap<KindTable, readonly ColumnDefinition[]>();

/** Every member is always written. Worked out once a kind. */
function columnsOf(table: KindTable): readonly ColumnDefinition[] {
  let known = definitions.get(table);
  if (!known) {
    known = table.columns.map(({ name, type, format = '', description = '', priority = 0 }) => ({
      name,
      type,
      format,
      description,
      priority,
    }));
    definitions.set(table, known);
  }
  return known;
}

/** The table of what a path shows: of the kind, or of the document that stands for it. */
export const tableOf = ({ rules }: Resource, subresource = ''): KindTable =>
  rules.subresources?.[subresource]?.document?.table ?? rules.table ?? defaultTable;

/** One object in the version that was asked for, and in the one that its kind's columns read. */
export interface TableSource {
  readonly shown: KubeObject;
  readonly read: KubeObject;
}

/** Columns of built-in kinds read the stored form, those of custom kinds the version that was asked for. */
export async function tableSource(resource: Resource, shown: KubeObject): Promise<TableSource> {
  const itself = resource.custom !== undefined || shown.kind !== resource.served.kind;
  return { shown, read: itself ? shown : await toStorage(resource, shown) };
}

export interface TableOptions {
  readonly version: 'v1' | 'v1beta1';
  readonly include: IncludeObject;
  /** That of the list, or the version of the one object. */
  readonly metadata: object;
  readonly now: number;
  /** Only the first event of a watch carries the columns. */
  readonly columns: boolean;
}

/** A Table of `meta.k8s.io` without its rows. */
export const tableFrame = (table: KindTable, { version, metadata, columns }: TableOptions) => ({
  kind: 'Table',
  apiVersion: `meta.k8s.io/${version}`,
  metadata,
  columnDefinitions: columns ? columnsOf(table) : null,
});

/** One object as a Table. */
export const makeTable = (table: KindTable, source: TableSource, options: TableOptions) => ({
  ...tableFrame(table, options),
  rows: [rowOf(table, source, options)],
});

/** The row of one object. */
export function rowOf(table: KindTable, source: TableSource, options: TableOptions): TableRow {
  const { shown: object, read } = source;
  const conditions = table.conditions?.(read) ?? [];
  const shown =
    options.include === 'Object' ? object : options.include === 'None' ? null : partial(object, options.version);
  return { cells: table.cells(read, options.now), ...(conditions.length > 0 && { conditions }), object: shown };
}

/** An object reduced to its metadata. */
export const partial = (object: KubeObject, version: 'v1' | 'v1beta1') => ({
  kind: 'PartialObjectMetadata',
  apiVersion: `meta.k8s.io/${version}`,
  metadata: ownMetadata(object),
});
