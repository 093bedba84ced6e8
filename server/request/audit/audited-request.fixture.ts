import { optionsFrom, parseFlags } from '../../options/command-line.ts';
import type { AuditedRequest } from './audit.ts';
import { type AuditOptions, auditFlags } from './options.ts';
import { readAuditPolicy } from './policy.ts';

export const defaultAuditOptions = optionsFrom(parseFlags(auditFlags, [])) as unknown as AuditOptions;
export const clock = { now: () => Date.UTC(2030, 0, 1, 0, 0, 0, 250) };
export const bob = { name: 'bob', uid: '1', groups: ['devs'], extra: { scopes: ['a'] } };
export const request: AuditedRequest = {
  user: bob,
  isResource: true,
  verb: 'create',
  path: '/api/v1/namespaces/ns/configmaps',
  uri: '/api/v1/namespaces/ns/configmaps?dryRun=All',
  group: '',
  version: 'v1',
  resource: 'configmaps',
  subresource: '',
  namespace: 'ns',
  name: '',
  userAgent: 'test/1',
  sourceIPs: ['127.0.0.1'],
  receivedAt: Date.UTC(2030, 0, 1),
  auditId: undefined,
};
export const policyText = (...rules: object[]) =>
  JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules });
export const level = (asked: Partial<AuditedRequest>, ...rules: object[]) =>
  readAuditPolicy(policyText(...rules)).decide({ ...request, ...asked }).level;
