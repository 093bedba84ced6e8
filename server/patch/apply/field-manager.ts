import { type FieldError, forbiddenField, invalidValue, required, tooLong } from '../../base/field-error.ts';
import type { ManagedFieldsEntry } from '../../base/kube-object.ts';

const maximumBytes = 128;
const maximumSubresourceBytes = 256;
/** Of one name; each repeats it. */
const maximumErrors = 10;

/** What may stand in a name: letters, marks, digits, punctuation, symbols and the plain space. */
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** What nearly every name is. */
const plainName = /^[\x20-\x7e]{0,128}$/;

/** Name of the manager when none is given: the user agent up to its first `/`; `unknown` when that is empty. */
export function defaultManager(userAgent: string | undefined): string {
  const [product = ''] = (userAgent ?? '').split('/', 1);
  if (plainName.test(product)) return product || 'unknown';
  let name = '';
  let bytes = 0;
  for (const character of product) {
    if (!printable.test(character)) continue;
    bytes += Buffer.byteLength(character);
    if (bytes > maximumBytes) break;
    name += character;
  }
  return name || 'unknown';
}

/** What is wrong with a manager's name as an option of a write, or in an entry of managedFields. */
export function checkFieldManager(name: string, at = 'fieldManager'): FieldError[] {
  const errors: FieldError[] = [];
  if (plainName.test(name)) return errors;
  if (Buffer.byteLength(name) > maximumBytes) errors.push(tooLong(at, maximumBytes));
  let position = 0;
  for (const character of name.slice(0, maximumBytes)) {
    if (errors.length >= maximumErrors) break;
    if (!printable.test(character)) errors.push(invalidValue(at, name, unprintable(character, position)));
    position += Buffer.byteLength(character);
  }
  return errors;
}

const unprintable = (character: string, position: number) =>
  `invalid character U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')} (at position ${position})`;

/**
 * The rules of the options of a patch: an apply names its manager, and only an apply may say `force`.
 * @param force the parameter as sent, undefined when it was not
 */
export function checkPatchManager(
  apply: boolean,
  manager: string | undefined,
  force: boolean | undefined,
): FieldError[] {
  const errors: FieldError[] = [];
  if (apply && !manager) errors.push(required('fieldManager', 'is required for apply patch'));
  if (!apply && force !== undefined) errors.push(forbiddenField('force', 'may not be specified for non-apply patch'));
  return manager && !plainName.test(manager) ? [...errors, ...checkFieldManager(manager)] : errors;
}

/** What is wrong with entries that a client wrote; `at` is `metadata.managedFields`. */
export function checkManagedFields(entries: readonly ManagedFieldsEntry[], at: string): FieldError[] {
  const errors: FieldError[] = [];
  for (let i = 0; i < entries.length; i++) {
    const { operation, fieldsType, manager = '', subresource = '' } = entries[i] as ManagedFieldsEntry;
    if (operation !== 'Apply' && operation !== 'Update') {
      errors.push(invalidValue(`${at}[${i}].operation`, operation ?? '', 'must be `Apply` or `Update`'));
    }
    if (fieldsType && fieldsType !== 'FieldsV1') {
      errors.push(invalidValue(`${at}[${i}].fieldsType`, fieldsType, 'must be `FieldsV1`'));
    }
    if (!plainName.test(manager)) errors.push(...checkFieldManager(manager, `${at}[${i}].manager`));
    if (subresource && Buffer.byteLength(subresource) > maximumSubresourceBytes) {
      errors.push(tooLong(`${at}[${i}].subresource`, maximumSubresourceBytes));
    }
  }
  return errors;
}
