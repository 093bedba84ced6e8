import { forbidden, type StatusCause, type StatusError } from '../base/status-error.ts';
import type { AdmissionAttributes } from './admission.ts';

type Operation = AdmissionAttributes['operation'];

/** A generated name is a generateName, cut to so many characters, and a suffix of so many. */
const longestPrefix = 58;
const suffixLength = 5;

/** The object's name, or the generateName that it is made from: clients never saw the name of a refused object. */
export function shownName({ operation, name, object }: AdmissionAttributes): string {
  const { name: own = '', generateName = '' } = object?.metadata ?? {};
  const given = own || name;
  if (operation !== 'CREATE' || !generateName) return given;
  const prefix = generateName.slice(0, longestPrefix);
  const generated = given.length === prefix.length + suffixLength && given.startsWith(prefix);
  return given && !generated ? given : generateName;
}

/** The 403 of a built-in plugin; `why` completes the sentence. */
export const refusal = (attributes: AdmissionAttributes, why: string, causes?: readonly StatusCause[]): StatusError =>
  forbidden(attributes.resource, shownName(attributes), why, causes);

/** Whether a request is a write of these objects themselves, in one of these ways. */
export const writes =
  (group: string, resource: string, ...operations: readonly Operation[]) =>
  (attributes: AdmissionAttributes): boolean =>
    attributes.resource.resource === resource &&
    attributes.resource.group === group &&
    attributes.subresource === '' &&
    operations.includes(attributes.operation);
