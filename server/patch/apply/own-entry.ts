import type { Json, ManagedFieldsEntry } from '../../base/kube-object.ts';
import { formatTime } from '../../base/time/clock.ts';

/** Who sets these members sets each as a whole: an entry's fields. */
export const wholeFields = (members: object): { [element: string]: Json } =>
  Object.fromEntries(Object.keys(members).map((name) => [`f:${name}`, {}]));

/** The server, as a field manager. */
export const ownManager = 'kube-apiserver';

/**
 * Who set what the server writes by itself, as for the create of a client: who applies to such an object is told of
 * conflicts. @param now milliseconds @param fieldsV1 shared
 */
export const ownEntry = (
  apiVersion: string,
  fieldsV1: { [element: string]: Json },
  now: number,
  manager = ownManager,
): ManagedFieldsEntry => ({
  manager,
  operation: 'Update',
  apiVersion,
  time: formatTime(now),
  fieldsType: 'FieldsV1',
  fieldsV1,
});
