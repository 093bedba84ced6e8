import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { randomIds } from '../../base/ids.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { optionsFrom, parseFlags } from '../../options/command-line.ts';
import {
  type AuditedRequest,
  type AuditOptions,
  Auditor,
  auditFlags,
  buildAuditor,
  checkAuditOptions,
} from './audit.ts';
import { openAuditLog } from './log.ts';
import { readAuditPolicy } from './policy.ts';

const defaultAuditOptions = optionsFrom(parseFlags(auditFlags, [])) as unknown as AuditOptions;
const clock = { now: () => Date.UTC(2030, 0, 1, 0, 0, 0, 250) };
const bob = { name: 'bob', uid: '1', groups: ['devs'], extra: { scopes: ['a'] } };
const request: AuditedRequest = {
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
const policyText = (...rules: object[]) => JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules });
const level = (asked: Partial<AuditedRequest>, ...rules: object[]) =>
  readAuditPolicy(policyText(...rules)).decide({ ...request, ...asked }).level;

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

  it('is a failure with its message, also of somebody unknown', () => {
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
      ?.stage('ResponseComplete', { code: 401, status });
    expect(events[1]).toMatchObject({
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

describe('the file of audit events', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'audit-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const limits = (more: object = {}) => ({
    path: join(folder, 'audit.log'),
    maxBytes: 100,
    maxBackups: 0,
    maxAgeMs: 0,
    ...more,
  });

  it('has one line an event, goes on after a restart, and is for its owner alone', () => {
    for (const line of ['{"a":1}', '{"a":2}']) {
      const log = openAuditLog(limits(), clock);
      log.write(line);
      log.close();
    }
    expect(readFileSync(join(folder, 'audit.log'), 'utf8')).toBe('{"a":1}\n{"a":2}\n');
    expect(statSync(join(folder, 'audit.log')).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['', '{"a":1}\n{"a":3}\n'],
    [', and somebody emptied it', '{"a":3}\n'],
  ])('holds whole lines alone when the disk was full for a while%s', (emptied, expected) => {
    let free = 12;
    const fullAfter: typeof writeSync = (file, bytes, at) => {
      const part = (bytes as Buffer).subarray(at as number, (at as number) + free);
      if (part.length === 0) throw new Error('ENOSPC');
      free -= part.length;
      return writeSync(file, part);
    };
    const log = openAuditLog(limits(), clock, fullAfter);
    log.write('{"a":1}');
    if (emptied) truncateSync(join(folder, 'audit.log'));
    expect(() => log.write('{"a":2}')).toThrow('ENOSPC');
    free = 100;
    log.write('{"a":3}');
    log.close();
    expect(readFileSync(join(folder, 'audit.log'), 'utf8')).toBe(expected);
  });

  it('is kept under its time when it is full, and only so many are kept', () => {
    const log = openAuditLog(limits({ maxBackups: 2 }), clock);
    for (let i = 0; i < 5; i++) log.write(`${i}`.repeat(80));
    log.close();
    expect(readdirSync(folder).sort()).toEqual([
      'audit-2030-01-01T00-00-00.252.log',
      'audit-2030-01-01T00-00-00.253.log',
      'audit.log',
    ]);
    expect(readFileSync(join(folder, 'audit.log'), 'utf8')).toBe(`${'4'.repeat(80)}\n`);
  });

  it('is not kept beyond its age, and files of others are left alone', () => {
    for (const name of ['audit-2020-01-01T00-00-00.000.log', 'audit-notes.log', 'other.log'])
      writeFileSync(join(folder, name), '');
    const log = openAuditLog(limits({ maxAgeMs: 86_400_000 }), clock);
    log.write('a'.repeat(90));
    log.write('b'.repeat(90));
    log.close();
    expect(readdirSync(folder).sort()).toEqual([
      'audit-2030-01-01T00-00-00.250.log',
      'audit-notes.log',
      'audit.log',
      'other.log',
    ]);
  });

  it('is made by the options, which need each other', () => {
    const policy = join(folder, 'policy.yaml');
    writeFileSync(policy, policyText({ level: 'Metadata' }));
    const options: AuditOptions = {
      ...defaultAuditOptions,
      auditPolicyFile: policy,
      auditLogPath: join(folder, 'audit.log'),
    };
    const auditor = buildAuditor(options, clock, randomIds, () => {});
    auditor?.begin(request);
    auditor?.close();
    expect(readFileSync(join(folder, 'audit.log'), 'utf8')).toContain('RequestReceived');
    expect(buildAuditor(defaultAuditOptions, clock, randomIds, () => {})).toBeUndefined();
    expect(checkAuditOptions(options)).toEqual([]);
    expect(checkAuditOptions({ ...defaultAuditOptions, auditLogPath: 'x' })).toHaveLength(1);
    expect(checkAuditOptions({ ...defaultAuditOptions, auditPolicyFile: 'x', auditLogMaxage: -1 })).toHaveLength(2);
    expect(() =>
      buildAuditor({ ...options, auditPolicyFile: join(folder, 'none') }, clock, randomIds, () => {}),
    ).toThrow('none');
  });
});
