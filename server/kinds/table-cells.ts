import type { KubeObject } from '../base/kube-object.ts';
import type { Column } from './kind-table.ts';

/** Columns and cells that many tables have. */

export const nameColumn: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description:
    'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: http://kubernetes.io/docs/user-guide/identifiers#names',
};

const creationDescription =
  'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata';

export const ageColumn: Column = { name: 'Age', type: 'string', description: creationDescription };

export const createdAtColumn: Column = { name: 'Created At', type: 'date', description: creationDescription };

/** A text column. `wide`: only with `-o wide`. */
export const column = (name: string, description = ''): Column => ({ name, type: 'string', description });
export const wideColumn = (name: string, description = ''): Column => ({ ...column(name, description), priority: 1 });

export const orNone = (text: string | undefined) => text || '<none>';

const second = 1000;
const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

const pair = (big: number, unit: string, small: number, smallUnit: string) =>
  small === 0 ? `${big}${unit}` : `${big}${unit}${small}${smallUnit}`;

/** A span of time in milliseconds as people read it: `90s`, `5m30s`, `3d2h`, `2y`. */
export function shortDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / second);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 2 * minute) return `${seconds}s`;
  const minutes = Math.floor(seconds / minute);
  if (minutes < 10) return pair(minutes, 'm', seconds % minute, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(seconds / hour);
  if (hours < 8) return pair(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(seconds / day);
  if (days < 8) return pair(days, 'd', hours % 24, 'h');
  if (days < 730) return `${days}d`;
  const years = Math.floor(seconds / year);
  return years < 8 ? pair(years, 'y', days % 365, 'd') : `${years}y`;
}

/** How long ago a time was; `<unknown>` when there is none. */
export function since(time: string | null | undefined, now: number): string {
  const then = time ? Date.parse(time) : Number.NaN;
  return Number.isNaN(then) ? '<unknown>' : shortDuration(now - then);
}

export const age = ({ metadata }: KubeObject, now: number) => since(metadata.creationTimestamp, now);

/** Labels as a selector reads: `a=b,c=d`. */
export const labelText = (labels: Readonly<Record<string, string>> | undefined) =>
  orNone(
    Object.entries(labels ?? {})
      .map(([key, value]) => `${key}=${value}`)
      .sort()
      .join(','),
  );
