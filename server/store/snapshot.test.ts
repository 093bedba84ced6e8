import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { MemoryStore } from './memory-store.ts';
import { readSnapshot, writeSnapshot } from './snapshot.ts';
import { object } from './store.fixture.ts';

test('a snapshot that is written in several pieces has every object, once', async () => {
  const path = join(temporaryFolder(onTestFinished), 'snapshot');
  const store = new MemoryStore();
  for (let n = 0; n < 1000; n++) await store.create(`k/${n}`, object(`${n}`, 'é'.repeat(n)));
  await writeSnapshot(path, store.state());
  const { items, revision } = readSnapshot(path);
  const all = await store.list('');
  expect(revision).toBe(all.revision);
  expect(items.map(({ key, revision: own, value }) => [key, own, value])).toEqual(
    all.items.map(({ key, revision: own, value }) => [key, own, value]),
  );
  await store.close();
});
