import { type FieldError, invalidValue, required } from '../../../base/field-error.ts';
import { FieldPath } from '../../../base/field-path.ts';
import { parseIp } from '../../../base/ip.ts';
import { eachOf, oneOf, repeated } from '../../field-rules.ts';
import { type IpFamily, ipFamily } from './address-bits.ts';
import type { ServiceAddresses } from './addresses.ts';
import { isHeadless, needsAddress } from './allocation.ts';
import type { ServiceSpec } from './shape.ts';

/** Of which families of addresses a Service is. */

const at = FieldPath.of('spec');

const families = ['IPv4', 'IPv6'];
const familyPolicies = ['SingleStack', 'PreferDualStack', 'RequireDualStack'];

/** Families and addresses as they are said, before anything is inferred from them or allocated. */
export function validateFamilies(spec: ServiceSpec): FieldError[] {
  if (!needsAddress(spec)) return [];
  const { clusterIPs = [], ipFamilies = [], ipFamilyPolicy } = spec;
  const list = at.child('clusterIPs');
  const headless = clusterIPs[0] === 'None';
  const unreadable = eachOf(clusterIPs, list, (address, here, position) =>
    parseIp(address) || (headless && position === 0) ? [] : [invalidValue(here, address, 'must be a valid IP address')],
  );
  return [
    ...oneOf(ipFamilyPolicy, familyPolicies, at.child('ipFamilyPolicy')),
    ...eachOf(ipFamilies, at.child('ipFamilies'), (family, here) => oneOf(family, families, here)),
    ...repeated(ipFamilies, at.child('ipFamilies')),
    ...firstIsTheOne(spec, list),
    ...(clusterIPs.length > 1 && headless
      ? [invalidValue(list, clusterIPs, "'None' must be the first and only value")]
      : []),
    ...(clusterIPs.length > 2 ? [invalidValue(list, clusterIPs, 'may only hold up to 2 values')] : []),
    ...unreadable,
    // Of what is no address nothing more can be said.
    ...(unreadable.length > 0 || headless ? [] : addressesFit(clusterIPs, ipFamilies, list)),
  ];
}

/** The one address and the first of several are the same. */
function firstIsTheOne({ clusterIP = '', clusterIPs = [] }: ServiceSpec, list: FieldPath): FieldError[] {
  const [first] = clusterIPs;
  if (first === undefined) return clusterIP === '' ? [] : [required(list)];
  if (clusterIP === '') return [invalidValue(list, clusterIPs, 'must be empty when `clusterIP` is not specified')];
  return first === clusterIP ? [] : [invalidValue(list, clusterIPs, 'first value must match `clusterIP`')];
}

/** One address of each family, in the order of the families. */
function addressesFit(clusterIPs: readonly string[], ipFamilies: readonly string[], list: FieldPath): FieldError[] {
  const found = clusterIPs.map(ipFamily);
  return [
    ...(clusterIPs.length > 1 && new Set(found).size < 2
      ? [invalidValue(list, clusterIPs, 'may specify no more than one IP for each IP family')]
      : []),
    ...eachOf(clusterIPs, list, (address, here, position) => {
      const wanted = ipFamilies[position];
      return wanted && families.includes(wanted) && found[position] !== wanted
        ? [invalidValue(here, address, `expected an ${wanted} address, as \`ipFamilies\` says`)]
        : [];
    }),
  ];
}

const both: readonly IpFamily[] = ['IPv4', 'IPv6'];

/**
 * Fills ipFamilies and ipFamilyPolicy from what is said and what the server has. In place. The first faults hide the
 * later ones. @param found faults that are told with the first ones
 */
export function chooseFamilies(
  service: ServiceSpec,
  { families: configured }: ServiceAddresses,
  found: readonly FieldError[] = [],
): readonly FieldError[] {
  if (!needsAddress(service)) return [];
  const selectorless = isHeadless(service) && Object.keys(service.selector ?? {}).length === 0;
  service.ipFamilyPolicy ??= selectorless ? 'RequireDualStack' : 'SingleStack';
  const first = [...found, ...tooManyForOneStack(service), ...inferFamilies(service, configured)];
  if (first.length > 0) return first;
  const later = selectorless ? [] : familiesExist(service, configured);
  if (later.length > 0) return later;
  addFamilies(service, configured, selectorless ? both : configured);
  return [];
}

function tooManyForOneStack({ ipFamilyPolicy, clusterIPs, ipFamilies }: ServiceSpec): FieldError[] {
  if (ipFamilyPolicy !== 'SingleStack') return [];
  return [clusterIPs, ipFamilies].flatMap((list) =>
    list?.length === 2
      ? [invalidValue(at.child('ipFamilyPolicy'), ipFamilyPolicy, 'must be for two stacks where two are asked for')]
      : [],
  );
}

/** An address tells its family where none is said. In place. */
function inferFamilies(service: ServiceSpec, configured: readonly IpFamily[]): FieldError[] {
  const { clusterIPs = [], ipFamilies = [] } = service;
  if (isHeadless(service)) return [];
  const inferred = clusterIPs.slice(ipFamilies.length).map(ipFamily);
  const known = inferred.filter((family) => family && configured.includes(family)) as IpFamily[];
  if (known.length > 0) service.ipFamilies = [...ipFamilies, ...known];
  return inferred.flatMap((family, position) =>
    !family || configured.includes(family)
      ? []
      : [
          invalidValue(
            at.child('clusterIPs').index(ipFamilies.length + position),
            clusterIPs,
            `${family} is not configured on this cluster`,
          ),
        ],
  );
}

/** The preferred family where none is said, and the other one for two stacks, as far as there is one. In place. */
function addFamilies(service: ServiceSpec, configured: readonly IpFamily[], available: readonly IpFamily[]): void {
  const families = service.ipFamilies?.length ? service.ipFamilies : [configured[0] ?? 'IPv4'];
  const second = available.find((family) => family !== families[0]);
  const wantsSecond = service.ipFamilyPolicy !== 'SingleStack' && families.length === 1;
  service.ipFamilies = wantsSecond && second ? [...families, second] : families;
}

function familiesExist(
  { ipFamilyPolicy: policy, ipFamilies }: ServiceSpec,
  configured: readonly IpFamily[],
): FieldError[] {
  return [
    ...(policy === 'RequireDualStack' && configured.length < 2
      ? [invalidValue(at.child('ipFamilyPolicy'), policy, 'this cluster is not configured for dual-stack services')]
      : []),
    ...eachOf(ipFamilies, at.child('ipFamilies'), (family, here) =>
      configured.some((known) => known === family)
        ? []
        : [invalidValue(here, family, 'not configured on this cluster')],
    ),
  ];
}
