import { describe, expect, it } from 'vitest';
import type { AuditedRequest } from './audit.ts';
import { bob, level, policyText, request } from './audited-request.fixture.ts';
import { readAuditPolicy } from './policy.ts';

describe('a policy', () => {
  it('is decided by its first rule that matches, and leaves out what none matches', () => {
    const rules = [
      { level: 'None', users: ['eve'] },
      { level: 'Request', verbs: ['create'] },
      { level: 'Metadata', verbs: ['get'] },
    ];
    expect(level({}, ...rules)).toBe('Request');
    expect(level({ user: { ...bob, name: 'eve' } }, ...rules)).toBe('None');
    expect(level({ verb: 'get' }, ...rules)).toBe('Metadata');
    expect(level({ verb: 'list' }, ...rules)).toBe('None');
  });

  const path = { isResource: false, path: '/healthz/ping', resource: '' };
  const sub = { subresource: 'log', resource: 'pods' };
  it.each([
    ['users', { users: ['bob'] }, {}, true],
    ['users when nobody is known', { users: ['bob'] }, { user: undefined }, false],
    ['groups', { userGroups: ['devs', 'x'] }, {}, true],
    ['groups of nobody', { userGroups: ['devs'] }, { user: undefined }, false],
    ['namespaces', { namespaces: ['ns'] }, {}, true],
    ['other namespaces', { namespaces: [''] }, {}, false],
    ['namespaces never for other URLs', { namespaces: ['ns'] }, path, false],
    ['a whole group', { resources: [{ group: '' }] }, {}, true],
    ['another group', { resources: [{ group: 'apps' }] }, {}, false],
    ['a resource', { resources: [{ group: '', resources: ['configmaps'] }] }, {}, true],
    ['not its subresource', { resources: [{ group: '', resources: ['pods'] }] }, sub, false],
    ['a subresource', { resources: [{ group: '', resources: ['pods/log'] }] }, sub, true],
    ['subresources of a resource', { resources: [{ group: '', resources: ['pods/*'] }] }, sub, true],
    ['a subresource of everything', { resources: [{ group: '', resources: ['*/log'] }] }, sub, true],
    ['all resources', { resources: [{ group: '', resources: ['*'] }] }, sub, true],
    ['names', { resources: [{ group: '', resources: ['configmaps'], resourceNames: ['a'] }] }, { name: 'a' }, true],
    [
      'other names',
      { resources: [{ group: '', resources: ['configmaps'], resourceNames: ['a'] }] },
      { name: 'b' },
      false,
    ],
    ['a URL', { nonResourceURLs: ['/healthz/ping'] }, path, true],
    ['URLs below', { nonResourceURLs: ['/healthz*'] }, path, true],
    ['all URLs', { nonResourceURLs: ['*'] }, path, true],
    ['other URLs', { nonResourceURLs: ['/metrics'] }, path, false],
    ['no URL for resources', { nonResourceURLs: ['*'] }, {}, false],
    ['everything', {}, path, true],
  ])('may name %s', (_, rule, asked, matches) => {
    expect(level(asked as Partial<AuditedRequest>, { level: 'Metadata', ...rule })).toBe(matches ? 'Metadata' : 'None');
  });

  it('may be YAML, and add stages to leave out', () => {
    const text =
      'apiVersion: audit.k8s.io/v1\nkind: Policy\nomitStages: [RequestReceived]\nomitManagedFields: true\nrules:\n- level: Metadata\n  omitStages: [Panic]\n- level: None\n  omitManagedFields: false\n';
    const decision = readAuditPolicy(text).decide(request);
    expect([...decision.omitStages]).toEqual(['RequestReceived', 'Panic']);
    expect(decision.omitManagedFields).toBe(true);
  });

  it.each([
    ['no policy', 'x'],
    ['another kind', JSON.stringify({ apiVersion: 'v1', kind: 'Policy', rules: [] })],
    ['no rules', policyText()],
    ['an unknown level', policyText({ level: 'All' })],
    ['an unknown stage', policyText({ level: 'None', omitStages: ['Later'] })],
    ['resources and URLs', policyText({ level: 'None', namespaces: ['a'], nonResourceURLs: ['/x'] })],
    ['a malformed URL', policyText({ level: 'None', nonResourceURLs: ['x'] })],
    ['a * in the middle', policyText({ level: 'None', nonResourceURLs: ['/*/x'] })],
    ['names without resources', policyText({ level: 'None', resources: [{ group: '', resourceNames: ['a'] }] })],
    ['a text for a list', policyText({ level: 'None', verbs: 'get' })],
    ['a number for a text', policyText({ level: 'None', verbs: [1] })],
  ])('is refused with %s', (_, text) => {
    expect(() => readAuditPolicy(text)).toThrow();
  });
});
