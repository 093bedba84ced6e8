import type { Json } from '../base/kube-object.ts';
import type { Structure } from '../schema/structure.ts';
import type { ServedVersion } from './resource.ts';

/**
 * A document that says no version is read in the form in which servers hold objects: the fields of metadata stand at its
 * top, and nothing else in it is known. Becomes an object of the served version, and of the kind that it says, with that
 * metadata alone. In place.
 * @returns the members that are not known
 */
export function nameUnversioned(
  document: { [key: string]: Json },
  { kind, apiVersion, structure }: ServedVersion,
): string[] {
  const said = document['kind'];
  const known = fieldsOf(fieldsOf(structure)?.get('metadata')?.type);
  const metadata: { [key: string]: Json } = {};
  const unknown: string[] = [];
  for (const [member, value] of Object.entries(document)) {
    delete document[member];
    if (member === 'kind' || member === 'apiVersion') continue;
    if (known?.has(member)) metadata[member] = value;
    else unknown.push(member);
  }
  Object.assign(document, { kind: (said ?? '') === '' ? kind : said, apiVersion, metadata });
  return unknown.sort();
}

const fieldsOf = (structure: Structure | undefined) => (structure?.type === 'struct' ? structure.fields : undefined);
