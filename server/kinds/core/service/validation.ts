import { duplicate, type FieldError, forbiddenField, invalidValue, required } from '../../../base/field-error.ts';
import { FieldPath } from '../../../base/field-path.ts';
import { parseIp } from '../../../base/ip.ts';
import { dnsLabel, dnsSubdomain, qualifiedName } from '../../../base/names.ts';
import { between, eachOf, named, namedIfSet, oneOf, portNumber, requiredOneOf } from '../../field-rules.ts';
import { validateLabels } from '../../label-selector-field.ts';
import { portOrName } from '../pod/handlers.ts';
import { addressOfOthers } from '../reachable-address.ts';
import { isExposed, isHeadless, needsAddress, needsHealthCheck } from './allocation.ts';
import { validateFamilies } from './families.ts';
import type { LoadBalancerIngress, Service, ServicePort, ServiceSpec } from './shape.ts';
import { validateSourceRanges } from './source-ranges.ts';

const at = FieldPath.of('spec');

/** All that must hold for a Service, whatever it was before. */
export function validateServiceSpec(
  spec: ServiceSpec,
  annotations: Readonly<Record<string, string>> | undefined,
): FieldError[] {
  return [
    ...portsWanted(spec),
    ...typeRules(spec),
    ...validatePorts(spec.ports ?? [], at.child('ports')),
    ...validateLabels(spec.selector, at.child('selector')),
    ...validateAffinity(spec),
    ...validateFamilies(spec),
    ...eachOf(spec.externalIPs, at.child('externalIPs'), addressOfOthers),
    ...requiredOneOf(spec.type, ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'], at.child('type')),
    ...portsFit(spec),
    ...validateSourceRanges(spec, annotations),
    ...validateLoadBalancer(spec),
    ...validatePolicies(spec),
  ];
}

const portsWanted = (spec: ServiceSpec): FieldError[] =>
  (spec.ports ?? []).length === 0 && !isHeadless(spec) && needsAddress(spec) ? [required(at.child('ports'))] : [];

const kubeletPort = 10_250;

function typeRules(spec: ServiceSpec): FieldError[] {
  const errors: FieldError[] = [];
  if (isExposed(spec) && spec.clusterIPs?.[0] === 'None')
    errors.push(
      invalidValue(at.child('clusterIPs').index(0), 'None', `may not be set to 'None' for ${spec.type} services`),
    );
  if (spec.type === 'LoadBalancer')
    errors.push(
      ...eachOf(spec.ports, at.child('ports'), ({ port }, here) =>
        port === kubeletPort
          ? [invalidValue(here, port, 'may not expose port 10250 externally since it is used by kubelet')]
          : [],
      ),
    );
  if (spec.type === 'ExternalName') {
    const name = spec.externalName?.replace(/\.$/, '');
    // A policy that is there counts, whatever it says.
    for (const field of ['clusterIPs', 'ipFamilies', 'ipFamilyPolicy'] as const)
      if (field === 'ipFamilyPolicy' ? spec[field] !== undefined : spec[field]?.length)
        errors.push(forbiddenField(at.child(field), 'may not be set for ExternalName services'));
    if (!name) errors.push(required(at.child('externalName')));
    else errors.push(...dnsSubdomain(name).map((problem) => invalidValue(at.child('externalName'), name, problem)));
  }
  return errors;
}

const protocols = ['SCTP', 'TCP', 'UDP'];

function validatePorts(ports: readonly ServicePort[], path: FieldPath): FieldError[] {
  const names = new Set<string>();
  return eachOf(ports, path, (port, here) => [
    ...portLabel(port.name, ports.length > 1, names, here.child('name')),
    ...portNumber(port.port ?? 0, here.child('port')),
    ...requiredOneOf(port.protocol, protocols, here.child('protocol')),
    ...portOrName(port.targetPort, here.child('targetPort')),
    ...namedIfSet(port.appProtocol, qualifiedName, here.child('appProtocol')),
  ]);
}

function portLabel(name: string | undefined, needed: boolean, seen: Set<string>, here: FieldPath): FieldError[] {
  if (!name) return needed ? [required(here)] : [];
  return [...named(name, dnsLabel, here), ...(firstOf(seen, name) ? [] : [duplicate(here, name)])];
}

/** What ports may not have in common. */
function portsFit({ type, ports }: ServiceSpec): FieldError[] {
  const path = at.child('ports');
  const errors: FieldError[] = [];
  if (type === 'ClusterIP')
    errors.push(
      ...eachOf(ports, path, ({ nodePort }, here) =>
        nodePort ? [forbiddenField(here.child('nodePort'), "may not be used when `type` is 'ClusterIP'")] : [],
      ),
    );
  const nodePorts = new Set<string>();
  const numbers = new Set<string>();
  return [
    ...errors,
    ...eachOf(ports, path, ({ nodePort, protocol }, here) =>
      nodePort && !firstOf(nodePorts, `${protocol}/${nodePort}`) ? [duplicate(here.child('nodePort'), nodePort)] : [],
    ),
    ...eachOf(ports, path, ({ port, protocol }, here) =>
      firstOf(numbers, `${protocol}/${port}`) ? [] : [duplicate(here, { port, protocol })],
    ),
  ];
}

function firstOf(seen: Set<string>, key: string): boolean {
  const first = !seen.has(key);
  seen.add(key);
  return first;
}

const longestAffinity = 86_400;

function validateAffinity({ sessionAffinity, sessionAffinityConfig: config }: ServiceSpec): FieldError[] {
  const path = at.child('sessionAffinityConfig');
  const errors = requiredOneOf(sessionAffinity, ['ClientIP', 'None'], at.child('sessionAffinity'));
  if (sessionAffinity === 'ClientIP') {
    const seconds = config?.clientIP?.timeoutSeconds;
    if (seconds === undefined) errors.push(required(path, 'clientIP.timeoutSeconds is needed with ClientIP'));
    else errors.push(...between(seconds, 1, longestAffinity, path.child('clientIP').child('timeoutSeconds')));
  } else if (sessionAffinity === 'None' && config)
    errors.push(forbiddenField(path, `must not be set when session affinity is ${sessionAffinity}`));
  return errors;
}

function validateLoadBalancer(spec: ServiceSpec): FieldError[] {
  const balanced = spec.type === 'LoadBalancer';
  const onlyBalanced = "may only be used when `type` is 'LoadBalancer'";
  const errors: FieldError[] = [];
  const allocates = spec.allocateLoadBalancerNodePorts;
  if (balanced && allocates === undefined) errors.push(required(at.child('allocateLoadBalancerNodePorts')));
  if (!balanced && allocates !== undefined)
    errors.push(forbiddenField(at.child('allocateLoadBalancerNodePorts'), onlyBalanced));
  if (spec.loadBalancerClass !== undefined) {
    const path = at.child('loadBalancerClass');
    if (!balanced) errors.push(forbiddenField(path, onlyBalanced));
    else
      errors.push(
        ...qualifiedName(spec.loadBalancerClass).map((problem) => invalidValue(path, spec.loadBalancerClass, problem)),
      );
  }
  return errors;
}

const trafficPolicies = ['Cluster', 'Local'];

function validatePolicies(spec: ServiceSpec): FieldError[] {
  const external = at.child('externalTrafficPolicy');
  const check = at.child('healthCheckNodePort');
  const exposed = isExposed(spec);
  const errors = exposed ? oneOf(spec.externalTrafficPolicy, trafficPolicies, external) : [];
  if (!exposed && spec.externalTrafficPolicy)
    errors.push(
      invalidValue(external, spec.externalTrafficPolicy, 'may only be set when `type` is NodePort or LoadBalancer'),
    );
  if (!needsHealthCheck(spec) && spec.healthCheckNodePort)
    errors.push(
      invalidValue(
        check,
        spec.healthCheckNodePort,
        "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      ),
    );
  else if (spec.healthCheckNodePort) errors.push(...portNumber(spec.healthCheckNodePort, check));
  const internal = at.child('internalTrafficPolicy');
  if (spec.internalTrafficPolicy !== undefined)
    errors.push(...oneOf(spec.internalTrafficPolicy, trafficPolicies, internal));
  else if (['ClusterIP', 'NodePort', 'LoadBalancer'].includes(spec.type ?? '')) errors.push(required(internal));
  return errors;
}

/** The first address and family stand for good; a second one may come and go. */
export function validateServiceUpdate(next: ServiceSpec, previous: ServiceSpec): FieldError[] {
  if (!needsAddress(next) || !needsAddress(previous)) return [];
  const balanced = next.type === 'LoadBalancer' && previous.type === 'LoadBalancer';
  const [headless, wasHeadless] = [next, previous].map(isHeadless);
  const kept = (field: 'clusterIPs' | 'ipFamilies'): FieldError[] => {
    const [before, after] = [previous[field] ?? [], next[field] ?? []];
    return before.length > 0 && after.length > 0 && before[0] !== after[0]
      ? [invalidValue(at.child(field).index(0), after, 'may not change once set')]
      : [];
  };
  return [
    ...kept('clusterIPs'),
    // Where there is no address, families are but a word.
    ...(headless || wasHeadless ? [] : kept('ipFamilies')),
    ...secondChanges(next, previous),
    ...(balanced ? classChanges(next, previous) : []),
    ...(needsHealthCheck(next) &&
    needsHealthCheck(previous) &&
    next.healthCheckNodePort !== previous.healthCheckNodePort
      ? [forbiddenField(at.child('healthCheckNodePort'), 'field is immutable')]
      : []),
  ];
}

const classChanges = (next: ServiceSpec, previous: ServiceSpec): FieldError[] =>
  next.loadBalancerClass === previous.loadBalancerClass
    ? []
    : [invalidValue(at.child('loadBalancerClass'), next.loadBalancerClass ?? null, 'may not change once set')];

function secondChanges(next: ServiceSpec, previous: ServiceSpec): FieldError[] {
  const before = previous.clusterIPs?.[1];
  const after = next.clusterIPs?.[1];
  return before && after && before !== after
    ? [invalidValue(at.child('clusterIPs').index(1), next.clusterIPs, 'may not change once set')]
    : [];
}

/** Only who wants a single stack may leave out a second address or family: for another policy one would be chosen again. */
export function validateReleases(next: ServiceSpec, previous: ServiceSpec): FieldError[] {
  if (!needsAddress(next) || !needsAddress(previous) || next.ipFamilyPolicy === 'SingleStack') return [];
  const releases = (['clusterIPs', 'ipFamilies'] as const).some(
    (field) => previous[field]?.[1] && next[field]?.length === 1,
  );
  return releases
    ? [invalidValue(at.child('ipFamilyPolicy'), next.ipFamilyPolicy, "must be 'SingleStack' to give up the second")]
    : [];
}

/** Addresses and host names that a load balancer was given. */
export function validateServiceStatus(service: Service): FieldError[] {
  return validateLoadBalancerIngress(
    service.status?.loadBalancer?.ingress,
    FieldPath.of('status', 'loadBalancer', 'ingress'),
  );
}

function validateLoadBalancerIngress(
  ingress: readonly LoadBalancerIngress[] | undefined,
  path: FieldPath,
): FieldError[] {
  return eachOf(ingress, path, ({ ip, hostname }, here) => [
    ...(ip && !parseIp(ip) ? [invalidValue(here.child('ip'), ip, 'must be a valid IP address')] : []),
    ...(hostname
      ? [
          ...dnsSubdomain(hostname).map((problem) => invalidValue(here.child('hostname'), hostname, problem)),
          ...(parseIp(hostname)
            ? [invalidValue(here.child('hostname'), hostname, 'must be a DNS name, not an IP address')]
            : []),
        ]
      : []),
  ]);
}
