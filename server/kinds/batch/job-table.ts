import { containerCells, containersColumn, imagesColumn } from '../core/pod-template/table.ts';
import type { Column, KindTable } from '../kind-table.ts';
import { selectorText } from '../selector-text.ts';
import { age, ageColumn, column, nameColumn, shortDuration, wideColumn } from '../table-cells.ts';
import type { Job } from './job-shape.ts';

/** What the tables of jobs and of those who make them end with. */
export const podColumns: readonly Column[] = [
  containersColumn,
  imagesColumn,
  wideColumn(
    'Selector',
    'A label query over pods that should match the pod count. Normally, the system sets this field for you. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors',
  ),
];

function completionsCell({ spec = {}, status = {} }: Job): string {
  const succeeded = status.succeeded ?? 0;
  if (spec.completions !== undefined) return `${succeeded}/${spec.completions}`;
  return (spec.parallelism ?? 0) > 1 ? `${succeeded}/1 of ${spec.parallelism}` : `${succeeded}/1`;
}

function durationCell({ status = {} }: Job, now: number): string {
  if (!status.startTime) return '';
  const end = status.completionTime ? Date.parse(status.completionTime) : now;
  return shortDuration(end - Date.parse(status.startTime));
}

export const jobTable: KindTable<Job> = {
  columns: [
    nameColumn,
    column('Completions', 'The number of pods which reached phase Succeeded.'),
    column('Duration', 'Time required to complete the job.'),
    ageColumn,
    ...podColumns,
  ],
  cells: (job, now) => [
    job.metadata.name,
    completionsCell(job),
    durationCell(job, now),
    age(job, now),
    ...containerCells(job.spec?.template),
    selectorText(job.spec?.selector),
  ],
};
