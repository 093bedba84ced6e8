import { type FieldError, invalidValue } from '../../base/field-error.ts';
import type { FieldPath } from '../../base/field-path.ts';
import { parseIp, specialUse } from '../../base/ip.ts';

/** An address that other machines can reach: neither loopback nor link-local nor unspecified. */
export function addressOfOthers(text: string, at: FieldPath): FieldError[] {
  const ip = parseIp(text);
  const problem = ip ? specialUse(ip) : 'must be a valid IP address';
  return problem ? [invalidValue(at, text, problem)] : [];
}
