import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { jsonTextsOf } from './json-texts.ts';
import { yamlTextsOf } from './yaml-texts.ts';

const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b', annotations: { was: 'there' } } };

const readable = (texts: readonly string[], read: (text: string) => unknown): unknown[] =>
  texts.flatMap((text) => {
    try {
      return [read(text)];
    } catch {
      return [];
    }
  });

it('says the same object in JSON with a note in each spelling, some of which cannot be read', () => {
  const texts = jsonTextsOf(object);
  const found = readable(texts, JSON.parse);
  expect(found.length).toBeGreaterThan(texts.length / 3);
  expect(found.length).toBeLessThan(texts.length);
  expect(found).toContainEqual({ ...object, metadata: { name: 'b', annotations: { one: 'Aä' } } });
  expect(texts).toContain(JSON.stringify(object).replaceAll('metadata', 'metadat\\u0061'));
  expect(new Set(texts).size).toBe(texts.length);
});

it('says the same object in YAML with a note in each manner, some of which cannot be read', () => {
  const texts = yamlTextsOf(object);
  const found = readable(texts, (text) => parse(text, { merge: true, logLevel: 'error' }));
  expect(found.length).toBeLessThan(texts.length);
  const noted = (annotations: object): object => ({ ...object, metadata: { name: 'b', annotations } });
  for (const annotations of [
    { one: 'some', two: 'some' },
    { three: '3', one: '1' },
    { one: 'a\nb\n' },
    { one: 'a b c' },
  ])
    expect(found).toContainEqual(noted(annotations));
  expect(texts.filter((text) => text.includes('---'))).not.toEqual([]);
  expect(new Set(texts).size).toBe(texts.length);
});
