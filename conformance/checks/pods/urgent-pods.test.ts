import { expect, test } from 'vitest';
import type { Answer } from '../../verbs/client.ts';
import type { Json } from '../../verbs/json.ts';
import { needsClasses } from './urgent-pods.ts';

/** A cluster that answers so to a plain pod and to an urgent one. */
const cluster = (plain: Json, urgent: Json) => (spec: Json) =>
  Promise.resolve((spec.priorityClassName ? urgent : plain) as Answer);
const taken = { status: 201, body: { spec: {} } };

test('where pods name their class and are told apart by it, nothing is skipped', async () => {
  await expect(needsClasses(cluster(taken, taken))).resolves.toBeUndefined();
});

test('a cluster that keeps the urgent classes for pods of its own is not judged by them', async () => {
  const refused = { status: 403, body: { message: 'insufficient quota to match these scopes' } };
  await expect(needsClasses(cluster(taken, refused))).rejects.toThrow(/insufficient quota/);
});

test('nor is one that gives each pod a class', async () => {
  const given = { status: 201, body: { spec: { priorityClassName: 'usual' } } };
  await expect(needsClasses(cluster(given, taken))).rejects.toThrow('each pod is given a class');
});

test('a server that breaks on an urgent pod is judged', async () => {
  await expect(needsClasses(cluster(taken, { status: 500, body: {} }))).resolves.toBeUndefined();
});
