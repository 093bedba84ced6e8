import { type FieldError, invalidValue, required } from '../../base/field-error.ts';
import type { FieldPath } from '../../base/field-path.ts';
import { isIpv4, parseIp, specialUse } from '../../base/ip.ts';
import { fullyQualifiedDomain } from '../../base/names.ts';

/** Checks one address of a slice; `at` is only asked for when there is something to say. Other types: nothing is known. */
export function checkAddress(address: string, addressType: string, at: () => FieldPath): readonly FieldError[] {
  if (addressType === 'FQDN') {
    if (address === '') return [required(at())];
    return fullyQualifiedDomain(address).map((problem) => invalidValue(at(), address, problem));
  }
  return addressType === 'IPv4' || addressType === 'IPv6' ? checkIp(address, addressType, at) : [];
}

function checkIp(address: string, family: 'IPv4' | 'IPv6', at: () => FieldPath): readonly FieldError[] {
  const ip = parseIp(address);
  if (!ip) {
    return [
      invalidValue(at(), address, `must be a valid ${family} address`),
      invalidValue(at(), address, 'must be a valid IP address'),
    ];
  }
  const fits = isIpv4(ip) === (family === 'IPv4');
  const special = specialUse(ip);
  if (fits && !special) return [];
  return [
    ...(fits ? [] : [invalidValue(at(), address, `must be a valid ${family} address`)]),
    ...(special ? [invalidValue(at(), address, special)] : []),
  ];
}
