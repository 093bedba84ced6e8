import { type FieldError, invalidValue } from '../../base/field-error.ts';
import type { FieldPath } from '../../base/field-path.ts';
import { type Cidr, contains, parseCidr, parseIp } from './ip-address.ts';

const ranges = (...texts: string[]): Cidr[] => texts.flatMap((text) => parseCidr(text) ?? []);

const special: readonly { ranges: readonly Cidr[]; text: string }[] = [
  { ranges: ranges('0.0.0.0/32', '::/128'), text: 'may not be unspecified' },
  { ranges: ranges('127.0.0.0/8', '::1/128'), text: 'may not be in the loopback range' },
  { ranges: ranges('169.254.0.0/16', 'fe80::/10'), text: 'may not be in the link-local range' },
  { ranges: ranges('224.0.0.0/24', 'ff02::/16'), text: 'may not be in the link-local multicast range' },
];

/** Addresses that mean nothing to other machines; `text` must be an address. */
export function specialAddress(text: string, at: FieldPath): FieldError[] {
  const ip = parseIp(text);
  if (!ip) return [];
  return special.flatMap(({ ranges: within, text: problem }) =>
    within.some((range) => contains(range, ip)) ? [invalidValue(at, text, problem)] : [],
  );
}
