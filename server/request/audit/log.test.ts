import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../fixtures/temporary-folder.fixture.ts';
import { randomIds } from '../../base/ids.ts';
import { buildAuditor } from './audit.ts';
import { clock, defaultAuditOptions, policyText, request } from './audited-request.fixture.ts';
import { openAuditLog } from './log.ts';
import { type AuditOptions, checkAuditOptions } from './options.ts';

describe('the file of audit events', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder(onTestFinished);
  });
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
