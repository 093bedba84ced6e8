import { type FieldError, invalidValue, notSupported, required } from '../../base/field-error.ts';
import type { FieldPath } from '../../base/field-path.ts';
import { parseIp } from '../../base/ip.ts';
import { dnsSubdomain, wildcardSubdomain } from '../../base/names.ts';
import { eachOf } from '../field-rules.ts';
import { type IngressBackend, validateBackend } from './ingress-backend.ts';

export interface IngressPath {
  path?: string;
  pathType?: string;
  backend?: IngressBackend;
}

export interface IngressRule {
  host?: string;
  http?: { paths?: IngressPath[] };
}

export const validateRule = ({ host = '', http }: IngressRule, at: FieldPath): FieldError[] => [
  ...(host && parseIp(host) ? [invalidValue(at.child('host'), host, 'must be a DNS name, not an IP address')] : []),
  ...(host ? validateHost(host, at.child('host')) : []),
  ...(http ? validatePaths(http.paths ?? [], at.child('http').child('paths')) : []),
];

/** A precise host, or one whose whole first label is `*`. */
export function validateHost(host: string, at: FieldPath): FieldError[] {
  const problems = host.includes('*') ? wildcardSubdomain(host) : dnsSubdomain(host);
  return problems.map((problem) => invalidValue(at, host, problem));
}

const validatePaths = (paths: readonly IngressPath[], at: FieldPath): FieldError[] =>
  paths.length === 0 ? [required(at)] : eachOf(paths, at, validatePath);

function validatePath({ path = '', pathType, backend }: IngressPath, at: FieldPath): FieldError[] {
  if (pathType === undefined) return [required(at.child('pathType'), 'a path type must be given')];
  return [...pathFitsType(path, pathType, at), ...validateBackend(backend, at.child('backend'))];
}

function pathFitsType(path: string, pathType: string, at: FieldPath): FieldError[] {
  const wrong = (problem: string) => invalidValue(at.child('path'), path, problem);
  const absolute = path.startsWith('/') ? [] : [wrong('must begin with /')];
  switch (pathType) {
    case 'Exact':
    case 'Prefix':
      return [...absolute, ...ambiguities(path).map(wrong)];
    case 'ImplementationSpecific':
      return path ? absolute : [];
    default:
      return [notSupported(at.child('pathType'), pathType, ['Exact', 'ImplementationSpecific', 'Prefix'])];
  }
}

/** What makes two paths mean the same although they differ. */
const ambiguities = (path: string): string[] => [
  ...['//', '/./', '/../', '%2f', '%2F']
    .filter((part) => path.includes(part))
    .map((part) => `must not contain '${part}'`),
  ...['/..', '/.'].filter((part) => path.endsWith(part)).map((part) => `must not end with '${part}'`),
];
