import { type FieldError, invalidValue, required } from '../../base/field-error.ts';
import type { FieldPath } from '../../base/field-path.ts';
import { isIpv4, parseIp, specialUse } from '../../base/ip.ts';
import { fullyQualifiedDomain } from '../../base/names.ts';

const fine: readonly FieldError[] = [];

/** Checks one of the addresses at `at`. Nothing is known of addresses of other types. */
export function checkAddress(
  address: string,
  addressType: string,
  at: FieldPath,
  position: number,
): readonly FieldError[] {
  if (addressType === 'FQDN') return checkName(address, at, position);
  return addressType === 'IPv4' || addressType === 'IPv6' ? checkIp(address, addressType, at, position) : fine;
}

function checkName(address: string, at: FieldPath, position: number): readonly FieldError[] {
  if (address === '') return [required(at.index(position))];
  return fullyQualifiedDomain(address).map((problem) => invalidValue(at.index(position), address, problem));
}

function checkIp(address: string, family: 'IPv4' | 'IPv6', at: FieldPath, position: number): readonly FieldError[] {
  const ip = parseIp(address);
  const fits = ip !== undefined && isIpv4(ip) === (family === 'IPv4');
  const problem = ip ? specialUse(ip) : 'must be a valid IP address';
  if (fits && !problem) return fine;
  const here = at.index(position);
  return [
    ...(fits ? [] : [invalidValue(here, address, `must be a valid ${family} address`)]),
    ...(problem ? [invalidValue(here, address, problem)] : []),
  ];
}
