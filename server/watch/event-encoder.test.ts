import { expect, test } from 'vitest';
import { StoredValue } from '../store/stored-value.ts';
import { jsonEncoder } from './event-encoder.ts';

const stored = (note: string) => {
  const metadata = { name: 'a', resourceVersion: '7', annotations: { note } };
  return new StoredValue('/secrets/a', 7, { kind: 'Secret', apiVersion: 'v1', metadata });
};

test.each([
  ['plain', 'text'],
  ['beyond ASCII', 'téxt ☃'],
  ['long', 'x'.repeat(100_000)],
])('an event shows the whole object: %s', (_, note) => {
  const one = stored(note);
  const bytes = jsonEncoder({ kind: 'Secret', apiVersion: 'v1' }).change('MODIFIED', one) as Buffer;
  expect(bytes.toString()).toBe(`{"type":"MODIFIED","object":${one.bytes}}\n`);
  expect(JSON.parse(bytes.toString()).object.metadata.annotations.note).toBe(note);
});

test('what is held as text is so still once watchers were told of it', () => {
  const one = stored('text');
  jsonEncoder({ kind: 'Secret', apiVersion: 'v1' }).change('ADDED', one);
  expect(one.text).toMatch(/^\{"kind":"Secret"/);
});
