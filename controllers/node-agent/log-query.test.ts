import { expect, test } from 'vitest';
import { ContainerLog } from './container-log.ts';
import { answerLogQuery, readLogQuery } from './log-query.ts';

/** A log with one line a second, from the first second on. */
function logOf(...lines: readonly string[]): ContainerLog {
  let now = 0;
  const log = new ContainerLog(() => now);
  for (const line of lines) {
    now += 1000;
    log.write(`${line}\n`);
  }
  return log;
}

async function answer(log: ContainerLog, query: string, signal = new AbortController().signal): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of answerLogQuery(log, readLogQuery(new URLSearchParams(query), 10_000), signal))
    pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

test.each([
  ['', 'a\nb\nc\n'],
  ['tailLines=2', 'b\nc\n'],
  ['tailLines=0', ''],
  ['tailLines=9', 'a\nb\nc\n'],
  ['limitBytes=3', 'a\nb'],
  ['sinceSeconds=8', 'b\nc\n'],
  ['sinceTime=1970-01-01T00:00:03Z', 'c\n'],
  ['timestamps=true&tailLines=1', '1970-01-01T00:00:03.000Z c\n'],
  ['follow=0', 'a\nb\nc\n'],
])('asked for %j', async (query, expected) => expect(await answer(logOf('a', 'b', 'c'), query)).toBe(expected));

test.each([
  'tailLines=-1',
  'tailLines=x',
  'limitBytes=0',
  'sinceSeconds=0',
  'sinceTime=today',
  'sinceSeconds=1&sinceTime=1970-01-01T00:00:03Z',
])('asked for %j it is refused', (query) =>
  expect(() => readLogQuery(new URLSearchParams(query), 0)).toThrow(expect.objectContaining({ code: 400 })),
);

test('who follows gets what comes, to the end', async () => {
  const log = logOf('a', 'b');
  const whole = answer(log, 'follow=true&tailLines=1');
  log.write('c\nhal');
  log.write('f\nrest');
  log.end();
  log.write('too late');
  expect(await whole).toBe('b\nc\nhalf\nrest');
});

test('who follows and leaves is let go', async () => {
  const leaving = new AbortController();
  const whole = answer(logOf('a'), 'follow=true', leaving.signal);
  leaving.abort();
  expect(await whole).toBe('a\n');
});

test('a log forgets its beginning, never its end', async () => {
  const log = new ContainerLog(() => 0);
  for (let i = 0; i < 200; i++) log.write(`${String(i).padStart(60_000, '.')}\n`);
  const kept = log.lines;
  expect(kept.length).toBeLessThan(100);
  expect(kept.at(-1)?.text).toMatch(/199\n$/);
});

test('a line without end is told in pieces', () => {
  const log = new ContainerLog(() => 0);
  for (let i = 0; i < 3; i++) log.write('x'.repeat(50_000));
  expect(log.lines.length).toBeGreaterThan(0);
});

test('lines without any text are not kept for ever either', () => {
  const log = new ContainerLog(() => 0);
  for (let times = 0; times < 30; times++) log.write('\n'.repeat(10_000));
  expect(log.lines.length).toBeGreaterThan(10_000);
  expect(log.lines.length).toBeLessThan(100_000);
});
