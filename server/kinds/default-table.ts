import type { KindTable } from './kind-table.ts';
import { createdAtColumn, nameColumn } from './table-cells.ts';

/** The table of kinds that have no columns of their own. */
export const defaultTable: KindTable = {
  columns: [nameColumn, createdAtColumn],
  cells: ({ metadata }) => [metadata.name, metadata.creationTimestamp],
};
