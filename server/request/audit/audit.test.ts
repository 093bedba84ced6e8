import { beforeEach, describe, expect, it, vi } from 'vitest';
import { randomIds } from '../../base/ids.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { Auditor } from './audit.ts';
import { bob, clock, policyText, request } from './audited-request.fixture.ts';
import { readAuditPolicy } from './policy.ts';

describe('what is recorded', () => {
  const events: Record<string, unknown>[] = [];
  beforeEach(() => void events.splice(0));
  const auditor = (rule: object) =>
    new Auditor(
      readAuditPolicy(policyText(rule)),
      { write: (line) => void events.push(JSON.parse(line)), close: () => {} },
      clock,
      randomIds,
      () => {},
    );
  const object: KubeObject = {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name: 'made', uid: 'u', resourceVersion: '7', managedFields: [{ manager: 'm' }] },
    data: { a: 'b' },
  };
  const details = {
    code: 201,
    requestObject: object,
    responseObject: { ...object, items: [object] },
    impersonatedUser: { ...bob, name: 'jane' },
    annotations: new Map([
      ['authorization.k8s.io/decision', 'allow'],
      ['patch.webhook.admission.k8s.io/round_0_index_0', '{}'],
    ]),
  };

  it('is who did what, when, from where and how it ended', () => {
    auditor({ level: 'Metadata' }).begin(request)?.stage('ResponseComplete', details);
    expect(events[1]).toEqual({
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: 'Metadata',
      auditID: expect.stringMatching(/^[0-9a-f-]{36}$/),
      stage: 'ResponseComplete',
      requestURI: request.uri,
      verb: 'create',
      user: { username: 'bob', uid: '1', groups: ['devs'], extra: { scopes: ['a'] } },
      impersonatedUser: { username: 'jane', uid: '1', groups: ['devs'], extra: { scopes: ['a'] } },
      sourceIPs: ['127.0.0.1'],
      userAgent: 'test/1',
      objectRef: {
        resource: 'configmaps',
        namespace: 'ns',
        name: 'made',
        uid: 'u',
        apiVersion: 'v1',
        resourceVersion: '7',
      },
      responseStatus: { metadata: {}, code: 201 },
      requestReceivedTimestamp: '2030-01-01T00:00:00.000000Z',
      stageTimestamp: '2030-01-01T00:00:00.250000Z',
      annotations: { 'authorization.k8s.io/decision': 'allow' },
    });
    expect(events[0]).toMatchObject({ stage: 'RequestReceived', auditID: events[1]?.auditID });
  });

  it('is also what was sent, and what was answered, as the level says', () => {
    auditor({ level: 'Request' }).begin(request)?.stage('ResponseComplete', details);
    expect(events[1]).toMatchObject({ requestObject: { data: { a: 'b' } } });
    expect(events[1]).not.toHaveProperty('responseObject');
    expect(events[1]?.annotations).toHaveProperty('patch.webhook.admission.k8s.io/round_0_index_0');
    auditor({ level: 'RequestResponse' }).begin(request)?.stage('ResponseComplete', details);
    expect(events[3]).toMatchObject({ responseObject: { data: { a: 'b' } } });
  });

  it('is without managed fields where the policy says so, in items as well', () => {
    auditor({ level: 'RequestResponse', omitManagedFields: true }).begin(request)?.stage('ResponseComplete', details);
    expect(JSON.stringify(events)).not.toContain('managedFields');
    expect(events[1]).toMatchObject({ responseObject: { items: [{ metadata: { name: 'made' } }] } });
  });

  it('has all digits of a number', () => {
    const lines: string[] = [];
    const log = { write: (line: string) => void lines.push(line), close: () => {} };
    const policy = readAuditPolicy(policyText({ level: 'RequestResponse' }));
    const trail = new Auditor(policy, log, clock, randomIds, () => {}).begin(request);
    trail?.stage('ResponseComplete', { ...details, responseObject: { ...object, spec: { big: 9007199254740993n } } });
    expect(lines[1]).toContain('"big":9007199254740993}');
  });

  it('is a failure with its message, of somebody unknown one event alone, as the answer starts', () => {
    const status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      reason: 'Unauthorized',
      message: 'Unauthorized',
      code: 401,
    } as const;
    auditor({ level: 'Metadata' })
      .begin({ ...request, user: undefined })
      ?.end({ code: 401, status });
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      stage: 'ResponseStarted',
      user: {},
      responseStatus: { status: 'Failure', reason: 'Unauthorized', message: 'Unauthorized', code: 401 },
    });
  });

  it('is nothing where the policy leaves the request or the stage out', () => {
    expect(auditor({ level: 'None' }).begin(request)).toBeUndefined();
    auditor({ level: 'Metadata', omitStages: ['RequestReceived', 'ResponseComplete'] })
      .begin(request)
      ?.stage('ResponseComplete');
    expect(events).toEqual([]);
  });

  it('has the id that the request brings, not too long', () => {
    expect(auditor({ level: 'Metadata' }).begin({ ...request, auditId: 'a'.repeat(100) })?.id).toBe('a'.repeat(64));
  });

  it.each([
    ['a Secret', { resource: 'secrets' }],
    ['a token request', { resource: 'serviceaccounts', subresource: 'token' }],
    ['a token review', { group: 'authentication.k8s.io', resource: 'tokenreviews' }],
  ])('is never the content of %s', (_, asked) => {
    const trail = auditor({ level: 'RequestResponse' }).begin({ ...request, ...asked });
    expect(trail).toMatchObject({ wantsRequest: false, wantsResponse: false });
    trail?.stage('ResponseComplete', { ...details, requestObject: { ...object, data: { password: 'c2VjcmV0' } } });
    expect(events.map((event) => event.level)).toEqual(['Metadata', 'Metadata']);
    expect(JSON.stringify(events)).not.toMatch(/c2VjcmV0|patch\.webhook/);
  });

  it('is never a token in the query', () => {
    auditor({ level: 'Metadata' }).begin({ ...request, uri: '/x?access_token=abc&a=b&token=def&id_token=ghi' });
    expect(events[0]?.requestURI).toBe('/x?access_token=redacted&a=b&token=redacted&id_token=redacted');
  });

  it.each([
    ['/x?%74oken=abc', '/x?%74oken=redacted'],
    ['/x?a=1&access%5Ftoken=abc&b=2', '/x?a=1&access%5Ftoken=redacted&b=2'],
    ['/x?TOKEN=abc;b', '/x?TOKEN=redacted;b'],
    ['/x?%zz=1&mytoken=2&token', '/x?%zz=1&mytoken=2&token'],
  ])('is never a token under a name in disguise: %s', (uri, told) => {
    auditor({ level: 'Metadata' }).begin({ ...request, uri });
    expect(events[0]?.requestURI).toBe(told);
  });

  it('fails without failing the request', () => {
    const failed = vi.fn();
    const broken = {
      write: () => {
        throw new Error('disk full');
      },
      close: () => {},
    };
    const time = { now: 1000 };
    const auditing = new Auditor(
      readAuditPolicy(policyText({ level: 'Metadata' })),
      broken,
      { now: () => time.now },
      randomIds,
      failed,
    );
    for (let n = 0; n < 1000; n++) auditing.begin(request);
    expect(failed.mock.calls.map(([, events]) => events)).toEqual([1]);
    time.now += 60_000;
    auditing.begin(request);
    expect(failed.mock.calls.map(([, events]) => events)).toEqual([1, 1000]);
  });
});
