import type { Collection } from '../../verbs/collection.ts';
import type { Json } from '../../verbs/json.ts';
import { merged } from '../../verbs/merged.ts';
import type { Subject } from '../../verbs/subjects.ts';
import { unversioned } from './writes.ts';

/** The ways to change metadata: by what is to change, or by what is to be there. */
export const changers = ['update', 'merge', 'strategic', 'apply'] as const;

/** Without the members that are null, as a merge patch leaves it. */
const pruned = (metadata: Json): Json =>
  JSON.parse(JSON.stringify(metadata, (_, value) => (value === null ? undefined : value)));

/** A change of metadata, told in both ways. */
interface MetadataChange {
  readonly write: (typeof changers)[number];
  readonly name: string;
  /** What is to change: null for what goes. */
  readonly patch: Json;
  /** What is to be there. */
  readonly whole: Json;
}

export async function changeMetadata(
  objects: Collection,
  kind: Subject,
  { write, name, patch, whole }: MetadataChange,
): Promise<void> {
  if (write === 'apply') return void (await objects.apply(name, whole, 'applier'));
  if (write !== 'update') return void (await objects.change(name, patch, write));
  const { metadata: given, ...rest } = unversioned(kind, await objects.read(name));
  await objects.replace({ ...rest, metadata: pruned(merged(given, patch.metadata)) });
}
