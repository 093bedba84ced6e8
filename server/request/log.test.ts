import { afterEach, expect, it, vi } from 'vitest';
import { stderrLog } from './log.ts';

const written = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
const lines = () => written.mock.calls.map(([text]) => String(text));
afterEach(() => written.mockClear());

const hostile = new Error('denied: \u001b[2Jno\n2026-01-01T00:00:00.000Z info all is fine');

it('lets nothing that others say steer a terminal, or look like another entry', () => {
  stderrLog(0).error('POST /api', hostile);
  expect(lines()).toEqual([
    expect.stringMatching(
      /^\S+Z error POST \/api: denied: \ufffd\[2Jno\n {4}2026-01-01T00:00:00.000Z info all is fine\n$/,
    ),
  ]);
});

it('as JSON is an object a line, with all that was said', () => {
  stderrLog(0, 'json').error('POST /api', hostile);
  expect(lines()).toEqual([expect.stringMatching(/^[^\n]+\n$/)]);
  expect(JSON.parse(lines()[0] ?? '')).toMatchObject({ level: 'error', error: hostile.message });
});
