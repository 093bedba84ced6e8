import { readFileSync, statSync } from 'node:fs';
import { UsageError } from '../../mistyped.ts';
import { type Fields, fieldsOf, listOf, textOf } from '../base/untyped.ts';
import { parseYaml } from '../base/yaml-text.ts';
import { ownName } from '../kubeconfig.ts';

/**
 * Sees to it that a kubeconfig of a server takes the place of nothing that somebody would miss: only of an empty file, or of
 * one that has nothing in it but what such a kubeconfig has. Folders are left to who writes, who says what is wrong with them.
 * @throws UsageError
 */
export function checkReplaceable(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found || found.isDirectory()) return;
  if (found.isFile() && (found.size === 0 || isOurs(file))) return;
  throw new UsageError(
    `--write-kubeconfig: ${file} is there, and no kubeconfig of ours alone: name another file, or add a context to your own with --kube-context`,
  );
}

/** Whether it is as `kubeconfigFor` makes it, or as kubectl writes that anew. */
function isOurs(file: string): boolean {
  const { kind, clusters, users, contexts } = configIn(file);
  const entries = [clusters, users, contexts].flatMap(listOf);
  return kind === 'Config' && entries.every(({ name }) => textOf(name) === ownName);
}

function configIn(file: string): Fields {
  try {
    return fieldsOf(parseYaml(readFileSync(file, 'utf8')));
  } catch {
    return {};
  }
}
