import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { startThread } from './thread.ts';

afterEach(() => void vi.unstubAllGlobals());

test('small buffers that a thread keeps take little more than their bytes', async () => {
  const file = join(temporaryFolder(onTestFinished), 'keeper.mjs');
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads';
    const kept = [];
    for (let each = 0; each < 100; each++) {
      kept.push(Buffer.from('kept'));
      for (let passing = 0; passing < 100; passing++) Buffer.allocUnsafe(1_024);
    }
    const pieces = new Set(kept.map(({ buffer }) => buffer));
    parentPort.postMessage([...pieces].reduce((bytes, { byteLength }) => bytes + byteLength, 0));`,
  );
  const thread = startThread(file, undefined);
  const [bytes] = await once(thread, 'message');
  expect(bytes / 100).toBeLessThan(16 * 1024);
});

test('a thread of Deno is refused in a sentence', () => {
  vi.stubGlobal('Deno', {});
  expect(() => startThread('keeper.mjs', undefined)).toThrow('the suite runs on Node');
});
