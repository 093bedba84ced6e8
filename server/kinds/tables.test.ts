import { expect, test } from 'vitest';
import { kindsFor } from './index.ts';

/** Bookmarks of watches that show tables have such a row. */
test.each(kindsFor().flatMap((rules) => (rules.table ? [[rules.kind, rules.table] as const] : [])))(
  'the table of %s has a row for an object that says nothing',
  (kind, { columns, cells }) => {
    const row = cells({ kind, apiVersion: 'v1', metadata: { name: '' } }, 0);
    expect(row).toHaveLength(columns.length);
    expect(JSON.stringify(row)).not.toMatch(/undefined|NaN/);
  },
);
