import { fail } from 'node:assert/strict';
import type { Folder } from './folder.ts';

/** One for each way of judging: alone, over a matrix, with a watch. */
const rules = ['lists.paging.limit', 'csr.spec.signer-name.field-selector.watch', 'apply.field-manager.default'];

export function judge(folder: Folder): string {
  folder.run('npx', 'touchstone', 'conformance', ...rules.flatMap((rule) => ['--rule', rule]), '--out', 'reports');
  return rules.join(', ');
}

/** Hundreds of rules side by side meet what no rule meets by itself, as a past that others have filled. */
export function judgeCore(folder: Folder): string {
  const told = folder.run('npx', 'touchstone', 'conformance', '--profile', 'core', '--out', 'reports');
  return /^\d+ rules were judged in \d+ cells/m.exec(told)?.[0] ?? fail('no rule was judged');
}
