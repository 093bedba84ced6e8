import { afterEach, expect, test, vi } from 'vitest';
import { jsonLog, named, stderrLog } from './log.ts';

const written = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
const lines = () => written.mock.calls.map(([text]) => String(text));
afterEach(() => written.mockClear());

test('JSON is an object a line, whatever the message holds', () => {
  const log = named(jsonLog, 'job');
  log.info('two\nlines');
  log.error('cannot list', new Error('403 "forbidden"'));
  for (const line of lines()) expect(line).toMatch(/^[^\n]+\n$/);
  expect(lines().map((line) => JSON.parse(line))).toEqual([
    { at: expect.stringMatching(/Z$/), level: 'info', message: 'job: two\nlines' },
    { at: expect.stringMatching(/Z$/), level: 'error', message: 'job: cannot list', error: '403 "forbidden"' },
  ]);
});

test('text has what went wrong behind the message, and no stack', () => {
  stderrLog.error('cannot list', new Error('no answer'));
  expect(lines()).toEqual([expect.stringMatching(/^\S+Z cannot list: no answer\n$/)]);
});

test('text of which nothing went wrong ends with the message', () => {
  stderrLog.error('set aside');
  stderrLog.error('gave up', 'for good');
  named(stderrLog, 'job').info('begins');
  expect(lines()).toEqual([/^\S+Z set aside\n$/, /^\S+Z gave up: for good\n$/, /^\S+Z job: begins\n$/].map(matching));
});

const matching = (text: RegExp) => expect.stringMatching(text);

test('nothing of a text of others steers a terminal, or looks like another entry', () => {
  stderrLog.error('cannot create', new Error('denied: \u001b[2Jno\r\n2026-01-01T00:00:00.000Z all is fine'));
  expect(lines()).toEqual([
    expect.stringMatching(/^\S+Z cannot create: denied: \ufffd\[2Jno\n {4}2026-01-01T00:00:00.000Z all is fine\n$/),
  ]);
});
