import type { KubeObject } from '../base/kube-object.ts';

export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /** Default empty; the name column has `name`. */
  readonly format?: string;
  readonly description?: string;
  /** 1: only with `-o wide`. Default 0. */
  readonly priority?: number;
}

export interface RowCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

export interface KindTable<T extends KubeObject = KubeObject> {
  /** Including the name column. */
  readonly columns: readonly Column[];
  /** One cell a column; `now` in milliseconds. */
  cells(object: T, now: number): readonly unknown[];
  conditions?(object: T): readonly RowCondition[];
  /** The order of the rows of a list, as `Array.sort` asks for it. Default: that of the keys. */
  order?(one: T, other: T): number;
}
