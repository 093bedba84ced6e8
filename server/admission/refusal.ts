import { forbidden, type StatusCause, type StatusError } from '../base/status-error.ts';
import type { AdmissionAttributes } from './admission.ts';

type Operation = AdmissionAttributes['operation'];

/** The object's name, or as long as it has none the generateName that it will be made from. */
const shownName = ({ name, object }: AdmissionAttributes): string =>
  object?.metadata.name || name || (object?.metadata.generateName ?? '');

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
