import { type FieldError, invalidValue } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import { parseIp } from '../../base/ip.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { dnsSubdomain } from '../../base/names.ts';
import { eachOf, named } from '../field-rules.ts';
import { specChanged } from '../same-value.ts';
import { keepSpec, keepStatus } from '../status-subresource.ts';
import { defineKind } from '../strategy.ts';
import { age, ageColumn, column, nameColumn } from '../table-cells.ts';
import { defaultBackend, type IngressBackend, validateBackend } from './ingress-backend.ts';
import { type IngressRule, validateHost, validateRule } from './ingress-rules.ts';

interface IngressTls {
  hosts?: string[];
  secretName?: string;
}

interface LoadBalancerPoint {
  ip?: string;
  hostname?: string;
  ports?: { port?: number; protocol?: string }[];
}

interface Ingress extends KubeObject {
  spec?: {
    defaultBackend?: IngressBackend;
    ingressClassName?: string;
    rules?: IngressRule[];
    tls?: IngressTls[];
  };
  status?: { loadBalancer?: { ingress?: LoadBalancerPoint[] } };
}

const classAnnotation = 'kubernetes.io/ingress.class';
const specAt = FieldPath.of('spec');
const pointsAt = FieldPath.of('status', 'loadBalancer', 'ingress');

function setDefaults(ingress: Ingress): void {
  ingress.spec ??= {};
  const { spec } = ingress;
  if (spec.defaultBackend) defaultBackend(spec.defaultBackend);
  for (const rule of spec.rules ?? []) {
    if (rule.host === '') delete rule.host;
    for (const path of rule.http?.paths ?? []) {
      if (path.path === '') delete path.path;
      if (path.backend) defaultBackend(path.backend);
    }
  }
  for (const tls of spec.tls ?? []) if (tls.secretName === '') delete tls.secretName;
}

/** What is always written, even when empty. */
function fillStatus(ingress: Ingress): void {
  ingress.status ??= {};
  ingress.status.loadBalancer ??= {};
  for (const point of ingress.status.loadBalancer.ingress ?? []) {
    if (point.ip === '') delete point.ip;
    if (point.hostname === '') delete point.hostname;
    for (const port of point.ports ?? []) {
      port.port ??= 0;
      port.protocol ??= '';
    }
  }
}

const validate = ({ spec = {} }: Ingress): FieldError[] => [
  ...validateDestination(spec),
  ...eachOf(spec.rules, specAt.child('rules'), validateRule),
  ...eachOf(spec.tls, specAt.child('tls'), ({ hosts, secretName }, here) => [
    ...eachOf(hosts, here.child('hosts'), validateHost),
    ...named(secretName, dnsSubdomain, here.child('secretName')),
  ]),
  ...validateClassName(spec.ingressClassName),
];

/** Traffic must be able to go somewhere. */
function validateDestination({ defaultBackend: backend, rules = [] }: NonNullable<Ingress['spec']>) {
  if (backend) return validateBackend(backend, specAt.child('defaultBackend'));
  return rules.length > 0 ? [] : [invalidValue(specAt, rules, 'a default backend or rules are needed')];
}

const validateClassName = (name: string | undefined): FieldError[] =>
  name === undefined
    ? []
    : dnsSubdomain(name).map((problem) => invalidValue(specAt.child('ingressClassName'), name, problem));

/** The annotation is the older way to name the class; existing objects may have both. */
function classOnce({ metadata, spec }: Ingress): FieldError[] {
  const annotation = metadata.annotations?.[classAnnotation];
  if (annotation === undefined || spec?.ingressClassName === undefined) return [];
  const at = FieldPath.of('annotations').child(classAnnotation);
  return [invalidValue(at, annotation, 'must not be set together with the field ingressClassName')];
}

const validateStatus = ({ status }: Ingress): FieldError[] =>
  eachOf(status?.loadBalancer?.ingress, pointsAt, ({ ip = '', hostname = '' }, here) => [
    ...(ip && !parseIp(ip) ? [invalidValue(here.child('ip'), ip, 'must be a valid IP address')] : []),
    ...named(hostname, dnsSubdomain, here.child('hostname')),
    ...(hostname && parseIp(hostname)
      ? [invalidValue(here.child('hostname'), hostname, 'must be a DNS name, not an IP address')]
      : []),
  ]);

const shownHosts = 3;

function hostsCell(rules: readonly IngressRule[]): string {
  const hosts: string[] = [];
  for (const { host } of rules) {
    if (hosts.length === shownHosts) return `${hosts.join(',')} + ${rules.length - shownHosts} more...`;
    if (host) hosts.push(host);
  }
  return hosts.join(',') || '*';
}

function addressCell({ status }: Ingress): string {
  const points = (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip || hostname || '');
  return [...new Set(points.filter(Boolean))].sort().join(',');
}

export const ingress = defineKind<Ingress>({
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'Ingress',
  // Ingress came from this group, and its failures still say so.
  validationGroup: 'extensions',
  resource: 'ingresses',
  generationRises: specChanged,
  default: setDefaults,
  prepareCreate: (object) => {
    object.status = { loadBalancer: {} };
  },
  prepareUpdate: (next, previous) => {
    keepStatus(next, previous);
  },
  validate,
  validateCreate: classOnce,
  subresources: {
    status: {
      prepareUpdate: (next, previous) => {
        keepSpec(next, previous);
        fillStatus(next);
      },
      validateUpdate: validateStatus,
    },
  },
  table: {
    columns: [
      nameColumn,
      column('Class', 'The name of the IngressClass resource that should be used for additional configuration'),
      column('Hosts', 'Hosts that incoming requests are matched against before the ingress rule'),
      column('Address', 'Address is a list containing ingress points for the load-balancer'),
      column('Ports', 'Ports of TLS configurations that open'),
      ageColumn,
    ],
    cells: (object, now) => [
      object.metadata.name,
      object.spec?.ingressClassName ?? '<none>',
      hostsCell(object.spec?.rules ?? []),
      addressCell(object),
      (object.spec?.tls?.length ?? 0) > 0 ? '80, 443' : '80',
      age(object, now),
    ],
  },
});
