import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Breach } from '../../verbs/breach.ts';
import type { Json } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { KindPath } from '../../verbs/kinds.ts';
import { temporaryFolder } from '../../verbs/temporary-folder.ts';

/** An object as it lies in the store, whoever wrote it there. */
export interface Stored {
  readonly at: KindPath;
  readonly object: Json;
}

/** Where namespaced objects are put. */
export const storedIn = 'default';

/**
 * A server that begins with these objects, which it would take from nobody: another version has written them. @throws
 * Skipped where no such server can be started
 */
export async function serverHolding(
  context: RuleContext,
  stored: readonly Stored[],
  flags: readonly string[] = [],
): ReturnType<RuleContext['start']> {
  const file = join(temporaryFolder(context), 'snapshot');
  writeFileSync(file, snapshotOf(stored), { mode: 0o600 });
  try {
    return await context.start([`--snapshot=${file}`, ...flags]);
  } catch (error) {
    if (!(error instanceof Breach) || error.kind !== 'preparation') throw error;
    return context.skip(`no server can be started with what another version has stored: ${error.message}`);
  }
}

/** Lines of JSON: what it is, each object with its key, and how many there were. */
function snapshotOf(stored: readonly Stored[]): string {
  const lines = stored.map(({ at: { group, resource, namespaced }, object }, index) => {
    const { resourceVersion: _, ...metadata } = object.metadata;
    const placed = namespaced ? { ...metadata, namespace: storedIn } : metadata;
    const key = `${group}/${resource}/${namespaced ? storedIn : ''}/${metadata.name}`;
    return { key, revision: index + 1, object: { ...object, metadata: placed } };
  });
  const all = [{ touchstone: 'snapshot', version: 1, revision: stored.length }, ...lines, { end: stored.length }];
  return all.map((line) => `${JSON.stringify(line)}\n`).join('');
}
