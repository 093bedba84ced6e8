import type { Column } from '../../kind-table.ts';
import { wideColumn } from '../../table-cells.ts';
import type { PodTemplateSpec } from '../pod/shape.ts';

/** The last columns of what makes pods from a template. */
export const containersColumn: Column = wideColumn('Containers', 'Names of each container in the template.');
export const imagesColumn: Column = wideColumn('Images', 'Images referenced by each container in the template.');

export function containerCells(template: PodTemplateSpec | undefined): [string, string] {
  const containers = template?.spec?.containers ?? [];
  return [containers.map(({ name = '' }) => name).join(','), containers.map(({ image = '' }) => image).join(',')];
}
