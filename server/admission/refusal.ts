import { forbidden, type StatusCause, type StatusError } from '../base/status-error.ts';
import type { AdmissionAttributes } from './admission.ts';

/** The object's name, or as long as it has none the generateName that it will be made from. */
const shownName = ({ name, object }: AdmissionAttributes): string =>
  object?.metadata.name || name || (object?.metadata.generateName ?? '');

/** The 403 of a built-in plugin; `why` completes the sentence. */
export const refusal = (attributes: AdmissionAttributes, why: string, causes?: readonly StatusCause[]): StatusError =>
  forbidden(attributes.resource, shownName(attributes), why, causes);
